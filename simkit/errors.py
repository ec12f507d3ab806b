"""What can be wrong with what a user asked for."""


class BadInput(ValueError):
    """A request that cannot be met; the message is one line that names what was given and what is allowed."""


class StrategyError(BadInput):
    """A strategy that cannot be found, does not compile, or answered outside of the legal actions."""
