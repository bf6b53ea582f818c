"""Whether a difference between two rankings of the same queries is more than chance: a paired randomisation test.

Under the null hypothesis both rankings are equally good, so each query's difference is as likely with the other sign.
The test draws signs for all of them DRAWS times, and counts how often the mean is as far from 0 as the one that was
measured (Fisher's randomisation test, two-sided; Smucker, Allan and Carterette, CIKM 2007).
"""

import numpy

DRAWS = 10_000
SEED = 5
# Sums of the same numbers in another order differ in their last bits.
TOLERANCE = 1e-12


def p_value(before, after, draws=DRAWS, seed=SEED):
    """The part of the draws whose mean difference is at least as large as the measured one, itself among them."""
    if before.keys() != after.keys():
        raise ValueError(f"expected the same queries, only one side has {sorted(before.keys() ^ after.keys())[:3]}")
    differences = numpy.array([after[query] - before[query] for query in sorted(before)])
    # Where nothing differs no sign changes anything; without these the matrix of signs is small.
    differences = differences[differences != 0]
    signs = numpy.random.default_rng(seed).integers(0, 2, (draws, len(differences)), dtype=numpy.int8) * 2 - 1
    as_far = numpy.abs(signs @ differences) >= abs(differences.sum()) - TOLERANCE
    return (int(as_far.sum()) + 1) / (draws + 1)
