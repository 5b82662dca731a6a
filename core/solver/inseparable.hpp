// inseparable.hpp - what a run with hard margin says of data that it proved to be inseparable.
//
// Called by the solvers when the QP ends in QpEnd::inseparable.
#pragma once

#include <vector>

#include "qp/working_set.hpp"
#include "solver/separator.hpp"

namespace sculpt::core {

// Throws, through Separator::inseparable(). `carried` is [n] the alpha that each example's planes
// have in the proof: those named carry a good part of it.
void refuse_inseparable(const Separator& separator, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& carried);

}  // namespace sculpt::core
