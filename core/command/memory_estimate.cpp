#include "command/memory_estimate.hpp"

#include <algorithm>

#include "problem/problem_separator.hpp"
#include "qp/plane_vector.hpp"
#include "run/process_memory.hpp"

namespace sculpt::core {
namespace {

// Truths that are looked at, spread over the examples.
constexpr std::int64_t most_truths = 200;

}  // namespace

ProblemShape shape_of(Problem& problem) {
  const ExampleList& training = problem.training();
  const std::int64_t count = std::min(training.size(), most_truths);
  SparseAccumulator scratch(problem.dimension());
  ProblemShape shape;
  bool same_size = true;
  std::int64_t size = -1;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t example = training[k * training.size() / count];
    const sculpt_labels truth = problem.dataset().truth(example);
    same_size = same_size && (size < 0 || truth.size == size);
    size = truth.size;
    for (std::int64_t v = 0; v < truth.size; ++v) {
      shape.states = std::max(shape.states, 1.0 + truth.data[v]);
    }
    SparseVector psi;
    problem.features().vector(0, example, truth, Exit::data, scratch, psi);
    shape.labels += static_cast<double>(truth.size);
    shape.entries += static_cast<double>(psi.index.size());
    shape.psi_bytes += static_cast<double>(PlaneVector(psi).bytes());
  }
  for (double* mean : {&shape.labels, &shape.entries, &shape.psi_bytes}) {
    *mean /= static_cast<double>(count);
  }
  shape.label_sets = same_size && size > 1 && shape.states == 2;
  shape.examples = training.size();
  shape.dimension = problem.dimension();
  shape.has_bounds = !problem.nonnegative().empty();
  shape.joint_bytes = ProblemSeparator::joint_bytes(problem);
  return shape;
}

std::int64_t estimated_peak(Problem& problem, const Solver& solver) {
  const ProcessMemory memory = process_memory();
  const double expected = solver.expected_bytes(shape_of(problem));
  return std::max(memory.peak, memory.resident + static_cast<std::int64_t>(expected));
}

}  // namespace sculpt::core
