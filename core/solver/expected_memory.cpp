#include "solver/expected_memory.hpp"

#include <algorithm>
#include <cmath>

#include "qp/block_memory.hpp"
#include "solver/separator.hpp"

namespace sculpt::core {
namespace {

constexpr double number = sizeof(double);

// Planes of an example at most, where those that lie idle for 20 passes are dropped: 1 (easy data)
// to 3 where y is one label, 10 to 16 where it is a sequence. C hardly matters.
constexpr double fewest_planes = 2.3;
constexpr double planes_per_label = 3;
constexpr double most_planes = 13;

// Joint planes that are kept, of passes that may be thousands.
constexpr double joint_planes = 200;

// The best w is kept without its zeros, of which there are many where weights are many.
constexpr double share_of_best = 0.25;

// Answers of n_slack are kept for so many examples at a time.
constexpr double answers = 1024;
constexpr double answer_entry = sizeof(double) + sizeof(std::int32_t);

// Where planes that lie idle are dropped sooner than by default there are fewer: half after a
// quarter of the passes. 0 keeps all.
double share_kept(std::int64_t drop_after, std::int64_t by_default) {
  if (drop_after == 0) return 2;
  const double sooner = static_cast<double>(drop_after) / static_cast<double>(by_default);
  return std::clamp(std::sqrt(sooner), 0.25, 2.0);
}

// Entries of psi(x, y_i) - psi(x, y) against those of psi(x, y_i): a label that is wrong leaves the
// features of both, and the longer y is the fewer of its labels are. 1.1 for words of 5 letters,
// 0.5 for sentences of 24.
double plane_per_psi(const ProblemShape& shape) {
  return 2 / std::pow(std::max(1.0, shape.labels), 0.4);
}

// w and scratch; beta under bounds; the best w, and the place where it is not w.
double vectors(const ProblemShape& shape, const Formulation& formulation) {
  const bool has_place = formulation.hard_margin() || formulation.squares_slacks();
  const double count = 2 + share_of_best + (shape.has_bounds ? 1 : 0) + (has_place ? 1 : 0);
  return count * number * static_cast<double>(shape.dimension);
}

}  // namespace

double expected_bytes(const ProblemShape& shape, const NSlackOptions& options) {
  const auto n = static_cast<double>(shape.examples);
  const double further_labels = std::max(0.0, shape.labels - 1);
  const double planes = std::min(fewest_planes + planes_per_label * further_labels, most_planes) *
                        share_kept(options.drop_after, NSlackOptions().drop_after);
  const double at_a_time = std::min(n, answers);
  return vectors(shape, options.formulation) +
         n * block_bytes(planes, plane_per_psi(shape) * shape.psi_bytes) +
         at_a_time * (sizeof(Separation) + plane_per_psi(shape) * shape.entries * answer_entry);
}

double expected_bytes(const ProblemShape& shape, const OneSlackOptions& options) {
  const double planes = joint_planes * share_kept(options.drop_after, OneSlackOptions().drop_after);
  return vectors(shape, options.formulation) + static_cast<double>(shape.joint_bytes) +
         block_bytes(planes, number * static_cast<double>(shape.dimension));
}

}  // namespace sculpt::core
