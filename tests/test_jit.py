"""Arrays on the stack are arrays like others, and apart from each other."""

import numpy as np
import pytest

from simkit._jit import jit, stack_array


@jit
def double(array):
    array *= 2


@pytest.mark.parametrize(
    ("dtype", "shape"), [(np.float64, (5,)), (np.int64, (3, 4)), (np.float64, (2, 3, 4)), (np.int64, (1,))]
)
def test_an_array_on_the_stack_is_filled_passed_down_and_copied(dtype, shape):
    make = stack_array(dtype, *shape)

    @jit
    def use(first, second):
        one, other = make(), make()
        one[:], other[:] = 3, 5
        double(other)
        first[:], second[:] = one, other
        return one.shape

    first, second = np.zeros(shape, dtype), np.zeros(shape, dtype)
    assert use(first, second) == shape
    assert (first == 3).all() and (second == 10).all()


def test_an_array_in_a_loop_takes_no_more_stack():
    """A million of 8 kB each would not fit on any stack."""
    make = stack_array(np.float64, 1000)

    @jit
    def fill(times):
        total = 0.0
        for i in range(times):
            array = make()
            array[:] = i
            total += array[i % 1000]
        return total

    assert fill(1_000_000) == sum(range(1_000_000))
