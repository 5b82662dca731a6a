#include "problem/sources/problem_counts.hpp"

#include "linalg/products.hpp"

namespace sculpt::core {

void ProblemCounts::sum_truths(std::span<const std::int64_t> examples, Vector& sum) {
  SparseAccumulator scratch(dimension());
  SparseVector psi;
  for (const std::int64_t example : examples) {
    problem().services().throw_if_cancelled();
    const std::int64_t index = dataset_index(example);
    problem().features().vector(0, index, problem().dataset().truth(index), Exit::data, scratch,
                                psi);
    axpy(example_weight(example), psi, sum);
  }
}

}  // namespace sculpt::core
