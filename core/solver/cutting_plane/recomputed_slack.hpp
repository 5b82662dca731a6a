// recomputed_slack.hpp - computes the slack of planes again from their entries, with its rounding.
//
// Called if a stored plane contradicts an answer, and by verify. It costs more than the product.
#pragma once

#include "linalg/rounding.hpp"
#include "linalg/vector.hpp"
#include "objective/certificate.hpp"
#include "qp/plane/plane_vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// By how much rounding may change b - <w, a>. `zeros`: [dimension] zeros before and after the call.
double rounding_of(const PlaneVector& a, double b, WeightView w, Vector& zeros);

// Raises `largest` to the slack of this plane. `zeros`: as above.
void recompute_slack(const PlaneVector& a, double b, WeightView w, Vector& zeros,
                     RecomputedSlack& largest);

// Returns the largest slack of all planes of a block.
RecomputedSlack recompute_slack(const Block& block, WeightView w);

}  // namespace sculpt::core
