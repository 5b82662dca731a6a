// Tests of the map_solvers' extensions about all assignments: map-expectation, map-k-best and
// map-sample. They run on random small graphs of the classes that the solver demands. The reference
// is the distribution computed by listing all assignments.

#include <array>
#include <cmath>
#include <set>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/draw_frequencies.hpp"
#include "check/small_graphs/graph_distribution.hpp"
#include "check/small_graphs/map_distribution_test.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

using Lines = std::vector<std::string>;
using GraphMember = GraphDistribution::WeightedOutput;

constexpr double max_score_size = 1e6;  // exp() of larger scores amplifies rounding too much

// Error bound of exp() and log() of scores of that size.
double distribution_rounding(const GraphDistribution& exact) {
  return 1e-9 * (1 + exact.largest_terms().magnitude);
}

bool agree(double reported, double exact, double tolerance) {
  return reported == exact || std::abs(reported - exact) <= tolerance;
}

std::string assignments_text(const std::string& what, double reported, double exact) {
  return what + " " + exact_number_text(reported) + ", but all assignments give " +
         exact_number_text(exact);
}

// Returns a line about the first cell of theta that differs, or none.
Lines first_difference(const std::string& what, const std::vector<double>& reported,
                       const std::vector<double>& exact, double tolerance) {
  for (std::size_t c = 0; c < exact.size(); ++c) {
    if (agree(reported[c], exact[c], tolerance)) continue;
    return {assignments_text(what + " in cell " + std::to_string(c) + " of theta =", reported[c],
                             exact[c])};
  }
  return {};
}

// What is wrong with an approximation of E[z]: the marginals of each variable sum up to 1.
Lines fault_of_approximation(const std::string& name, const SmallGraph& graph,
                             const MapDistributionCaller::Mean& reported) {
  constexpr double tolerance = 1e-4;
  std::size_t cell = 0;
  for (std::size_t v = 0; v < graph.states.size(); ++v) {
    double sum = 0;
    for (std::int32_t k = 0; k < graph.states[v]; ++k) sum += reported.mu[cell++];
    if (std::abs(sum - 1) <= tolerance) continue;
    return {name + " gives probabilities of the states of variable " + std::to_string(v) +
            " that sum up to " + exact_number_text(sum)};
  }
  return {};
}

// log Z and E[z] agree with those of all assignments. Approximations are not compared.
void map_expectation_mean_test(TestFixture& fixture, TestContext& context) {
  MapDistributionTest<sculpt_ext_map_expectation> distribution_test(fixture, context,
                                                                    "map_expectation.mean");
  distribution_test.run([&](const SmallGraph& graph,
                            MapDistributionCaller& caller) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.largest_terms().magnitude > max_score_size) return Lines();
    const std::optional<MapDistributionCaller::Mean> reported = caller.mean(MapQueryData(graph));
    if (!reported) return std::nullopt;
    const double tolerance = distribution_rounding(exact);
    const double log_z = reported->log_z.value;
    if ((reported->log_z.flags & ~std::uint32_t{SCULPT_LOG_Z_EXACT}) != 0 ||
        reported->log_z.reserved != 0) {
      return Lines{distribution_test.name() + " sets unknown flags or `reserved` of log Z"};
    }
    const bool has_outputs = std::isfinite(log_z) && !exact.members().empty();
    if ((reported->log_z.flags & SCULPT_LOG_Z_EXACT) == 0 && has_outputs) {
      return fault_of_approximation(distribution_test.name(), graph, *reported);
    }
    if (!agree(log_z, exact.log_z(), tolerance)) {
      return Lines{
          assignments_text(distribution_test.name() + " gives log Z =", log_z, exact.log_z())};
    }
    if (exact.members().empty()) return Lines();
    return first_difference(distribution_test.name() + " gives E[z]", reported->mu, exact.mean(),
                            tolerance);
  });
}

// Returns a random direction: a multiple of 1/2 in each cell.
std::vector<double> direction_of(const SmallGraph& graph, Random& random) {
  std::vector<double> direction = graph.theta();
  for (double& cell : direction) cell = 0.5 * static_cast<double>(random.integer(-4, 4));
  return direction;
}

// Cov[z] v agrees with that of all assignments, for a random v.
void map_expectation_covariance_test(TestFixture& fixture, TestContext& context) {
  const char* const test = "map_expectation.covariance";
  MapDistributionTest<sculpt_ext_map_expectation> distribution_test(fixture, context, test);
  distribution_test.run([&](const SmallGraph& graph,
                            MapDistributionCaller& caller) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.largest_terms().magnitude > max_score_size || exact.members().empty()) return Lines();
    Random random = fixture.random(test);  // the same directions while a graph is made smaller
    const std::vector<double> direction = direction_of(graph, random);
    const auto reported = caller.covariance_times(MapQueryData(graph), direction);
    if (!reported) return std::nullopt;
    double size = 1;  // size of <direction, z>; the result averages its differences
    for (const double cell : direction) size += std::abs(cell);
    Lines lines =
        first_difference(distribution_test.name() + " gives Cov[z] v", *reported,
                         exact.covariance_times(direction), size * distribution_rounding(exact));
    if (lines.empty()) return lines;
    std::string v = "  v =";
    for (const double cell : direction) v += " " + exact_number_text(cell);
    lines.push_back(v);
    return lines;
  });
}

// Returns what is wrong with the answer of this rank, or "".
std::string rank_fault(const SmallGraph& graph, const GraphDistribution& exact, std::size_t rank,
                       const OwnedAnswer& answer, std::set<std::vector<std::int32_t>>& seen) {
  const std::string rank_text = "rank " + std::to_string(rank + 1) + " ";
  if (rank == exact.members().size()) {
    return answer.has_flag(SCULPT_ANSWER_NO_OUTPUT) ? "" : "gives more assignments than there are";
  }
  if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT))
    return rank_text + "is NO_OUTPUT, but there are more";
  const auto& members = exact.members();
  const auto own = std::find_if(members.begin(), members.end(), [&](const GraphMember& member) {
    return member.y == answer.labels;
  });
  const std::string answer_text = rank_text + labels_text(answer.labels);
  if (own == members.end()) return answer_text + " is no assignment";
  const double tolerance = 2 * exact.largest_terms().rounding();
  if (!agree(answer.value, own->score, tolerance)) {
    return answer_text + " has value " + exact_number_text(answer.value) + ", but its score is " +
           exact_number_text(graph.score(answer.labels));
  }
  if (!seen.insert(answer.labels).second) return answer_text + " was given before";
  return agree(answer.value, members[rank].score, tolerance)
             ? ""
             : assignments_text(rank_text + "has value", answer.value, members[rank].score);
}

// The assignments come by falling score, each once, and then NO_OUTPUT.
void map_k_best_order_test(TestFixture& fixture, TestContext& context) {
  MapDistributionTest<sculpt_ext_map_k_best> distribution_test(fixture, context,
                                                               "map_k_best.order");
  distribution_test.run(
      [&](const SmallGraph& graph, MapDistributionCaller& caller) -> std::optional<Lines> {
        const GraphDistribution exact(graph);
        const MapQueryData query(graph);
        if (!caller.begin_k_best(query)) return std::nullopt;
        std::set<std::vector<std::int32_t>> seen;
        for (std::size_t rank = 0; rank <= exact.members().size(); ++rank) {
          const std::string fault = rank_fault(graph, exact, rank, caller.next(), seen);
          if (!fault.empty()) return Lines{distribution_test.name() + ": " + fault};
        }
        return Lines();
      });
}

// log Z agrees with that of all assignments. Each is drawn as often as its probability.
void map_sample_draws_test(TestFixture& fixture, TestContext& context) {
  const char* const test = "map_sample.draws";
  MapDistributionTest<sculpt_ext_map_sample> distribution_test(fixture, context, test);
  Frequencies frequencies(fixture.random(test));
  distribution_test.run(
      [&](const SmallGraph& graph, MapDistributionCaller& caller) -> std::optional<Lines> {
        const GraphDistribution exact(graph);
        if (exact.largest_terms().magnitude > max_score_size) return Lines();
        const MapQueryData query(graph);
        const std::optional<double> log_z = caller.begin_sample(query);
        if (!log_z) return std::nullopt;
        if (!agree(*log_z, exact.log_z(), distribution_rounding(exact))) {
          return Lines{
              assignments_text(distribution_test.name() + " gives log Z =", *log_z, exact.log_z())};
        }
        if (exact.members().empty()) return Lines();
        std::vector<Frequencies::Share> shares;
        for (const GraphMember& member : exact.members())
          shares.push_back({&member.y, member.probability});
        const std::string fault =
            frequencies.fault(shares, [&](std::uint64_t seed) { return caller.draw(seed); });
        return fault.empty() ? Lines() : Lines{distribution_test.name() + " " + fault};
      });
  const std::string fault = frequencies.fault_of_all();
  if (!fault.empty()) context.fail(distribution_test.name() + " " + fault);
}

}  // namespace

std::span<const ExperimentTest> map_distribution_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"map_expectation.mean", map_expectation_mean_test},
       {"map_expectation.covariance", map_expectation_covariance_test},
       {"map_k_best.order", map_k_best_order_test},
       {"map_sample.draws", map_sample_draws_test}}};
  return tests;
}

}  // namespace sculpt::core
