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

// How an oracle is asked: for outputs, or for relaxed answers.
struct QuestionWay {
  const char* prefix;  // of the test names
  bool relaxed;

  void require(TestFixture& fixture, TestContext& context) const {
    if (relaxed) require_relaxed(fixture, context);
  }
};

constexpr QuestionWay of_outputs{"oracle", false};
constexpr QuestionWay of_relaxed{"cut", true};

[[noreturn]] void refuse(TestFixture& fixture, TestContext& context, const std::string& when,
                         const OracleQuery& question, const OwnedAnswer& first,
                         const OwnedAnswer& second) {
  std::vector<std::string> lines = {
      fixture.oracle_name() + " answers the same question in two ways, " + when,
      example_text(fixture, question.example) + "; " + question.text(), "  first   " + first.text(),
      "  then    " + second.text()};
  for (std::string& line : weight_lines(fixture, *question.w)) lines.push_back(std::move(line));
  context.fail(lines);
}

// Asks each query twice, then once more with a copy of w at another address.
void repeat_way(TestFixture& fixture, TestContext& context, const QuestionWay& way) {
  way.require(fixture, context);
  std::vector<std::unique_ptr<const Weights>> copies;  // small ones stay alive: many addresses
  const bool keep = fixture.problem().dimension() <= 4096;
  std::uint64_t copied = 0;  // stamp of the w that was copied last
  fixture.each_question(context, way.prefix + ".repeat"s, [&](const OracleQuery& asked) {
    OracleQuery question = asked;
    question.relaxed = way.relaxed;
    context.now(question.text());
    const OwnedAnswer first = ask(fixture.problem(), question);
    const OwnedAnswer second = ask(fixture.problem(), question);
    context.count();
    if (!(first == second))
      refuse(fixture, context, "one after the other", question, first, second);
    if (copied != question.w->stamp()) {
      if (!keep) copies.clear();
      copies.push_back(std::make_unique<const Weights>(question.w->values()));
      copied = question.w->stamp();
    }
    OracleQuery moved = question;
    moved.w = copies.back().get();
    const OwnedAnswer third = ask(fixture.problem(), moved);
    if (!(first == third)) {
      refuse(fixture, context, "the second time with w elsewhere in memory", question, first,
             third);
    }
  });
}

// Asks all queries in one order, then backwards, then at random. Short and long examples, w and
// loss_weights alternate.
void order_way(TestFixture& fixture, TestContext& context, const QuestionWay& way) {
  way.require(fixture, context);
  std::vector<Weights> kept;
  Random random = fixture.random(way.prefix + ".order"s);
  for (int number = 1; number <= fixture.level().of(3, 6, 12); ++number) {
    kept.push_back(fixture.weights().draw(random, number));
  }
  std::vector<OracleQuery> questions;
  for (const Weights& w : kept) {
    for (const double l : fixture.loss_weights()) {
      for (const std::int64_t example : fixture.examples()) {
        questions.push_back({example, &w, l, true, random.next(), way.relaxed});
      }
    }
  }
  if (questions.empty()) context.skip("no example can be asked about");
  const auto total = static_cast<std::int64_t>(questions.size());
  std::vector<OwnedAnswer> replies;
  TimeBudget first(fixture.clock(), context, total, "questions", query_time_share / 3);
  for (std::size_t k = 0; k < questions.size() && first.next(); ++k) {
    context.now(questions[k].text());
    replies.push_back(ask(fixture.problem(), questions[k]));
  }
  questions.resize(replies.size());
  const auto compare = [&](std::size_t k, const std::string& when) {
    context.now(questions[k].text() + " once more, after others");
    context.count();
    const OwnedAnswer again = ask(fixture.problem(), questions[k]);
    if (!(replies[k] == again)) refuse(fixture, context, when, questions[k], replies[k], again);
  };
  TimeBudget pace(fixture.clock(), context, 2 * static_cast<std::int64_t>(questions.size()),
                  "questions asked again");
  for (std::size_t k = questions.size(); k-- > 0 && pace.next();) {
    compare(k, "after others in another order");
  }
  for (std::size_t k = 0; k < questions.size() && pace.next(); ++k) {
    compare(random.below(questions.size()), "after others at random");
  }
}

template <const QuestionWay& way>
void oracle_repeat_test(TestFixture& fixture, TestContext& context) {
  repeat_way(fixture, context, way);
}
template <const QuestionWay& way>
void oracle_order_test(TestFixture& fixture, TestContext& context) {
  order_way(fixture, context, way);
}

}  // namespace

std::span<const ExperimentTest> oracle_repeat_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"oracle.repeat", oracle_repeat_test<of_outputs>},
       {"oracle.order", oracle_order_test<of_outputs>},
       {"cut.repeat", oracle_repeat_test<of_relaxed>},
       {"cut.order", oracle_order_test<of_relaxed>}}};
  return tests;
}

}  // namespace sculpt::core
