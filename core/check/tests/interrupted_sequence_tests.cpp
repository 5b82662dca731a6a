// Tests of call sequences of map_solvers (k_best.next, sample.draw) that another call on the
// session interrupts. After it, they must refuse or still be right.

#include <array>
#include <cmath>
#include <set>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/small_graphs/graph_distribution.hpp"
#include "check/small_graphs/map_distribution_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

using Lines = std::vector<std::string>;

// Returns the same graph with -theta: the best assignment is the worst there.
SmallGraph opposite(const SmallGraph& graph) {
  SmallGraph other = graph;
  for (std::vector<double>& table : other.tables) {
    for (double& cell : table) cell = -cell;
  }
  return other;
}

// The call that interrupts, and whether the solver offers it.
struct Interruption {
  const char* name;
  bool (*offered)(const MapDistributionCaller&);
  void (*call)(MapDistributionCaller&, const MapQueryData&);
};

constexpr Interruption by_solve{
    "solve", [](const MapDistributionCaller&) { return true; },
    [](MapDistributionCaller& use, const MapQueryData& graph) { use.solve(graph); }};
constexpr Interruption by_mean{
    "expectation.mean",
    [](const MapDistributionCaller& use) { return use.offers<sculpt_ext_map_expectation>(); },
    [](MapDistributionCaller& use, const MapQueryData& graph) { use.mean(graph); }};
constexpr Interruption by_k_best{
    "k_best.begin",
    [](const MapDistributionCaller& use) { return use.offers<sculpt_ext_map_k_best>(); },
    [](MapDistributionCaller& use, const MapQueryData& graph) { use.begin_k_best(graph); }};
constexpr Interruption by_sample{
    "sample.begin",
    [](const MapDistributionCaller& use) { return use.offers<sculpt_ext_map_sample>(); },
    [](MapDistributionCaller& use, const MapQueryData& graph) { use.begin_sample(graph); }};

// Runs call_sequence(interrupt) for each interruption. interrupt() makes the other call, about
// another graph. call_sequence returns what is wrong, or "".
template <class Sequence>
Lines first_fault(const SmallGraph& graph, MapDistributionCaller& use,
                  std::span<const Interruption> interruptions, Sequence call_sequence) {
  const MapQueryData other(opposite(graph));
  for (const Interruption& one : interruptions) {
    if (!one.offered(use)) continue;
    const std::string wrong = call_sequence([&] { one.call(use, other); });
    if (wrong.empty()) continue;
    return {use.name() + ": " + wrong + ", after " + one.name +
            " about the same graph with the opposite theta; refuse what belongs to a conversation "
            "that has ended"};
  }
  return {};
}

void map_k_best_ended_test(TestFixture& fixture, TestContext& context) {
  constexpr std::array<Interruption, 3> interruptions{by_solve, by_mean, by_sample};
  MapDistributionTrial<sculpt_ext_map_k_best> trial(fixture, context, "map_k_best.ended");
  trial.run([&](const SmallGraph& graph, MapDistributionCaller& use) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.members().size() < 2) return Lines();
    const MapQueryData posed(graph);
    if (!use.begin_k_best(posed)) return std::nullopt;
    return first_fault(graph, use, interruptions, [&](const auto& interrupt) -> std::string {
      use.begin_k_best(posed);
      std::set<std::vector<std::int32_t>> seen = {use.next().labels};
      interrupt();
      for (std::size_t rank = 1; rank < exact.members().size(); ++rank) {
        const std::optional<OwnedAnswer> reply = use.next_if_any();
        if (!reply) return "";  // refused
        const double value = exact.members()[rank].score;
        const bool right = !reply->has(SCULPT_ANSWER_NO_OUTPUT) &&
                           seen.insert(reply->labels).second &&
                           std::abs(reply->value - value) <= 2 * exact.largest_terms().rounding();
        if (right) continue;
        return "k_best.next answers " + reply->text() + " as rank " + std::to_string(rank + 1) +
               ", which has value " + exact_number_text(value);
      }
      return "";
    });
  });
}

void map_sample_ended_test(TestFixture& fixture, TestContext& context) {
  constexpr std::array<Interruption, 3> interruptions{by_solve, by_mean, by_k_best};
  MapDistributionTrial<sculpt_ext_map_sample> trial(fixture, context, "map_sample.ended");
  trial.run([&](const SmallGraph& graph, MapDistributionCaller& use) -> std::optional<Lines> {
    const GraphDistribution exact(graph);
    if (exact.members().size() < 2) return Lines();
    const MapQueryData posed(graph);
    if (!use.begin_sample(posed)) return std::nullopt;
    return first_fault(graph, use, interruptions, [&](const auto& interrupt) -> std::string {
      use.begin_sample(posed);
      constexpr std::uint64_t seed = 1;
      const std::vector<std::int32_t> drawn = use.draw(seed);
      interrupt();
      const std::optional<std::vector<std::int32_t>> again = use.draw_if_any(seed);
      if (!again || *again == drawn) return "";
      return "sample.draw gives " + labels_text(*again) + " where the same seed gave " +
             labels_text(drawn);
    });
  });
}

}  // namespace

std::span<const ExperimentTest> interrupted_sequence_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"map_k_best.ended", map_k_best_ended_test}, {"map_sample.ended", map_sample_ended_test}}};
  return tests;
}

}  // namespace sculpt::core
