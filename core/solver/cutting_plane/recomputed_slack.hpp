// recomputed_slack.hpp - planes that are kept, once more from their entries, with what rounding may
// make of b - <w, a>.
//
// Asked for where a kept plane contradicts an answer, and by verify: it costs more than the
// product.
#pragma once

#include "linalg/rounding.hpp"
#include "linalg/vector.hpp"
#include "objective/certificate.hpp"
#include "qp/plane/plane_vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// By how much rounding may move b - <w, a>. `zeros`: [dimension] zeros, before and after.
double rounding_of(const PlaneVector& a, double b, WeightView w, Vector& zeros);

// Takes the plane into `seen`.
void recompute_slack(const PlaneVector& a, double b, WeightView w, Vector& zeros,
                     RecomputedSlack& seen);

// At all planes of a block.
RecomputedSlack recompute_slack(const Block& block, WeightView w);

}  // namespace sculpt::core
