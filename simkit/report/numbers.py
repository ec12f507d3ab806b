"""Numbers for people: as many digits as the interval supports, never fifteen."""

import math


def decimals(half_width: float | None, most: int = 6) -> int:
    """Decimals that show a half-width to two significant digits; 2 where there is none."""
    if half_width is None:
        return 2
    if half_width <= 0:
        return 0
    return min(most, max(0, 1 - math.floor(math.log10(half_width))))


def with_interval(value: float, low: float | None, high: float | None, percent: bool = False) -> tuple[str, str]:
    """An estimate and its interval as texts: ("49.1 %", "48.8 – 49.4"); the interval is empty where there is none."""
    factor, unit = (100.0, " %") if percent else (1.0, "")
    half = None if low is None or high is None else (high - low) / 2 * factor
    digits = decimals(half)
    interval = "" if half is None else f"{low * factor:.{digits}f} – {high * factor:.{digits}f}"
    return f"{value * factor:.{digits}f}{unit}", interval
