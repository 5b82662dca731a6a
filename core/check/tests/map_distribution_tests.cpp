// Tests of the map_solvers' draft extensions about all assignments: map-expectation, map-k-best and
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
  return 1e-9 * (1 + exact.largest_terms().size);
}

bool same(double told, double exact, double tolerance) {
  return told == exact || std::abs(told - exact) <= tolerance;
}

std::string assignments_text(const std::string& what, double told, double exact) {
  return what + " " + exact_number_text(told) + ", by all assignments " + exact_number_text(exact);
}

// Returns a line about the first cell of theta that differs, or none.
Lines first_difference(const std::string& what, const std::vector<double>& told,
                       const std::vector<double>& exact, double tolerance) {
  for (std::size_t c = 0; c < exact.size(); ++c) {
    if (same(told[c], exact[c], tolerance)) continue;
    return {assignments_text(what + " is in cell " + std::to_string(c) + " of theta", told[c],
                             exact[c])};
  }
  return {};
}

void map_expectation_mean_test(TestFixture& fixture, TestContext& context) {
  MapDistributionTrial<sculpt_ext_map_expectation> trial(fixture, context, "map_expectation.mean");
  trial.run([&](const SmallGraph& graph, MapDistributionCaller& use) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.largest_terms().size > max_score_size) return Lines();
    const std::optional<MapDistributionCaller::Mean> told = use.mean(MapQueryData(graph));
    if (!told) return std::nullopt;
    const double tolerance = distribution_rounding(exact);
    if (!same(told->log_z, exact.log_z(), tolerance)) {
      return Lines{assignments_text(trial.name() + " says log Z is", told->log_z, exact.log_z())};
    }
    if (exact.members().empty()) return Lines();
    return first_difference(trial.name() + " says E[z]", told->mu, exact.mean(), tolerance);
  });
}

// Returns a random direction: a multiple of 1/2 in each cell.
std::vector<double> direction_of(const SmallGraph& graph, Random& random) {
  std::vector<double> direction = graph.theta();
  for (double& cell : direction) cell = 0.5 * static_cast<double>(random.integer(-4, 4));
  return direction;
}

void map_expectation_covariance_test(TestFixture& fixture, TestContext& context) {
  const char* const test = "map_expectation.covariance";
  MapDistributionTrial<sculpt_ext_map_expectation> trial(fixture, context, test);
  trial.run([&](const SmallGraph& graph, MapDistributionCaller& use) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.largest_terms().size > max_score_size || exact.members().empty()) return Lines();
    Random random = fixture.random(test);  // the same directions while a graph is made smaller
    const std::vector<double> direction = direction_of(graph, random);
    const auto told = use.covariance_times(MapQueryData(graph), direction);
    if (!told) return std::nullopt;
    double size = 1;  // size of <direction, z>; the result averages its differences
    for (const double cell : direction) size += std::abs(cell);
    Lines lines =
        first_difference(trial.name() + " says Cov[z] v", *told, exact.covariance_times(direction),
                         size * distribution_rounding(exact));
    if (lines.empty()) return lines;
    std::string v = "  v =";
    for (const double cell : direction) v += " " + exact_number_text(cell);
    lines.push_back(v);
    return lines;
  });
}

// Returns what is wrong with the answer of this rank, or "".
std::string rank_fault(const SmallGraph& graph, const GraphDistribution& exact, std::size_t rank,
                       const OwnedAnswer& reply, std::set<std::vector<std::int32_t>>& seen) {
  const std::string place = "rank " + std::to_string(rank + 1) + " ";
  if (rank == exact.members().size()) {
    return reply.has(SCULPT_ANSWER_NO_OUTPUT) ? "" : "finds more assignments than there are";
  }
  if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) return place + "is NO_OUTPUT, but there are more";
  const auto& members = exact.members();
  const auto own = std::find_if(members.begin(), members.end(),
                                [&](const GraphMember& one) { return one.y == reply.labels; });
  const std::string answer = place + labels_text(reply.labels);
  if (own == members.end()) return answer + " is no assignment";
  const double tolerance = 2 * exact.largest_terms().rounding();
  if (!same(reply.value, own->score, tolerance)) {
    return answer + " has value " + exact_number_text(reply.value) + ", its score is " +
           exact_number_text(graph.score(reply.labels));
  }
  if (!seen.insert(reply.labels).second) return answer + " came before";
  return same(reply.value, members[rank].score, tolerance)
             ? ""
             : assignments_text(place + "has value", reply.value, members[rank].score);
}

void map_k_best_order_test(TestFixture& fixture, TestContext& context) {
  MapDistributionTrial<sculpt_ext_map_k_best> trial(fixture, context, "map_k_best.order");
  trial.run([&](const SmallGraph& graph, MapDistributionCaller& use) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    const MapQueryData posed(graph);
    if (!use.begin_k_best(posed)) return std::nullopt;
    std::set<std::vector<std::int32_t>> seen;
    for (std::size_t rank = 0; rank <= exact.members().size(); ++rank) {
      const std::string wrong = rank_fault(graph, exact, rank, use.next(), seen);
      if (!wrong.empty()) return Lines{trial.name() + ": " + wrong};
    }
    return Lines();
  });
}

void map_sample_draws_test(TestFixture& fixture, TestContext& context) {
  const char* const test = "map_sample.draws";
  MapDistributionTrial<sculpt_ext_map_sample> trial(fixture, context, test);
  Frequencies frequencies(fixture.random(test));
  trial.run([&](const SmallGraph& graph, MapDistributionCaller& use) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.largest_terms().size > max_score_size) return Lines();
    const MapQueryData posed(graph);
    const std::optional<double> log_z = use.begin_sample(posed);
    if (!log_z) return std::nullopt;
    if (!same(*log_z, exact.log_z(), distribution_rounding(exact))) {
      return Lines{assignments_text(trial.name() + " says log Z is", *log_z, exact.log_z())};
    }
    if (exact.members().empty()) return Lines();
    std::vector<Frequencies::Share> shares;
    for (const GraphMember& member : exact.members())
      shares.push_back({&member.y, member.probability});
    const std::string wrong =
        frequencies.fault(shares, [&](std::uint64_t seed) { return use.draw(seed); });
    return wrong.empty() ? Lines() : Lines{trial.name() + " " + wrong};
  });
  const std::string wrong = frequencies.fault_of_all();
  if (!wrong.empty()) context.fail(trial.name() + " " + wrong);
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
