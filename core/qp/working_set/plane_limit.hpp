// plane_limit.hpp - keeps the planes of a working set within a number of bytes.
//
// Called by PassController after a QP. First it drops planes with alpha = 0, the longest idle
// first. D does not change. If that is not enough, two planes p, q of one block are merged into
// one:
//
//   a = (alpha_p a_p + alpha_q a_q) / alpha,   b likewise,   alpha = alpha_p + alpha_q
//
// This does not change w and D. The result is a valid plane of the block: a slack that satisfies
// both planes satisfies their mean. It spans less, so the oracle may have to find the two planes
// again.
//
// Planes in runs take two bytes an entry, their mean ten or twelve. So a pair is merged only if the
// block then takes fewer bytes, with its products. The limit may therefore be missed. Under hard
// margin nothing is merged, because the message about inseparable data needs the original planes.
//
// Source: the aggregation of cutting planes in bundle methods (Kiwiel, Math. Programming 27, 1983).
#pragma once

#include <cstddef>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// Drops and merges planes. Returns true if the planes then take at most max_bytes. Requires the
// ages after a solved QP.
bool limit_plane_bytes(WorkingSet& working_set, std::size_t max_bytes);

}  // namespace sculpt::core
