// Name, parameters and memory of n_slack. The algorithm is in n_slack.cpp.
#include "solver/answers_at_a_time.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"

namespace sculpt::core {

SolverTraits NSlack::traits() const {
  return {.asks_one_by_one = options_.batch == 1,
          .updated_by = UpdateKind::qp,
          .limits_planes = options_.max_planes_megabytes.has_value(),
          .supports_kernels = true};
}

std::vector<MemoryPart> NSlack::memory_parts(const ProblemStatistics& statistics) const {
  const auto n = static_cast<double>(statistics.examples);
  const double usual_planes = planes_of_example(statistics) *
                              kept_planes_factor(options_.drop_after, NSlackOptions().drop_after);
  const double planes = adds_several_planes(statistics)
                            ? usual_planes
                            : planes_in_passes(usual_planes, options_.stop);
  const double newton_bytes = bytes_of_newton(statistics, n * planes, entries_of_plane(statistics));
  std::vector<MemoryPart> parts = parts_of_blocks(statistics, options_, planes);
  parts.insert(parts.begin(),
               {{"weights", bytes_of_vectors(statistics, options_.formulation, newton_bytes > 0)},
                {"kernel", bytes_of_kernel(statistics, options_.kernel_megabytes)},
                {"answers", bytes_of_answers(statistics, max_answers_in_memory(options_.batch))},
                {"Newton steps", newton_bytes}});
  return parts;
}

double NSlack::min_bytes(const ProblemStatistics& statistics) const {
  return min_bytes_of_vectors(statistics);
}

namespace {

std::span<const sculpt_parameter> n_slack_parameters() {
  static const ParameterTable table =
      cutting_plane_parameters() +
      ParameterTable{
          batch_parameter(),
          real_parameter(
              "frozen_below", "0.3", 0, 1, nullptr,
              "Once the gap is below this fraction of the primal, each pass asks about all "
              "examples at one w."),
          drop_after_parameter("20"),
          kernel_megabytes_parameter(),
          warm_start_parameter(),
      };
  return table;
}

}  // namespace

NSlackOptions n_slack_options(std::span<const sculpt_value> values) {
  const ParameterValues named(n_slack_parameters(), values);
  NSlackOptions options;
  fill_cutting_plane(named, options);
  options.batch = named.at("batch").integer;
  options.frozen_below = named.at("frozen_below").real;
  options.kernel_megabytes = named.at("kernel_megabytes").real;
  return options;
}

const SolverDescriptor& n_slack_descriptor() {
  static const SolverDescriptor descriptor{
      "n_slack",
      "Cutting planes, one slack for each example (Tsochantaridis et al. 2005). Few oracle calls; "
      "keeps planes while they are useful.",
      n_slack_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<NSlack>(n_slack_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
