// Name, parameters and memory of one_slack. The algorithm is in one_slack.cpp.
#include <algorithm>
#include <cmath>
#include <sculpt/cpp/parameters.hpp>

#include "base/failure.hpp"
#include "qp/working_set/block_bytes.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"

namespace sculpt::core {
namespace {

// The cache of one_slack holds at most this many planes of an example, as measured.
constexpr double max_cached_planes = 13;

// Joint planes with alpha > 0, for this many weights, in runs of up to thousands of passes. With
// more weights their number grows as the fourth root. `idle_joint_planes`: the idle ones if none
// are dropped. Once the number of active planes is constant, every QP adds one plane and leaves one
// idle.
constexpr double active_joint_planes = 130;
constexpr double weights_of_active_planes = 4000;
constexpr double max_active_joint_planes = 500;
constexpr double idle_joint_planes = 250;

// If columns differ in size and y is one label, 380 to 510 planes of both kinds together. A pass
// then has many QPs over cached planes.
constexpr double active_planes_if_columns_differ = 200;
constexpr double idle_planes_per_age_if_columns_differ = 4;

}  // namespace

SolverTraits OneSlack::traits() const {
  return {.shares_slack = true,
          .updated_by = UpdateKind::qp,
          .caches_planes = options_.cache > 0,
          .limits_planes = options_.max_planes_megabytes.has_value(),
          .supports_kernels = true};
}

std::vector<MemoryPart> OneSlack::memory_parts(const ProblemStatistics& statistics) const {
  const bool is_sparse = has_few_columns(statistics);
  const double columns =
      is_sparse ? columns_of(statistics) : static_cast<double>(statistics.dimension);
  const double growth = std::pow(columns / weights_of_active_planes, 0.25);
  // At most the number of planes of the examples, and at most one more than the columns. Otherwise
  // the joint planes would depend on each other.
  const bool has_many_qps = statistics.labels <= 1 && columns_differ_in_size(statistics);
  const double usual_active = has_many_qps ? active_planes_if_columns_differ : active_joint_planes;
  const double active = std::min(
      {usual_active * std::max(1.0, growth), max_active_joint_planes,
       static_cast<double>(statistics.examples) * planes_of_example(statistics), columns + 1});
  const double idle_planes_per_age =
      has_many_qps && options_.cache > 0 ? idle_planes_per_age_if_columns_differ : 1;
  const double idle_by_age = static_cast<double>(options_.drop_after) * idle_planes_per_age;
  const double idle =
      options_.drop_after == 0 ? idle_joint_planes : std::min(idle_by_age, idle_joint_planes);
  // Without a cache a pass adds one plane.
  const double planes =
      options_.cache > 0 ? active + idle : planes_in_passes(active + idle, options_.stop);
  const double plane_bytes = is_sparse ? sparse_bytes(statistics) : statistics.vector_bytes();
  // The cache drops no idle planes. The planes of new answers are stored in addition to it.
  const double cached_planes = planes_in_passes(
      std::min(max_cached_planes, static_cast<double>(options_.cache)) + 1, options_.stop);
  const double cache_bytes =
      static_cast<double>(statistics.examples) * cached_planes * bytes_of_cached_plane(statistics);
  // PlaneOrigins: one byte for each example of every joint plane.
  const double origin_bytes =
      options_.formulation.is_hard_margin() ? planes * static_cast<double>(statistics.examples) : 0;
  // The evaluation point of the QP, and the joint plane of cached planes there.
  const double cache_vector_bytes = options_.cache > 0 ? 2 * statistics.vector_bytes() : 0;
  const double block =
      bytes_within_plane_limit(block_bytes(planes, plane_bytes, false), options_, plane_bytes);
  const double products = std::min(block, block_bytes(planes, 0, false));
  // Only the end of Newton steps: they are rarely used if the QP has a single block.
  const double vectors =
      bytes_of_vectors(statistics, options_.formulation, may_use_newton_steps(statistics));
  return {{"weights", vectors + cache_vector_bytes},
          {"kernel", bytes_of_kernel(statistics, options_.kernel_megabytes)},
          {"sums over the examples", static_cast<double>(statistics.joint_bytes) + origin_bytes},
          {"answers", options_.cache > 0 ? bytes_of_answers(statistics, answers_at_a_time) : 0},
          {"products of planes", products},
          {"joint planes", block - products, true},
          {"cached planes", options_.cache > 0 ? cache_bytes : 0, true}};
}

double OneSlack::min_bytes(const ProblemStatistics& statistics) const {
  return min_bytes_of_vectors(statistics) + static_cast<double>(statistics.joint_bytes);
}

namespace {

std::span<const sculpt_parameter> one_slack_parameters() {
  static const ParameterTable table =
      cutting_plane_parameters() +
      ParameterTable{
          integer_parameter(
              "cache", "5", 0, 1e9, "planes",
              "Planes stored for each example. Joint planes made of them replace oracle calls; 0: "
              "no cache."),
          integer_parameter(
              "cut_sample", "0", 0, 1e9, "examples",
              "Makes each joint plane of this many examples, drawn at random; 0: of all. The run "
              "then proves no gap."),
          sculpt::choice(
              "cut_sampling", "\"uniform\"", "uniform|importance",
              "How cut_sample draws: each example alike, or by its slack, which asks all "
              "examples in each pass."),
          drop_after_parameter("50"),
          kernel_megabytes_parameter(),
          warm_start_parameter(),
      };
  return table;
}

// Refuses keys that have no effect next to those of the sample. A cache of the default size passes:
// every key of a resolved experiment is set.
void require_fitting_sample(const OneSlackOptions& options) {
  if (!options.samples_cuts) {
    if (options.cut_sampling == CutSampling::uniform) return;
    throw Failure(
        Exit::config,
        "one_slack: \"cut_sampling\" needs \"cut_sample\" of at least 1; add it, or leave "
        "\"cut_sampling\" out");
  }
  require_slacks(options.formulation, "cut_sample", "a sample of the margins proves nothing");
  if (options.stop.epsilon) {
    throw Failure(Exit::config,
                  "one_slack: \"cut_sample\" does not support \"epsilon\", because a sample bounds "
                  "no violation; leave \"epsilon\" out, and set \"relative_gap\"");
  }
  if (options.cache != 0 && options.cache != OneSlackOptions().cache) {
    throw Failure(Exit::config,
                  "one_slack: \"cut_sample\" does not support \"cache\", because cached planes are "
                  "not those of a sample; leave one of the two out");
  }
}

}  // namespace

OneSlackOptions one_slack_options(std::span<const sculpt_value> values) {
  const ParameterValues named(one_slack_parameters(), values);
  OneSlackOptions options;
  fill_cutting_plane(named, options);
  options.cache = named.at("cache").integer;
  options.kernel_megabytes = named.at("kernel_megabytes").real;
  options.cut_sample = named.at("cut_sample").integer;
  options.cut_sampling =
      named.at("cut_sampling").integer == 1 ? CutSampling::importance : CutSampling::uniform;
  options.samples_cuts = options.cut_sample > 0;
  require_fitting_sample(options);
  if (options.samples_cuts) options.cache = 0;
  return options;
}

const SolverDescriptor& one_slack_descriptor() {
  static const SolverDescriptor descriptor{
      "one_slack",
      "Cutting planes, one slack for all examples (Joachims, Finley & Yu 2009). One dense plane a "
      "pass; more oracle calls; memory for about 200 vectors as long as w.",
      one_slack_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<OneSlack>(one_slack_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
