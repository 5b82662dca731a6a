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
    [](MapDistributionCaller& caller, const MapQueryData& graph) { caller.solve(graph); }};
constexpr Interruption by_mean{
    "expectation.mean",
    [](const MapDistributionCaller& caller) { return caller.offers<sculpt_ext_map_expectation>(); },
    [](MapDistributionCaller& caller, const MapQueryData& graph) { caller.mean(graph); }};
constexpr Interruption by_k_best{
    "k_best.begin",
    [](const MapDistributionCaller& caller) { return caller.offers<sculpt_ext_map_k_best>(); },
    [](MapDistributionCaller& caller, const MapQueryData& graph) { caller.begin_k_best(graph); }};
constexpr Interruption by_sample{
    "sample.begin",
    [](const MapDistributionCaller& caller) { return caller.offers<sculpt_ext_map_sample>(); },
    [](MapDistributionCaller& caller, const MapQueryData& graph) { caller.begin_sample(graph); }};

// Runs call_sequence(interrupt) for each interruption. interrupt() makes the other call, about
// another graph. call_sequence returns what is wrong, or "".
template <class Sequence>
Lines first_fault(const SmallGraph& graph, MapDistributionCaller& caller,
                  std::span<const Interruption> interruptions, Sequence call_sequence) {
  const MapQueryData other(opposite(graph));
  for (const Interruption& interruption : interruptions) {
    if (!interruption.offered(caller)) continue;
    const std::string fault = call_sequence([&] { interruption.call(caller, other); });
    if (fault.empty()) continue;
    return {caller.name() + ": " + fault + ", after " + interruption.name +
            " about the same graph with the opposite theta; a call of a sequence that has ended "
            "must be refused"};
  }
  return {};
}

// k_best.next refuses after the interruption, or still gives the assignment of its rank.
void map_k_best_ended_test(TestFixture& fixture, TestContext& context) {
  constexpr std::array<Interruption, 3> interruptions{by_solve, by_mean, by_sample};
  MapDistributionTest<sculpt_ext_map_k_best> sequence_test(fixture, context, "map_k_best.ended");
  sequence_test.run(
      [&](const SmallGraph& graph, MapDistributionCaller& caller) -> std::optional<Lines> {
        const GraphDistribution exact(graph);
        if (exact.members().size() < 2) return Lines();
        const MapQueryData query(graph);
        if (!caller.begin_k_best(query)) return std::nullopt;
        return first_fault(graph, caller, interruptions, [&](const auto& interrupt) -> std::string {
          caller.begin_k_best(query);
          std::set<std::vector<std::int32_t>> seen = {caller.next().labels};
          interrupt();
          for (std::size_t rank = 1; rank < exact.members().size(); ++rank) {
            const std::optional<OwnedAnswer> answer = caller.next_if_any();
            if (!answer) return "";  // refused
            const double value = exact.members()[rank].score;
            const bool is_right =
                !answer->has_flag(SCULPT_ANSWER_NO_OUTPUT) && seen.insert(answer->labels).second &&
                std::abs(answer->value - value) <= 2 * exact.largest_terms().rounding();
            if (is_right) continue;
            return "k_best.next answers " + answer->text() + " as rank " +
                   std::to_string(rank + 1) + ", which has value " + exact_number_text(value);
          }
          return "";
        });
      });
}

// sample.draw refuses after the interruption, or still gives the same for the same seed.
void map_sample_ended_test(TestFixture& fixture, TestContext& context) {
  constexpr std::array<Interruption, 3> interruptions{by_solve, by_mean, by_k_best};
  MapDistributionTest<sculpt_ext_map_sample> sequence_test(fixture, context, "map_sample.ended");
  sequence_test.run(
      [&](const SmallGraph& graph, MapDistributionCaller& caller) -> std::optional<Lines> {
        const GraphDistribution exact(graph);
        if (exact.members().size() < 2) return Lines();
        const MapQueryData query(graph);
        if (!caller.begin_sample(query)) return std::nullopt;
        return first_fault(graph, caller, interruptions, [&](const auto& interrupt) -> std::string {
          caller.begin_sample(query);
          constexpr std::uint64_t seed = 1;
          const std::vector<std::int32_t> drawn = caller.draw(seed);
          interrupt();
          const std::optional<std::vector<std::int32_t>> again = caller.draw_if_any(seed);
          if (!again || *again == drawn) return "";
          return "sample.draw gives " + labels_text(*again) + ", but the same seed gave " +
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
