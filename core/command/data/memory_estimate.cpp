#include "command/data/memory_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/memory/process_memory.hpp"
#include "command/data/confused_classes.hpp"
#include "linalg/sparse_sum.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/dimension.hpp"
#include "problem/sources/problem_planes.hpp"
#include "qp/plane/plane_vector.hpp"
#include "solver/n_slack/n_slack.hpp"

namespace sculpt::core {
namespace {

// The number of truths that are read, spread over the examples.
constexpr std::int64_t max_truths = 200;

// The parameter of the solvers that keep planes.
constexpr const char* plane_limit = "max_planes_megabytes";

// Warns about one_slack if it needs this many bytes, and this many times the bytes of n_slack.
constexpr double large = 1e8;
constexpr double much_less = 3;

// A run is refused if it needs this many times the free memory. Estimates were within 25 % of the
// peak. The exception was a taxonomy, with an estimate one third too low.
constexpr double hopeless = 2;
// Warns about a run that does not fit with this factor.
constexpr double inaccuracy = 1.25;

// The ratio of the largest to the smallest column of feature vectors. Columns with few entries are
// left out, if others exist: their only value may be near 0 by chance.
class ColumnScaleRatio {
 public:
  void add(const SparseVector& psi) {
    for (std::size_t k = 0; k < psi.index.size(); ++k) {
      Column& column = columns_[psi.index[k]];
      column.largest = std::max(column.largest, std::abs(psi.value[k]));
      ++column.entries;
    }
  }
  double ratio() const { return any_has(enough) ? ratio_of(enough) : ratio_of(1); }

 private:
  struct Column {
    double largest = 0;
    std::int64_t entries = 0;
  };
  static constexpr std::int64_t enough = 3;  // entries

  bool any_has(std::int64_t entries) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [entries](const auto& column) { return column.second.entries >= entries; });
  }
  double ratio_of(std::int64_t min_entries) const {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const auto& [index, column] : columns_) {
      if (column.entries < min_entries) continue;
      least = std::min(least, column.largest);
      most = std::max(most, column.largest);
    }
    return most > 0 ? most / least : 1;
  }

  std::unordered_map<std::int32_t, Column> columns_;
};

// Measures planes of classes: psi of the truth minus psi of another class. For datasets with rows,
// the classes of the data are outputs of every example.
template <class ExampleOf>
void measure_planes(Problem& problem, const ExampleOf& example_of, std::int64_t count,
                    SparseAccumulator& scratch, ProblemShape& shape) {
  SparseSum sum(problem.dimension());
  ConfusedClasses classes;
  std::int64_t planes = 0;
  std::int64_t opposed = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const sculpt_labels truth = problem.dataset().truth(example_of(k));
    const sculpt_labels guess = problem.dataset().truth(example_of((k + count / 2) % count));
    if (truth.data[0] == guess.data[0]) continue;
    SparseVector one;
    SparseVector other;
    problem.features().vector(0, example_of(k), truth, Exit::data, scratch, one);
    try {
      problem.features().vector(0, example_of(k), guess, Exit::data, scratch, other);
    } catch (const Failure& failure) {
      if (failure.exit() == Exit::memory) throw;
      continue;  // some features accept only outputs of the example itself
    }
    classes.add(one, other);
    SparseVector plane;
    sum.subtract(one, other, 1, plane);
    shape.plane_entries += static_cast<double>(plane.index.size());
    const PlaneVector kept(plane);
    shape.plane_bytes += static_cast<double>(kept.bytes());
    opposed += kept.is_class_difference() ? 1 : 0;
    ++planes;
  }
  if (planes == 0) return;
  shape.plane_entries /= static_cast<double>(planes);
  shape.plane_bytes /= static_cast<double>(planes);
  shape.shares_input = 2 * opposed > planes;
  shape.confused = classes.part().value_or(ProblemShape().confused);
}

// Features usually have the same number of weights for every column of the data, and some weights
// that belong to no column.
std::int64_t weights_in_use(std::int64_t dimension, const DataColumns& columns) {
  if (columns.count == 0) return dimension;
  const std::int64_t of_each = dimension / columns.count;
  if (of_each == 0) return dimension;
  return columns.in_use * of_each + dimension % columns.count;
}

}  // namespace

ProblemShape shape_of(Problem& problem, const DataColumns& columns) {
  const ExampleList& training = problem.training();
  const std::int64_t count = std::min(training.size(), max_truths);
  const auto example_of = [&](std::int64_t k) { return training[k * training.size() / count]; };
  SparseAccumulator scratch(problem.dimension());
  ProblemShape shape;
  ColumnScaleRatio spread;
  bool same_size = true;
  std::int64_t size = -1;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t example = example_of(k);
    const sculpt_labels truth = problem.dataset().truth(example);
    same_size = same_size && (size < 0 || truth.size == size);
    size = truth.size;
    for (std::int64_t v = 0; v < truth.size; ++v) {
      shape.states = std::max(shape.states, 1.0 + truth.data[v]);
    }
    SparseVector psi;
    problem.features().vector(0, example, truth, Exit::data, scratch, psi);
    spread.add(psi);
    shape.labels += static_cast<double>(truth.size);
    shape.entries += static_cast<double>(psi.index.size());
    shape.psi_bytes += static_cast<double>(PlaneVector(psi).bytes());
  }
  for (double* mean : {&shape.labels, &shape.entries, &shape.psi_bytes}) {
    *mean /= static_cast<double>(count);
  }
  shape.label_sets = same_size && size > 1 && shape.states == 2;
  shape.relaxed = problem.oracle().relaxes();
  shape.column_spread = spread.ratio();
  shape.examples = training.size();
  shape.dimension = problem.dimension();
  shape.columns = weights_in_use(shape.dimension, columns);
  shape.has_bounds = !problem.nonnegative().empty();
  shape.joint_bytes = ProblemPlanes::joint_bytes(problem);
  if (same_size && size == 1 && DatasetRows(problem.dataset().component()).offered()) {
    measure_planes(problem, example_of, count, scratch, shape);
  }
  return shape;
}

std::int64_t estimated_peak(const ProblemShape& shape, const Solver& solver) {
  const ProcessMemory memory = process_memory();
  const double expected = solver.expected_bytes(shape);
  return std::max(memory.peak, memory.resident + static_cast<std::int64_t>(expected));
}

std::string to_need_less(const SolverDescriptor& kind, const Solver& solver) {
  if (!kind.takes(plane_limit)) return "fewer weights";
  return std::string("a smaller solver.") + plane_limit +
         ", fewer weights, or another solver\n  (" +
         (solver.traits().shares_slack
              ? "n_slack keeps sparse planes, perceptron and subgradient none)"
              : "perceptron and subgradient keep no planes)");
}

void require_memory(Problem& problem, const ProblemShape& shape, const SolverDescriptor& kind,
                    const Solver& solver, std::int64_t available) {
  const double least = solver.min_bytes(shape);
  const double expected = solver.expected_bytes(shape);
  const auto room = static_cast<double>(available);
  if (least <= room && expected <= hopeless * room) return;
  const std::string need =
      least > room ? "needs at least " + memory_text(static_cast<std::int64_t>(least))
                   : "is expected to take " + memory_text(static_cast<std::int64_t>(expected));
  const std::string weights = std::to_string(shape.dimension) + " weights of " +
                              problem.features().component().name() + ", " +
                              memory_text(static_cast<std::int64_t>(shape.vector_bytes())) +
                              " for each vector of them";
  throw Failure(
      Exit::memory,
      "the run " + need + ", and " + memory_text(available) + " are free: it has " + weights,
      width_advice(problem.dataset()) +
          std::string("\n  to need less: fewer features, labels or templates") +
          (kind.takes(plane_limit) ? std::string("; solver.") + plane_limit : "") +
          (solver.traits().shares_slack ? std::string("; n_slack in place of ") + kind.name : "") +
          ";\n  or give it more memory (ulimit -v, the limit of the container)");
}

std::vector<std::string> memory_warnings(const ProblemShape& shape, const SolverDescriptor& kind,
                                         const Solver& solver, std::int64_t available) {
  std::vector<std::string> warnings;
  const double expected = solver.expected_bytes(shape);
  const auto formulation = solver.formulation();
  if (solver.traits().shares_slack && formulation) {
    NSlackOptions by_example;
    by_example.formulation = *formulation;
    const double n_slack = NSlack(by_example).expected_bytes(shape);
    if (expected > large && expected > much_less * n_slack) {
      warnings.push_back(
          std::string(kind.name) + " sums up vectors as long as w, " +
          memory_text(static_cast<std::int64_t>(shape.vector_bytes())) +
          " each, and is expected to take " + memory_text(static_cast<std::int64_t>(expected)) +
          "; n_slack would take about " + memory_text(static_cast<std::int64_t>(n_slack)));
    }
  }
  if (inaccuracy * expected > static_cast<double>(available)) {
    const bool fits = expected <= static_cast<double>(available);
    warnings.push_back("the run is expected to take " +
                       memory_text(static_cast<std::int64_t>(expected)) +
                       (fits ? ", and only " : ", but ") + memory_text(available) + " are free; " +
                       (kind.takes(plane_limit) ? std::string("set solver.") + plane_limit
                                                : "take fewer features") +
                       ", or take another solver");
  }
  return warnings;
}

}  // namespace sculpt::core
