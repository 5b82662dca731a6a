#include "command/inputs/model_point.hpp"

#include <utility>

namespace sculpt::core {

WeightPoint point_of_model(Problem& problem, const ModelFile& model) {
  ProblemKernel* const kernel = problem.kernel();
  if (kernel == nullptr) return {{}, model.weights()};
  Vector w = kernel->solver_weights(problem.weights_of_model(model.weights()));
  return {kernel->coefficients_of_model(model.weights(), model.states().at(support_atoms_name)),
          std::move(w)};
}

}  // namespace sculpt::core
