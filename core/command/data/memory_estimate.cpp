#include "command/data/memory_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/infinity.hpp"
#include "base/memory/process_memory.hpp"
#include "command/data/confused_classes.hpp"
#include "linalg/sparse_sum.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/dimension.hpp"
#include "problem/oracle/cell_expectations.hpp"
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
constexpr double min_warned_bytes = 1e8;
constexpr double min_warned_ratio = 3;

// A run is refused if it needs this many times the free memory. Estimates were within 25 % of the
// peak. The exception was a taxonomy, with an estimate one third too low.
constexpr double refusal_factor = 2;
// Warns about a run that does not fit with this factor.
constexpr double warning_factor = 1.25;

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
  double ratio() const { return any_has(min_entries) ? ratio_of(min_entries) : ratio_of(1); }

 private:
  struct Column {
    double largest = 0;
    std::int64_t entries = 0;
  };
  static constexpr std::int64_t min_entries = 3;

  bool any_has(std::int64_t entries) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [entries](const auto& column) { return column.second.entries >= entries; });
  }
  double ratio_of(std::int64_t entries) const {
    double smallest = infinity;
    double largest = 0;
    for (const auto& [index, column] : columns_) {
      if (column.entries < entries) continue;
      smallest = std::min(smallest, column.largest);
      largest = std::max(largest, column.largest);
    }
    return largest > 0 ? largest / smallest : 1;
  }

  std::unordered_map<std::int32_t, Column> columns_;
};

// Measures planes of classes: psi of the truth minus psi of another class. For datasets with rows,
// the classes of the data are outputs of every example.
template <class ExampleOf, class PlaneWeightOf>
void measure_planes(Problem& problem, const ExampleOf& example_of,
                    const PlaneWeightOf& plane_weight_of, std::int64_t count,
                    SparseAccumulator& scratch, ProblemStatistics& statistics) {
  SparseSum sum(problem.dimension());
  ConfusedClasses classes;
  std::int64_t planes = 0;
  std::int64_t class_differences = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const sculpt_labels truth = problem.dataset().truth(example_of(k));
    const sculpt_labels guess = problem.dataset().truth(example_of((k + count / 2) % count));
    if (truth.data[0] == guess.data[0]) continue;
    SparseVector truth_vector;
    SparseVector guess_vector;
    problem.features().vector(0, example_of(k), truth, Exit::data, scratch, truth_vector);
    try {
      problem.features().vector(0, example_of(k), guess, Exit::data, scratch, guess_vector);
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;
      continue;  // some features accept only outputs of the example itself
    }
    classes.add(truth_vector, guess_vector);
    SparseVector plane;
    sum.subtract(truth_vector, guess_vector, plane_weight_of(k), plane);
    statistics.plane_entries += static_cast<double>(plane.index.size());
    const PlaneVector plane_vector(plane);
    statistics.plane_bytes += static_cast<double>(plane_vector.bytes());
    class_differences += plane_vector.is_class_difference() ? 1 : 0;
    ++planes;
  }
  if (planes == 0) return;
  statistics.plane_entries /= static_cast<double>(planes);
  statistics.plane_bytes /= static_cast<double>(planes);
  statistics.shares_input = 2 * class_differences > planes;
  statistics.confused_fraction =
      classes.confused_fraction().value_or(ProblemStatistics().confused_fraction);
}

// Features usually have the same number of weights for every column of the data, and some weights
// that belong to no column.
std::int64_t weights_in_use(std::int64_t dimension, const DataColumns& columns) {
  if (columns.count == 0) return dimension;
  const std::int64_t weights_per_column = dimension / columns.count;
  if (weights_per_column == 0) return dimension;
  return columns.in_use * weights_per_column + dimension % columns.count;
}

// The positions of the training examples that the oracle is asked about: weight 0 has no planes.
std::vector<std::int64_t> asked_positions(const Problem& problem) {
  const std::span<const double> weights = problem.example_weights();
  std::vector<std::int64_t> positions;
  for (std::int64_t k = 0; k < problem.training().size(); ++k) {
    if (weights.empty() || weights[static_cast<std::size_t>(k)] != 0) positions.push_back(k);
  }
  return positions;
}

// The examples that are read to estimate: of a cache, a rank reads its own part only.
Range part_of_rank(Problem& problem, std::int64_t count) {
  const Ranks* const ranks = problem.cache_file() != nullptr ? problem.ranks() : nullptr;
  if (ranks == nullptr || count < ranks->count()) return {0, count};
  return {begin_of_part(count, ranks->count(), ranks->rank()),
          begin_of_part(count, ranks->count(), ranks->rank() + 1)};
}

}  // namespace

ProblemStatistics statistics_of(Problem& problem, const DataColumns& columns) {
  const ExampleList& training = problem.training();
  const std::vector<std::int64_t> asked = asked_positions(problem);
  const Range part = part_of_rank(problem, std::ssize(asked));
  const auto count = std::min(part.size(), max_truths);
  const auto position_of = [&](std::int64_t k) {
    return asked[static_cast<std::size_t>(part.begin + k * part.size() / count)];
  };
  const auto example_of = [&](std::int64_t k) { return training[position_of(k)]; };
  // The factor of planes. Values that are not exact as floats take more bytes.
  const auto plane_weight_of = [&](std::int64_t k) {
    const std::span<const double> weights = problem.example_weights();
    if (weights.empty() || !problem.has_planes()) return 1.0;
    return problem.formulation().plane_weight(weights[static_cast<std::size_t>(position_of(k))]);
  };
  SparseAccumulator scratch(problem.dimension());
  ProblemStatistics statistics;
  ColumnScaleRatio scale_ratio;
  Expectations* const expectations = problem.oracle().expectations();
  CellExpectations* const cells = expectations == nullptr ? nullptr : expectations->cells();
  bool same_size = true;
  std::int64_t size = -1;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t example = example_of(k);
    const sculpt_labels truth = problem.dataset().truth(example);
    same_size = same_size && (size < 0 || truth.size == size);
    size = truth.size;
    for (std::int64_t v = 0; v < truth.size; ++v) {
      statistics.states = std::max(statistics.states, 1.0 + truth.data[v]);
    }
    if (cells != nullptr) statistics.cells += static_cast<double>(cells->cell_count(0, example));
    SparseVector psi;
    problem.features().vector(0, example, truth, Exit::data, scratch, psi);
    scale_ratio.add(psi);
    statistics.labels += static_cast<double>(truth.size);
    statistics.entries += static_cast<double>(psi.index.size());
    for (double& value : psi.value) value *= plane_weight_of(k);
    statistics.psi_bytes += static_cast<double>(PlaneVector(psi).bytes());
  }
  for (double* mean :
       {&statistics.labels, &statistics.entries, &statistics.psi_bytes, &statistics.cells}) {
    *mean /= static_cast<double>(count);
  }
  statistics.has_label_sets = same_size && size > 1 && statistics.states == 2;
  statistics.has_relaxed_answers = problem.oracle().relaxes();
  statistics.column_spread = scale_ratio.ratio();
  statistics.examples = std::ssize(asked);
  statistics.dimension = problem.trained_dimension();
  if (const ProblemKernel* const kernel = problem.kernel()) {
    statistics.kernel_atoms = kernel->layout().training_count();
    for (std::int64_t k = 0; k < training.size(); ++k) {
      const auto atoms = static_cast<double>(kernel->atoms_of_training(k).size());
      statistics.kernel_pairs += atoms * atoms;
    }
  }
  if (problem.kernel() == nullptr) {
    statistics.columns = weights_in_use(statistics.dimension, columns);
  }
  statistics.has_bounds = !problem.nonnegative().empty();
  statistics.joint_bytes = ProblemPlanes::joint_bytes(problem);
  if (same_size && size == 1 && DatasetRows(problem.dataset().component()).is_offered()) {
    measure_planes(problem, example_of, plane_weight_of, count, scratch, statistics);
  }
  return statistics;
}

std::int64_t estimated_peak(double expected) {
  const ProcessMemory memory = process_memory();
  return std::max(memory.peak, memory.resident + static_cast<std::int64_t>(expected));
}

std::string memory_advice(const SolverDescriptor& descriptor, const Solver& solver) {
  if (!descriptor.has_parameter(plane_limit)) return "fewer weights";
  return std::string("a smaller solver.") + plane_limit +
         ", fewer weights, or another solver\n  (" +
         (solver.traits().shares_slack
              ? "n_slack keeps sparse planes; perceptron and subgradient keep none)"
              : "perceptron and subgradient keep no planes)");
}

void require_memory(Problem& problem, const ProblemStatistics& statistics,
                    const SolverDescriptor& descriptor, const Solver& solver, double expected,
                    std::int64_t available) {
  const double least = solver.min_bytes(statistics);
  const auto free_bytes = static_cast<double>(available);
  if (least <= free_bytes && expected <= refusal_factor * free_bytes) return;
  const std::string need =
      least > free_bytes
          ? "needs at least " + memory_text(static_cast<std::int64_t>(least))
          : "is expected to take " + memory_text(static_cast<std::int64_t>(expected));
  const std::string weights = std::to_string(statistics.dimension) + " weights of " +
                              problem.features().component().name() + ", " +
                              memory_text(static_cast<std::int64_t>(statistics.vector_bytes())) +
                              " for each vector of weights";
  throw Failure(
      Exit::memory,
      "the run " + need + ", but " + memory_text(available) + " are free; it has " + weights,
      width_advice(problem.dataset()) +
          std::string("\n  to use less memory: fewer features, labels or templates") +
          (descriptor.has_parameter(plane_limit) ? std::string("; a limit by solver.") + plane_limit
                                                 : "") +
          (solver.traits().shares_slack
               ? std::string("; the solver n_slack instead of ") + descriptor.name
               : "") +
          ";\n  or allow more memory (ulimit -v, the limit of the container)");
}

std::vector<std::string> memory_warnings(const ProblemStatistics& statistics,
                                         const SolverDescriptor& descriptor, const Solver& solver,
                                         double expected, std::int64_t available) {
  std::vector<std::string> warnings;
  const auto formulation = solver.formulation();
  if (solver.traits().shares_slack && formulation) {
    NSlackOptions n_slack_options;
    n_slack_options.formulation = *formulation;
    const double n_slack = NSlack(n_slack_options).expected_bytes(statistics);
    if (expected > min_warned_bytes && expected > min_warned_ratio * n_slack) {
      warnings.push_back(
          std::string(descriptor.name) + " keeps planes as long as w, " +
          memory_text(static_cast<std::int64_t>(statistics.vector_bytes())) +
          " each, and is expected to take " + memory_text(static_cast<std::int64_t>(expected)) +
          "; the solver n_slack takes about " + memory_text(static_cast<std::int64_t>(n_slack)));
    }
  }
  if (warning_factor * expected > static_cast<double>(available)) {
    const bool fits = expected <= static_cast<double>(available);
    warnings.push_back(
        "the run is expected to take " + memory_text(static_cast<std::int64_t>(expected)) +
        (fits ? ", and only " : ", but ") + memory_text(available) + " are free; " +
        (descriptor.has_parameter(plane_limit) ? std::string("set solver.") + plane_limit
                                               : "use fewer features") +
        ", or use another solver");
  }
  return warnings;
}

}  // namespace sculpt::core
