// Tests of a frontier. The output of each entry has its score and loss. No output with these
// counts, or with the loss of an entry, has a larger score. The best entry has the value of an
// EXACT answer.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/small_graphs/frontier_brute_force.hpp"
#include "check/small_graphs/narrow_graphs.hpp"
#include "check/small_graphs/open_frontier.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// Skips the test if the oracle has no frontier for the loss.
void require_frontier(TestFixture& fixture, TestContext& context) {
  const std::string& obstacle = fixture.problem().oracle().obstacle_to_frontier();
  if (!obstacle.empty() && fixture.oracle().extension<sculpt_ext_frontier>() == nullptr) {
    context.skip_not_offered("a frontier (" SCULPT_EXT_FRONTIER ") of " + fixture.oracle_name());
  }
  if (!obstacle.empty()) context.skip(obstacle);
}

// Frontiers that the oracle refuses, because they are too large. That is no fault.
class RefusedFrontiers {
 public:
  // Returns the result of `ask`, which begins a frontier. Nothing if it is refused.
  template <class Ask>
  auto result_of(Ask ask) -> std::optional<decltype(ask())> {
    try {
      ++asked_;
      return ask();
    } catch (const Failure& failure) {
      if (failure.exit_code() != Exit::config) throw;
      ++refused_;
      reason_ = failure.what();
      return std::nullopt;
    }
  }
  // Skips the test if all were refused, and else says how many were.
  void report(TestContext& context) const {
    if (refused_ == 0) return;
    if (refused_ == asked_) context.skip("all frontiers are refused: " + reason_);
    context.remark(std::to_string(refused_) + " of " + count_text(asked_, "frontier") +
                   " were refused: " + reason_);
  }

 private:
  std::int64_t asked_ = 0;
  std::int64_t refused_ = 0;
  std::string reason_;
};

// True if the time for queries is over. A large frontier is then left in the middle.
bool is_late(TestFixture& fixture) {
  return fixture.timer().is_query_time_over(query_time_fraction);
}

// Returns a slice of the frontier that the problem's oracle has begun for the example.
std::vector<double> slice_of(TestFixture& fixture, std::int64_t example, std::int64_t first) {
  return read_open_frontier(fixture.oracle(), "frontier.slice", example, [&] {
    std::vector<double> scores;
    fixture.problem().oracle().frontier_slice(0, first, scores);
    return scores;
  });
}

// Returns an output of this frontier with its psi and loss.
Output output_of(TestFixture& fixture, std::int64_t example, const Counts& counts) {
  Answer answer;
  read_open_frontier(fixture.oracle(), "frontier.output", example, [&] {
    fixture.problem().oracle().frontier_output(0, example, counts, answer);
  });
  return fixture.with_psi_and_loss(example, OwnedAnswer(answer).labels);
}

// Tests the whole frontier of the problem's oracle for one example at one w.
class FrontierCase {
 public:
  FrontierCase(TestFixture& fixture, TestContext& context, const OracleQuery& query,
               RefusedFrontiers& refused)
      : fixture_(fixture),
        context_(context),
        query_(query),
        refused_(refused),
        oracle_(fixture.problem().oracle()) {}

  void run() {
    sculpt_query query = {};
    query.struct_size = sizeof query;
    query.example = query_.example;
    query.truth = fixture_.truth(query_.example);
    query.weights = query_.w->raw();
    // Called before begin_frontier(): it may call argmax, which ends a frontier query.
    const OutputSet& set = fixture_.outputs(query_.example);
    const std::optional<Frontier::Shape> begun =
        refused_.result_of([&]() -> Frontier::Shape { return oracle_.begin_frontier(0, query); });
    if (!begun || begun->has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
    const Frontier::Shape& shape = *begun;
    context_.count(set.complete ? TestContext::Compared::all_outputs
                                : TestContext::Compared::some_outputs);
    for (Counts counts = {}; counts[0] < shape.size[0]; ++counts[0]) {
      if (counts[0] > 0 && is_late(fixture_)) return;  // the other entries are not known
      const std::vector<double> scores = slice_of(fixture_, query_.example, counts[0]);
      for (counts[1] = 0; counts[1] < shape.size[1]; ++counts[1]) {
        const double score = scores[static_cast<std::size_t>(counts[1])];
        if (score == -infinity) continue;
        check_entry(counts, score);
        if (is_late(fixture_)) return;
      }
      counts[1] = 0;
    }
    check_losses(set, shape.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE));
  }

 private:
  void check_entry(const Counts& counts, double score) {
    const Output output = output_of(fixture_, query_.example, counts);
    const double loss =
        oracle_.count_loss().value(0, query_.example, fixture_.truth(query_.example), counts);
    const ScoreAndTerms output_score = score_and_terms_of(output, query_.w->values());
    const std::string entry = "frontier of " + fixture_.oracle_name() + " gives " +
                              counts_text(oracle_.count_loss().counts(), counts) + " (loss " +
                              exact_number_text(loss) + ") the score " + exact_number_text(score);
    if (std::abs(output_score.value - score) > output_score.terms.rounding()) {
      refuse(entry + ", but the output of the entry has another score", output);
    }
    if (std::abs(loss - output.loss) > rounding_of_loss(output)) {
      refuse(entry + ", but the output of the entry has the loss " + exact_number_text(output.loss),
             output);
    }
    const auto [best, is_new] = best_of_loss_.try_emplace(loss, score);
    if (!is_new) best->second = std::max(best->second, score);
  }

  // Compares every output with the best entry of the same loss.
  void check_losses(const OutputSet& set, bool truth_outside) {
    for (std::size_t k = 0; k < set.outputs.size(); ++k) {
      if (k == set.truth && truth_outside) continue;
      const Output& output = set.outputs[k];
      const ScoreAndTerms score = score_and_terms_of(output, query_.w->values());
      const double entry = best_entry(output);
      if (entry >= score.value - score.terms.rounding()) continue;
      refuse("frontier of " + fixture_.oracle_name() +
                 (entry == -infinity ? " has no entry with the loss "
                                     : " has no entry as good as this output with the loss ") +
                 exact_number_text(output.loss) +
                 (entry == -infinity ? "" : "; the best has the score " + exact_number_text(entry)),
             output);
    }
  }
  double best_entry(const Output& output) const {
    double best = -infinity;
    for (const auto& [loss, score] : best_of_loss_) {
      if (std::abs(loss - output.loss) <= rounding_of_loss(output)) best = std::max(best, score);
    }
    return best;
  }

  [[noreturn]] void refuse(const std::string& message, const Output& output) {
    context_.fail(counter_example(fixture_, "the " + message, query_, {{"output", &output}}));
  }

  TestFixture& fixture_;
  TestContext& context_;
  const OracleQuery& query_;
  RefusedFrontiers& refused_;
  Oracle& oracle_;
  std::map<double, double> best_of_loss_;
};

void frontier_entries_test(TestFixture& fixture, TestContext& context) {
  require_frontier(fixture, context);
  RefusedFrontiers refused;
  Random random = fixture.random("frontier.entries");
  const int draws = fixture.level().choose(4, 12, 40);
  const auto example_count = static_cast<std::int64_t>(fixture.examples().size());
  TimeBudget budget(fixture.timer(), context, draws * example_count, "frontiers");
  for (int number = 0; number < draws; ++number) {
    const Weights w = fixture.weights().draw(random, number);
    for (const std::int64_t example : fixture.examples()) {
      if (!budget.next()) return refused.report(context);
      const OracleQuery query{example, &w, 1, true, random.next()};
      context.set_activity("the frontier of example " + std::to_string(example));
      FrontierCase(fixture, context, query, refused).run();
    }
  }
  refused.report(context);
  if (context.cases() == 0) context.skip("no example has a complete truth and an output");
}

// The largest value of score + loss_weight * loss over the entries, with the output that has it.
struct BestEntry {
  Counts counts = {};
  double loss = 0;
  double value = -infinity;
};

// Nothing if the time is over before all entries are known.
std::optional<BestEntry> best_entry_of(TestFixture& fixture, const OracleQuery& query,
                                       const Frontier::Shape& shape) {
  Oracle& oracle = fixture.problem().oracle();
  BestEntry best;
  for (Counts counts = {}; counts[0] < shape.size[0]; ++counts[0]) {
    if (counts[0] > 0 && is_late(fixture)) return std::nullopt;
    const std::vector<double> scores = slice_of(fixture, query.example, counts[0]);
    for (counts[1] = 0; counts[1] < shape.size[1]; ++counts[1]) {
      const double score = scores[static_cast<std::size_t>(counts[1])];
      if (score == -infinity) continue;
      const double loss =
          oracle.count_loss().value(0, query.example, fixture.truth(query.example), counts);
      const double value = score + query.loss_weight * loss;
      if (value > best.value) best = {counts, loss, value};
    }
    counts[1] = 0;
  }
  return best;
}

// An EXACT answer has the largest value of all entries. This needs no list of outputs, so it also
// works for large examples.
void compare_answer_with_frontier(TestFixture& fixture, TestContext& context,
                                  const OracleQuery& query, RefusedFrontiers& refused) {
  const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
  if (!answer.has_flag(SCULPT_ANSWER_EXACT) || answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
  const sculpt_query raw = raw_query_of(fixture.problem(), query);
  Oracle& oracle = fixture.problem().oracle();
  const std::optional<Frontier::Shape> shape =
      refused.result_of([&]() -> Frontier::Shape { return oracle.begin_frontier(0, raw); });
  if (!shape || shape->has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
  const std::optional<BestEntry> found = best_entry_of(fixture, query, *shape);
  if (!found) return;
  context.count();
  const BestEntry& best = *found;
  if (best.value == -infinity) return;
  const Output entry = output_of(fixture, query.example, best.counts);
  const Output output = fixture.with_psi_and_loss(query.example, answer.labels);
  const double rounding = augmented_score_of(query, entry).terms.rounding() +
                          allowed_excess(answer, augmented_score_of(query, output).terms);
  if (std::abs(best.value - answer.value) <= rounding) return;
  context.fail(counter_example(fixture,
                               fixture.oracle_name() + " reports EXACT with the value " +
                                   exact_number_text(answer.value) +
                                   ", but the best entry of its frontier, " +
                                   counts_text(oracle.count_loss().counts(), best.counts) +
                                   ", has " + exact_number_text(best.value),
                               query, {{"answer", &output}, {"entry", &entry}}));
}

void frontier_argmax_test(TestFixture& fixture, TestContext& context) {
  require_frontier(fixture, context);
  RefusedFrontiers refused;
  Random random = fixture.random("frontier.argmax");
  const int draws = fixture.level().choose(4, 12, 40);
  const std::vector<double> loss_weights = fixture.loss_weights();
  const auto pairs = static_cast<std::int64_t>(fixture.examples().size() * loss_weights.size());
  TimeBudget budget(fixture.timer(), context, draws * pairs, "frontiers");
  for (int number = 0; number < draws; ++number) {
    const Weights w = fixture.weights().draw(random, number);
    for (const double loss_weight : loss_weights) {
      for (const std::int64_t example : fixture.examples()) {
        if (!budget.next()) return refused.report(context);
        const OracleQuery query{example, &w, loss_weight, true, random.next()};
        context.set_activity(query.text() + ", and its frontier");
        compare_answer_with_frontier(fixture, context, query, refused);
      }
    }
  }
  refused.report(context);
  if (context.cases() == 0) context.skip(fixture.oracle_name() + " never reports EXACT");
}

// Returns the graph classes for which a map_solver has a frontier: each alternative with the
// additional demands.
GraphDemands frontier_graphs(const Component& map_solver) {
  GraphDemands demands = solver_demands(map_solver);
  const std::uint32_t additional = solver_frontier_demands(map_solver);
  for (std::uint32_t& alternative : demands.alternatives) alternative |= additional;
  return demands;
}

constexpr std::int64_t max_listed_assignments = 720;  // this test stores the best ones

// Compares the frontier of a map_solver on small graphs with all assignments, for random count
// tables.
void frontier_graphs_test(TestFixture& fixture, TestContext& context) {
  const Component& component = map_solver_of(fixture, context);
  if (component.extension<sculpt_ext_frontier>() == nullptr) {
    context.skip_not_offered("a frontier (" SCULPT_EXT_FRONTIER ") of " + component.name());
  }
  MapSolverCaller solver(component);
  const GraphDemands demands = frontier_graphs(component);
  Random random = fixture.random("frontier.graphs");
  const int small_count = fixture.level().choose(40, 200, 1000);
  Random narrow_random = fixture.random("frontier.graphs, narrow");
  const std::vector<SmallGraph> narrow = narrow_graphs(
      narrow_random, demands, {max_listed_assignments, fixture.level().choose(1, 2, 6)});
  const int total = small_count + static_cast<int>(narrow.size());
  TimeBudget budget(fixture.timer(), context, total, "graphs");
  RefusedFrontiers refused;
  for (int number = 0; number < total && budget.next(); ++number) {
    const bool is_small = number < small_count;
    SmallGraph graph = is_small ? random_small_graph(random, demands, number, 4)
                                : narrow[static_cast<std::size_t>(number - small_count)];
    if (is_small) draw_scores(random, graph, number);
    CountedGraph counted = draw_counts(random, graph);
    context.set_activity("the frontier of " + joined(graph.lines(), "; "));
    FrontierBruteForce brute_force(solver);
    const auto lines_of_fault = refused.result_of([&] { return brute_force.fault(counted); });
    if (!lines_of_fault) continue;
    context.count(TestContext::Compared::all_outputs);
    if (lines_of_fault->empty()) continue;
    const auto fails = [&](const SmallGraph& scores) {
      CountedGraph simple = counted;
      simple.graph.set_theta(scores.theta());
      if (fixture.timer().is_past(shrink_time_fraction)) return false;
      const auto lines_of_simple = refused.result_of([&] { return brute_force.fault(simple); });
      return lines_of_simple && !lines_of_simple->empty();
    };
    shrink_scores(counted.graph, fails);
    std::vector<std::string> lines = brute_force.fault(counted);
    if (lines.empty())
      lines = {component.name() + " is not deterministic: the frontier is wrong only sometimes"};
    for (std::string& line : counted.lines()) lines.push_back(std::move(line));
    context.fail(lines);
  }
  refused.report(context);
}

}  // namespace

std::span<const ExperimentTest> frontier_tests() {
  static constexpr std::array<ExperimentTest, 3> tests{{{"frontier.entries", frontier_entries_test},
                                                        {"frontier.argmax", frontier_argmax_test},
                                                        {"frontier.graphs", frontier_graphs_test}}};
  return tests;
}

}  // namespace sculpt::core
