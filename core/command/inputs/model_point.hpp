// model_point.hpp - the weights of a model as a point at which the oracle can be asked.
//
// Called by verify and report.
#pragma once

#include "model/model_file.hpp"
#include "problem/problem.hpp"
#include "verify/weight_point.hpp"

namespace sculpt::core {

// With a kernel: the scores that predict computes from the atoms of the model, and the
// coefficients of the training atoms.
WeightPoint point_of_model(Problem& problem, const ModelFile& model);

}  // namespace sculpt::core
