// plane_limit.hpp - keeps the planes of a working set within a number of bytes.
//
// Called by Progress behind a QP. First those that carry no alpha go, the longest idle first; D
// stays as it is. What then is too much carries alpha: two planes p, q of one block become one,
//
//   a = (alpha_p a_p + alpha_q a_q) / alpha,   b likewise,   alpha = alpha_p + alpha_q
//
// which leaves w and D as they are, and is a plane of the block like any other: a slack that
// satisfies both satisfies their mean. It spans less, so that the oracle may have to find again
// what it consisted of. Planes in runs take two bytes an entry and their mean ten or twelve: only
// pairs are merged whose block takes fewer bytes then, its products included, so there is a floor
// below which this does not get. Under hard margin nothing is merged: who cannot be separated is
// told by the planes as they were found.
//
// Source: the aggregation of cutting planes in bundle methods (Kiwiel, Math. Programming 27, 1983).
#pragma once

#include <cstddef>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// True when the planes take at most `bytes`. Requires the ages of a QP that was just solved.
bool keep_within(WorkingSet& working_set, std::size_t bytes);

}  // namespace sculpt::core
