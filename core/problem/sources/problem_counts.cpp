#include "problem/sources/problem_counts.hpp"

#include "linalg/products.hpp"

namespace sculpt::core {

void ProblemCounts::sum_truths(Vector& sum) {
  SparseAccumulator scratch(dimension());
  SparseVector psi;
  for (std::int64_t number = 0; number < example_count(); ++number) {
    problem().services().throw_if_cancelled();
    const std::int64_t example = dataset_index(number);
    problem().features().vector(0, example, problem().dataset().truth(example), Exit::data, scratch,
                                psi);
    axpy(1, psi, sum);
  }
}

}  // namespace sculpt::core
