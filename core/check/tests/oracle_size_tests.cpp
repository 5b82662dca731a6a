// Tests of an oracle by the sizes of examples: larger ones than the other tests list, and pairs of
// equal size that an oracle could confuse.

#include <array>
#include <memory>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/claim_checker.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/graph_maximum.hpp"
#include "check/fixture/equal_size_pairs.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// Asks one query and tests all that the answer claims.
void test_all_claims(TestFixture& fixture, TestContext& context, const OracleQuery& query,
                     const OwnedAnswer& answer) {
  for (const ClaimCheck claim :
       {value_violation, exact_violation, bound_violation, truth_outside_violation}) {
    test_claim_at(fixture, context, claim, query, answer);
  }
}

// True if the best output is found by a factor graph, so that listing all adds little.
bool is_solved_by_graph(TestFixture& fixture, std::int64_t example) {
  Random random = fixture.random("oracle.large, graph");
  const Weights w = fixture.weights().normal(random);
  return best_output_of_graph(fixture, {example, &w, fixture.loss_weights().back(), true, 1})
      .has_value();
}

// Lists up to 100000 outputs of an example, and asks a few queries about each.
void oracle_large_test(TestFixture& fixture, TestContext& context) {
  const std::int64_t limit = fixture.large_limit();
  std::vector<std::int64_t> large;
  const auto is_late = [&] { return fixture.timer().is_query_time_over(pool_time_fraction); };
  bool is_stopped = false;  // before an example that may be listed
  for (const std::int64_t example : fixture.examples()) {
    is_stopped = is_late();
    if (is_stopped) break;
    if (fixture.outputs(example).complete) continue;
    context.set_activity("listing the outputs of example " + std::to_string(example));
    if (is_solved_by_graph(fixture, example)) continue;
    if (fixture.list_all_outputs(example, limit, is_late)) large.push_back(example);
  }
  if (large.empty() && (is_stopped || is_late())) {
    context.skip(
        "there was no time to list the outputs of larger examples; a larger --time-limit allows "
        "it");
  }
  if (large.empty()) {
    context.skip(
        "no example without a narrow factor graph has more outputs than the other tests list, but "
        "at most " +
        std::to_string(limit) + " that can be listed");
  }
  Random random = fixture.random("oracle.large");
  const int draws = fixture.level().choose(2, 4, 8);
  const bool has_own_set = fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET);
  const std::vector<double> loss_weights = fixture.loss_weights();
  const std::size_t queries = large.size() * (loss_weights.size() + (has_own_set ? 0 : 1));
  TimeBudget budget(fixture.timer(), context, draws * static_cast<std::int64_t>(queries),
                    "queries");
  const auto ask = [&](const OracleQuery& query) {
    context.set_activity(query.text());
    const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    context.count(TestContext::Compared::all_outputs);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      context.fail({fixture.oracle_name() + " reports NO_OUTPUT, but there are outputs",
                    example_text(fixture, query.example)});
    }
    test_all_claims(fixture, context, query, answer);
  };
  for (int number = 1; number <= draws; ++number) {
    const Weights w = fixture.weights().draw(random, number);
    for (const std::int64_t example : large) {
      for (const double loss_weight : loss_weights) {
        if (!budget.next()) return;
        ask({example, &w, loss_weight, true, random.next()});
      }
      if (has_own_set) continue;
      if (!budget.next()) return;
      ask({example, &w, 0, false, random.next()});
    }
  }
}

// A query about either example of a pair. `weights`: an index.
struct PairQuery {
  std::size_t weights;
  double loss_weight;
  bool has_truth;
};

// Asks about two examples of equal size in turn. Two further problems are asked about one example
// of each size only, so their answers cannot depend on the other one.
class PairTest {
 public:
  PairTest(TestFixture& fixture, TestContext& context, bool is_relaxed)
      : fixture_(fixture), context_(context), is_relaxed_(is_relaxed) {
    context_.set_activity("loading and binding for one example of each size");
    for (std::unique_ptr<Problem>& problem : alone_) problem = fixture_.factory().make({});
    Random random = fixture.random("oracle.equal_size");
    for (int number = 1; number <= 2; ++number) {
      weights_.push_back(fixture.weights().draw(random, number));
      copies_.emplace_back(weights_.back().values());
    }
    const double largest_loss_weight = fixture.supports_loss() ? 1 : 0;
    const bool has_own_set = fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET);
    for (std::size_t w = 0; w < weights_.size(); ++w) {
      queries_.push_back({w, largest_loss_weight, true});
      queries_.push_back({w, 0, true});
      if (!has_own_set) queries_.push_back({w, 0, false});
    }
  }

  std::int64_t queries_of_pair() const {
    return static_cast<std::int64_t>(queries_.size() * (2 + 2 * order.size()));
  }

  // Requires a pair of another size than all before it. `budget`: of queries.
  void run(const ExamplePair& pair, TimeBudget& budget) {
    for (const PairQuery& query : queries_) {
      std::array<OwnedAnswer, 2> expected;
      for (std::size_t k = 0; k < 2; ++k) {
        if (!budget.next()) return;
        context_.set_activity("example " + std::to_string(k == 0 ? pair.first : pair.second) +
                              " before any other of its size");
        expected[k] = ask_oracle(*alone_[k], query_of(pair, k, query, weights_));
      }
      for (const auto* const weights : {&weights_, &copies_}) {
        for (const std::size_t k : order) {
          if (!budget.next()) return;
          ask(query_of(pair, k, query, *weights), expected[k], other_of(pair, k));
        }
      }
    }
  }

 private:
  static constexpr std::array<std::size_t, 3> order = {0, 1, 0};  // of the examples of a pair

  OracleQuery query_of(const ExamplePair& pair, std::size_t k, const PairQuery& query,
                       const std::vector<Weights>& weights) const {
    return {k == 0 ? pair.first : pair.second,
            &weights[query.weights],
            query.loss_weight,
            query.has_truth,
            /*seed=*/1,
            is_relaxed_};
  }
  static std::int64_t other_of(const ExamplePair& pair, std::size_t k) {
    return k == 0 ? pair.second : pair.first;
  }

  void ask(const OracleQuery& query, const OwnedAnswer& expected, std::int64_t other) {
    context_.set_activity(query.text() + ", after an example of the same size");
    context_.count();
    const OwnedAnswer answer = ask_oracle(fixture_.problem(), query);
    if (!(answer == expected)) {
      std::vector<std::string> lines = {
          fixture_.oracle_name() + " gives another answer after an example of the same size, " +
              std::to_string(other) + "; key what it keeps by the example, not by its size",
          example_text(fixture_, query.example) + "; " + query.text(),
          "  alone   " + expected.text(), "  after   " + answer.text()};
      for (std::string& line : weight_lines(fixture_, *query.w)) lines.push_back(std::move(line));
      context_.fail(lines);
    }
    if (!is_relaxed_ && !answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      test_all_claims(fixture_, context_, query, answer);
    }
  }

  TestFixture& fixture_;
  TestContext& context_;
  bool is_relaxed_;
  std::array<std::unique_ptr<Problem>, 2> alone_;
  std::vector<Weights> weights_;
  std::vector<Weights> copies_;  // the same values with other stamps
  std::vector<PairQuery> queries_;
};

void test_pairs(TestFixture& fixture, TestContext& context, bool is_relaxed) {
  const std::vector<ExamplePair> pairs =
      pairs_of_equal_size(fixture, fixture.level().choose<std::size_t>(1, 3, 8));
  if (pairs.empty()) {
    context.skip("no two examples have outputs of equal size and different content");
  }
  PairTest test(fixture, context, is_relaxed);
  TimeBudget budget(fixture.timer(), context,
                    static_cast<std::int64_t>(pairs.size()) * test.queries_of_pair(), "queries");
  for (const ExamplePair& pair : pairs) test.run(pair, budget);
}

void oracle_equal_size_test(TestFixture& fixture, TestContext& context) {
  test_pairs(fixture, context, false);
}
void cut_equal_size_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  test_pairs(fixture, context, true);
}

}  // namespace

std::span<const ExperimentTest> oracle_size_tests() {
  static constexpr std::array<ExperimentTest, 3> tests{
      {{"oracle.large", oracle_large_test},
       {"oracle.equal_size", oracle_equal_size_test},
       {"cut.equal_size", cut_equal_size_test}}};
  return tests;
}

}  // namespace sculpt::core
