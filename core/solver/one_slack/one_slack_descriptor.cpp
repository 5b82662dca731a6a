// What one_slack is called, takes and needs; the algorithm is one_slack.cpp.
#include <algorithm>
#include <cmath>

#include "qp/working_set/block_bytes.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"

namespace sculpt::core {
namespace {

// Of these the cache of one_slack has seen as many.
constexpr double most_cached = 13;

// Joint planes that carry alpha, of passes that may be thousands, for so many weights: with more of
// them they grow as the fourth root. And those that are kept where none are dropped. Once their
// number stands, every QP adds a plane and leaves one idle.
constexpr double active_joint_planes = 130;
constexpr double weights_of_these = 4000;
constexpr double most_active_joint_planes = 500;
constexpr double idle_joint_planes = 250;

// Where columns differ in size and y is one label, 380 to 510 of both kinds together: a pass has
// many QPs over cached planes.
constexpr double active_if_hard = 200;
constexpr double idle_per_age_if_hard = 4;

}  // namespace

SolverTraits OneSlack::traits() const {
  return {.shares_slack = true,
          .updated_by = UpdateKind::qp,
          .caches_planes = options_.cache > 0,
          .limits_planes = options_.max_planes_megabytes.has_value()};
}

double OneSlack::expected_bytes(const ProblemShape& shape) const {
  const bool is_sparse = has_few_columns(shape);
  const double columns = is_sparse ? columns_of(shape) : static_cast<double>(shape.dimension);
  const double growth = std::pow(columns / weights_of_these, 0.25);
  // No more than there are planes of the examples that they are means of, nor than there are
  // columns: the others would depend on them.
  const bool is_hard = shape.labels <= 1 && differ_in_size(shape);
  const double usual = is_hard ? active_if_hard : active_joint_planes;
  const double active =
      std::min({usual * std::max(1.0, growth), most_active_joint_planes,
                static_cast<double>(shape.examples) * planes_of_example(shape), columns + 1});
  const double age = static_cast<double>(options_.drop_after) *
                     (is_hard && options_.cache > 0 ? idle_per_age_if_hard : 1);
  const double idle =
      options_.drop_after == 0 ? idle_joint_planes : std::min(age, idle_joint_planes);
  const double planes = active + idle;
  const double plane = is_sparse ? sparse_bytes(shape) : shape.vector_bytes();
  // None is dropped for lying idle, and what an answer adds is held beside what is kept.
  const double kept = std::min(most_cached, static_cast<double>(options_.cache)) + 1;
  const double cached = static_cast<double>(shape.examples) * kept * bytes_of_cached_plane(shape) +
                        bytes_of_answers(shape, answers_at_a_time);
  // Of every joint plane, whose it is: a byte for each example.
  const double origins =
      options_.formulation.hard_margin() ? planes * static_cast<double>(shape.examples) : 0;
  // The place that the cache is asked at, and the planes of it that are joined there.
  const double of_cache = options_.cache > 0 ? 2 * shape.vector_bytes() : 0;
  // The place of Newton steps alone: these rarely take part where the QP has a single block.
  return bytes_of_vectors(shape, options_.formulation, may_take_newton_steps(shape)) + of_cache +
         static_cast<double>(shape.joint_bytes) + origins + (options_.cache > 0 ? cached : 0) +
         within_limit(block_bytes(planes, plane, false), options_, plane);
}

double OneSlack::least_bytes(const ProblemShape& shape) const {
  return least_bytes_of_vectors(shape) + static_cast<double>(shape.joint_bytes);
}

namespace {

std::span<const sculpt_parameter> one_slack_parameters() {
  static const ParameterTable table =
      cutting_plane_parameters() +
      ParameterTable{
          integer_parameter(
              "cache", "5", 0, 1e9, "planes",
              "Planes kept for each example, to make joint planes of in place of oracle calls; 0 "
              "always asks."),
          drop_after_parameter("50"),
          warm_start_parameter(),
      };
  return table;
}

}  // namespace

OneSlackOptions one_slack_options(std::span<const sculpt_value> values) {
  const ParameterValues named(one_slack_parameters(), values);
  OneSlackOptions options;
  fill_cutting_plane(named, options);
  options.cache = named.at("cache").integer;
  return options;
}

const SolverDescriptor& one_slack_descriptor() {
  static const SolverDescriptor descriptor{
      "one_slack",
      "Cutting planes, one slack for all examples (Joachims, Finley & Yu 2009): one dense plane a "
      "pass, more oracle calls; memory for some 200 vectors as long as w.",
      one_slack_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<OneSlack>(one_slack_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
