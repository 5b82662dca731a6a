// The same question gives the same answer, bit for bit, whatever was asked in between.

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

// One of the two ways in which an oracle is asked.
struct QuestionWay {
  const char* prefix;  // of the tests' names
  bool relaxed;

  void require(Bench& bench, Findings& findings) const {
    if (relaxed) require_relaxed(bench, findings);
  }
};

constexpr QuestionWay of_outputs{"oracle", false};
constexpr QuestionWay of_relaxed{"cut", true};

[[noreturn]] void refuse(Bench& bench, Findings& findings, const std::string& when,
                         const Question& question, const Reply& first, const Reply& second) {
  std::vector<std::string> lines = {
      bench.oracle_name() + " answers the same question in two ways, " + when,
      example_text(bench, question.example) + "; " + question.text(), "  first   " + first.text(),
      "  then    " + second.text()};
  for (std::string& line : weight_lines(bench, *question.w)) lines.push_back(std::move(line));
  findings.fail(lines);
}

// Asked twice in a row, the second time with the same numbers in other memory.
void repeat_way(Bench& bench, Findings& findings, const QuestionWay& way) {
  way.require(bench, findings);
  std::vector<std::unique_ptr<const Weights>> copies;  // the small ones are kept: many addresses
  const bool keep = bench.problem().dimension() <= 4096;
  std::uint64_t copied = 0;  // the stamp of what the last one is a copy of
  bench.each_question(findings, way.prefix + ".repeat"s, [&](const Question& asked) {
    Question question = asked;
    question.relaxed = way.relaxed;
    findings.now(question.text());
    const Reply first = ask(bench.problem(), question);
    const Reply second = ask(bench.problem(), question);
    findings.count();
    if (!(first == second)) refuse(bench, findings, "one after the other", question, first, second);
    if (copied != question.w->stamp()) {
      if (!keep) copies.clear();
      copies.push_back(std::make_unique<const Weights>(question.w->values()));
      copied = question.w->stamp();
    }
    Question moved = question;
    moved.w = copies.back().get();
    const Reply third = ask(bench.problem(), moved);
    if (!(first == third)) {
      refuse(bench, findings, "the second time with w elsewhere in memory", question, first, third);
    }
  });
}

// Everything in one order, then backwards, then at random: short and long examples, w and
// loss_weights alternate.
void order_way(Bench& bench, Findings& findings, const QuestionWay& way) {
  way.require(bench, findings);
  std::vector<Weights> kept;
  Random random = bench.random(way.prefix + ".order"s);
  for (int number = 1; number <= bench.level().of(3, 6, 12); ++number) {
    kept.push_back(bench.weights().draw(random, number));
  }
  std::vector<Question> questions;
  for (const Weights& w : kept) {
    for (const double l : bench.loss_weights()) {
      for (const std::int64_t example : bench.examples()) {
        questions.push_back({example, &w, l, true, random.next(), way.relaxed});
      }
    }
  }
  if (questions.empty()) findings.skip("no example can be asked about");
  const auto total = static_cast<std::int64_t>(questions.size());
  std::vector<Reply> replies;
  Pace first(bench.clock(), findings, total, "questions", asking_ends / 3);
  for (std::size_t k = 0; k < questions.size() && first.next(); ++k) {
    findings.now(questions[k].text());
    replies.push_back(ask(bench.problem(), questions[k]));
  }
  questions.resize(replies.size());
  const auto compare = [&](std::size_t k, const std::string& when) {
    findings.now(questions[k].text() + " once more, after others");
    findings.count();
    const Reply again = ask(bench.problem(), questions[k]);
    if (!(replies[k] == again)) refuse(bench, findings, when, questions[k], replies[k], again);
  };
  Pace pace(bench.clock(), findings, 2 * static_cast<std::int64_t>(questions.size()),
            "questions asked again");
  for (std::size_t k = questions.size(); k-- > 0 && pace.next();) {
    compare(k, "after others in another order");
  }
  for (std::size_t k = 0; k < questions.size() && pace.next(); ++k) {
    compare(random.below(questions.size()), "after others at random");
  }
}

template <const QuestionWay& way>
void oracle_repeat_test(Bench& bench, Findings& findings) {
  repeat_way(bench, findings, way);
}
template <const QuestionWay& way>
void oracle_order_test(Bench& bench, Findings& findings) {
  order_way(bench, findings, way);
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
