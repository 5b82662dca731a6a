// Name, parameters and memory of frank_wolfe. The algorithm is in frank_wolfe.cpp.
#include <algorithm>
#include <sculpt/cpp/parameters.hpp>
#include <string>

#include "base/failure.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"

namespace sculpt::core {

SolverTraits FrankWolfe::traits() const {
  return {.asks_one_by_one = options_.batch == 1,
          .updated_by = UpdateKind::steps_to_planes,
          .limits_planes = options_.max_planes_megabytes.has_value(),
          .supports_kernels = true};
}

std::vector<MemoryPart> FrankWolfe::memory_parts(const ProblemStatistics& statistics) const {
  const double mean_bytes = options_.averaging ? statistics.vector_bytes() : 0;
  const double usual_planes = std::min(planes_of_example(statistics),
                                       min_planes_of_example + static_cast<double>(options_.cache));
  const double planes = planes_in_passes(usual_planes, options_.stop);
  const auto n = static_cast<double>(statistics.examples);
  const double newton_bytes = bytes_of_newton(statistics, n * planes, entries_of_plane(statistics));
  const std::int64_t answers = max_answers_in_memory(batch_of(statistics, options_.batch));
  const bool query_point_is_not_w = newton_bytes > 0 || options_.averaging;
  const double vectors = bytes_of_vectors(statistics, options_.formulation, query_point_is_not_w);
  std::vector<MemoryPart> parts = parts_of_blocks(statistics, options_, planes);
  parts.insert(parts.begin(), {{"weights", vectors + mean_bytes},
                               {"kernel", bytes_of_kernel(statistics, options_.kernel_megabytes)},
                               {"answers", bytes_of_answers(statistics, answers)},
                               {"Newton steps", newton_bytes}});
  return parts;
}

double FrankWolfe::min_bytes(const ProblemStatistics& statistics) const {
  return min_bytes_of_vectors(statistics);
}

namespace {

[[noreturn]] void refuse_norm_2(const std::string& what, const std::string& advice) {
  throw Failure(Exit::config, "frank_wolfe does not support " + what +
                                  " with \"slack_norm\": 2, because alpha has no upper bound; " +
                                  advice);
}

std::span<const sculpt_parameter> frank_wolfe_parameters() {
  static const ParameterTable table =
      formulation_parameters(c_summary_with_slacks) + target_parameters() +
      limit_parameters("null") +
      ParameterTable{
          sculpt::choice(
              "step", "\"pairwise\"", "pairwise|toward",
              "Where a step takes alpha from. pairwise: one plane. toward (the paper of 2013): all "
              "planes in proportion."),
          sculpt::choice("sampling", "\"gap\"", "gap|shuffled",
                         "gap: draw examples in proportion to their gaps. shuffled: each once a "
                         "pass, in random order."),
          integer_parameter(
              "gap_check", "10", 1, max_exact_count, "passes",
              "Every this many passes, ask about all examples at one w. Only such a pass proves a "
              "gap."),
          integer_parameter(
              "cache", "10", 0, 1e9, "planes",
              "Planes with alpha = 0 kept for each example. Steps to them replace oracle calls; 0: "
              "no cache."),
          sculpt::boolean("averaging", "false",
                          "Prove the primal at the weighted mean of all w. Early in a run it is "
                          "better than the "
                          "last w."),
          batch_parameter(),
          max_planes_parameter(),
          kernel_megabytes_parameter(),
          warm_start_parameter(),
      };
  return table;
}

}  // namespace

FrankWolfeOptions frank_wolfe_options(std::span<const sculpt_value> values) {
  const ParameterValues named(frank_wolfe_parameters(), values);
  FrankWolfeOptions options;
  options.formulation = formulation_of(named);
  fill_limits(named, options.stop);
  fill_targets(named, options.stop);
  options.max_planes_megabytes = named.optional_real("max_planes_megabytes");
  options.kernel_megabytes = named.at("kernel_megabytes").real;
  options.step = named.at("step").integer == 1 ? FrankWolfeStep::toward : FrankWolfeStep::pairwise;
  options.samples_by_gaps = named.at("sampling").integer == 0;
  options.gap_check = named.at("gap_check").integer;
  options.cache = static_cast<std::size_t>(named.at("cache").integer);
  options.averaging = named.at("averaging").integer == 1;
  options.batch = named.at("batch").integer;
  require_slacks(options.formulation, "frank_wolfe", "the length of its steps needs a finite C");
  if (options.formulation.slack_norm == 2 && options.step == FrankWolfeStep::toward) {
    refuse_norm_2("\"step\": \"toward\"", "use \"pairwise\"");
  }
  if (options.formulation.slack_norm == 2 && options.averaging) {
    refuse_norm_2("\"averaging\"", "leave it out");
  }
  return options;
}

const SolverDescriptor& frank_wolfe_descriptor() {
  static const SolverDescriptor descriptor{
      "frank_wolfe",
      "Block-coordinate Frank-Wolfe (Lacoste-Julien et al. 2013, Osokin et al. 2016). Each step "
      "changes the block of one example; no QP.",
      frank_wolfe_parameters(),
      [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<FrankWolfe>(frank_wolfe_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
