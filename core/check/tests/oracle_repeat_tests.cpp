// Tests that the same query gives the same answer, bit by bit, after any other queries.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

using namespace std::string_literals;

// The kind of answer that an oracle gives: outputs, or relaxed answers.
struct QueryKind {
  const char* prefix;  // of the test names
  bool is_relaxed;

  void require(TestFixture& fixture, TestContext& context) const {
    if (is_relaxed) require_relaxed(fixture, context);
  }
};

constexpr QueryKind output_queries{"oracle", false};
constexpr QueryKind relaxed_queries{"cut", true};

[[noreturn]] void refuse(TestFixture& fixture, TestContext& context, const std::string& condition,
                         const OracleQuery& query, const OwnedAnswer& first,
                         const OwnedAnswer& second) {
  std::vector<std::string> lines = {
      fixture.oracle_name() + " gives two answers to the same query, " + condition,
      example_text(fixture, query.example) + "; " + query.text(), "  first   " + first.text(),
      "  second  " + second.text()};
  for (std::string& line : weight_lines(fixture, *query.w)) lines.push_back(std::move(line));
  context.fail(lines);
}

// Asks each query twice, then once more with a copy of w at another address.
void test_repeat(TestFixture& fixture, TestContext& context, const QueryKind& kind) {
  kind.require(fixture, context);
  std::vector<std::unique_ptr<const Weights>> copies;  // small ones stay alive: many addresses
  const bool keeps_all = fixture.problem().dimension() <= 4096;
  std::uint64_t copied_stamp = 0;  // stamp of the w that was copied last
  fixture.each_query(context, kind.prefix + ".repeat"s, [&](const OracleQuery& drawn) {
    OracleQuery query = drawn;
    query.is_relaxed = kind.is_relaxed;
    context.set_activity(query.text());
    const OwnedAnswer first = ask_oracle(fixture.problem(), query);
    const OwnedAnswer second = ask_oracle(fixture.problem(), query);
    context.count();
    if (!(first == second)) refuse(fixture, context, "one after the other", query, first, second);
    if (copied_stamp != query.w->stamp()) {
      if (!keeps_all) copies.clear();
      copies.push_back(std::make_unique<const Weights>(query.w->values()));
      copied_stamp = query.w->stamp();
    }
    OracleQuery moved = query;
    moved.w = copies.back().get();
    const OwnedAnswer third = ask_oracle(fixture.problem(), moved);
    if (!(first == third)) {
      refuse(fixture, context, "the second with w at another address", query, first, third);
    }
  });
}

// Asks all queries in one order, then backwards, then at random. Short and long examples, w and
// loss_weights alternate.
void test_order_of_queries(TestFixture& fixture, TestContext& context, const QueryKind& kind) {
  kind.require(fixture, context);
  std::vector<Weights> weights;
  Random random = fixture.random(kind.prefix + ".order"s);
  for (int number = 1; number <= fixture.level().choose(3, 6, 12); ++number) {
    weights.push_back(fixture.weights().draw(random, number));
  }
  std::vector<OracleQuery> queries;
  for (const Weights& w : weights) {
    for (const double loss_weight : fixture.loss_weights()) {
      for (const std::int64_t example : fixture.examples()) {
        queries.push_back(
            {example, &w, loss_weight, /*has_truth=*/true, random.next(), kind.is_relaxed});
      }
    }
  }
  if (queries.empty()) context.skip("no example has a complete truth");
  const auto total = static_cast<std::int64_t>(queries.size());
  std::vector<OwnedAnswer> answers;
  TimeBudget first_budget(fixture.timer(), context, total, "queries", query_time_fraction / 3);
  for (std::size_t k = 0; k < queries.size() && first_budget.next(); ++k) {
    context.set_activity(queries[k].text());
    answers.push_back(ask_oracle(fixture.problem(), queries[k]));
  }
  queries.resize(answers.size());
  const auto compare = [&](std::size_t k, const std::string& condition) {
    context.set_activity(queries[k].text() + " once more, after others");
    context.count();
    const OwnedAnswer again = ask_oracle(fixture.problem(), queries[k]);
    if (!(answers[k] == again)) refuse(fixture, context, condition, queries[k], answers[k], again);
  };
  TimeBudget budget(fixture.timer(), context, 2 * static_cast<std::int64_t>(queries.size()),
                    "repeated queries");
  for (std::size_t k = queries.size(); k-- > 0 && budget.next();) {
    compare(k, "after others in another order");
  }
  for (std::size_t k = 0; k < queries.size() && budget.next(); ++k) {
    compare(random.below(queries.size()), "after others at random");
  }
}

template <const QueryKind& kind>
void oracle_repeat_test(TestFixture& fixture, TestContext& context) {
  test_repeat(fixture, context, kind);
}
template <const QueryKind& kind>
void oracle_order_test(TestFixture& fixture, TestContext& context) {
  test_order_of_queries(fixture, context, kind);
}

}  // namespace

std::span<const ExperimentTest> oracle_repeat_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"oracle.repeat", oracle_repeat_test<output_queries>},
       {"oracle.order", oracle_order_test<output_queries>},
       {"cut.repeat", oracle_repeat_test<relaxed_queries>},
       {"cut.order", oracle_order_test<relaxed_queries>}}};
  return tests;
}

}  // namespace sculpt::core
