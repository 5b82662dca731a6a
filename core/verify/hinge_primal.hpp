// hinge_primal.hpp - P of the structural hinges at one w, from new answers of the oracle.
//
// Called by MomentVerification and ConstrainedMomentVerification, whose runs report it beside their
// own objective.
#pragma once

#include "linalg/vector.hpp"
#include "objective/formulation.hpp"
#include "objective/pass.hpp"
#include "objective/plane_source.hpp"

namespace sculpt::core {

// The upper bound, or the lower bound if the oracle gives no upper one. Asks about each example
// once. Throws what the source throws.
double hinge_primal(const Formulation& formulation, PlaneSource& planes, const Vector& w,
                    const Pass& pass);

}  // namespace sculpt::core
