// Tests that H(w, l) = max over y of <w, psi(y)> + l Delta(y) of an exact oracle is convex,
// homogeneous and monotone in l. These tests need no list of all outputs, so they also work for
// large examples.

#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/shrink.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

constexpr int max_shrink_pairs = 400;

// Two w and a loss weight for one example.
struct Pair {
  std::int64_t example = 0;
  double l = 0;
  const Weights* u = nullptr;
  const Weights* v = nullptr;
};

// An answer that claims EXACT.
struct ExactAnswer {
  OwnedAnswer answer;
  Output output;
  AugmentedScore value;  // of the output
  // A bound of the error of answer.value.
  double rounding() const { return allowed_excess(answer, value.terms); }
};

class ExactAnswers {
 public:
  explicit ExactAnswers(TestFixture& fixture) : fixture_(fixture) {}

  // Returns nothing if the answer is not EXACT or is NO_OUTPUT.
  std::optional<ExactAnswer> operator()(const Weights& w, double l, std::int64_t example) {
    const OracleQuery query{example, &w, l, true, 1};
    OwnedAnswer answer = ask_oracle(fixture_.problem(), query);
    if (!answer.has_flag(SCULPT_ANSWER_EXACT) || answer.has_flag(SCULPT_ANSWER_NO_OUTPUT))
      return std::nullopt;
    Output output = fixture_.with_psi_and_loss(example, answer.labels);
    const AugmentedScore value = augmented_score_of(query, output);
    return ExactAnswer{std::move(answer), std::move(output), value};
  }
  // Returns scale * (a + b) on the support.
  Weights sum(double scale, const Weights& a, const Weights& b) {
    std::vector<double> values;
    for (const std::int32_t j : fixture_.weights().support()) {
      const auto k = static_cast<std::size_t>(j);
      values.push_back(scale * (a.values()[k] + b.values()[k]));
    }
    return fixture_.weights().with_values(values);
  }

 private:
  TestFixture& fixture_;
};

// The result of testing a law with a pair.
struct LawFinding {
  bool is_tested = false;  // all answers were EXACT
  std::string violation;   // what is wrong, or ""
  bool uses_v = false;
};
using Law = LawFinding (*)(TestFixture& fixture, const Pair& pair);

std::string equation(const char* what, double value) {
  return std::string(what) + " = " + exact_number_text(value);
}

LawFinding homogeneous(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const std::optional<ExactAnswer> once = exact(*pair.u, pair.l, pair.example);
  if (!once) return {};
  const Weights doubled = exact.sum(1, *pair.u, *pair.u);
  const std::optional<ExactAnswer> twice = exact(doubled, 2 * pair.l, pair.example);
  if (!twice) return {};
  const double difference = std::abs(twice->answer.value - 2 * once->answer.value);
  if (difference <= 2 * once->rounding() + twice->rounding()) return {true, "", false};
  return {true,
          equation("H(2u, 2l)", twice->answer.value) + " is not " +
              equation("2 H(u, l)", 2 * once->answer.value),
          false};
}

LawFinding monotone(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const double larger = pair.l == 0 ? 0.25 : 4 * pair.l;
  const std::optional<ExactAnswer> low = exact(*pair.u, pair.l, pair.example);
  const std::optional<ExactAnswer> high = exact(*pair.u, larger, pair.example);
  if (!low || !high) return {};
  if (high->answer.value >= low->answer.value - low->rounding() - high->rounding()) {
    return {true, "", false};
  }
  return {true,
          equation("H", high->answer.value) + " with the larger loss weight " +
              exact_number_text(larger) + " is below " + equation("H(u, l)", low->answer.value),
          false};
}

// H((u + v)/2) <= (H(u) + H(v))/2
LawFinding convex(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const std::optional<ExactAnswer> at_u = exact(*pair.u, pair.l, pair.example);
  const std::optional<ExactAnswer> at_v = exact(*pair.v, pair.l, pair.example);
  const Weights middle = exact.sum(0.5, *pair.u, *pair.v);
  const std::optional<ExactAnswer> at_middle = exact(middle, pair.l, pair.example);
  if (!at_u || !at_v || !at_middle) return {};
  const double chord = (at_u->answer.value + at_v->answer.value) / 2;
  const double rounding = at_u->rounding() + at_v->rounding() + at_middle->rounding();
  if (at_middle->answer.value <= chord + rounding) return {true, "", true};
  return {true,
          equation("H((u + v)/2)", at_middle->answer.value) + " lies above " +
              equation("(H(u) + H(v))/2", chord),
          true};
}

// H(v) >= H(u) + <v - u, psi(y_u)>: at v, the output y_u is not better than the answer there.
LawFinding subgradient(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const std::optional<ExactAnswer> at_u = exact(*pair.u, pair.l, pair.example);
  const std::optional<ExactAnswer> at_v = exact(*pair.v, pair.l, pair.example);
  if (!at_u || !at_v) return {};
  const AugmentedScore score_at_v =
      augmented_score_of({pair.example, pair.v, pair.l, true, 1}, at_u->output);
  if (score_at_v.value <= at_v->answer.value + score_at_v.terms.rounding() + at_v->rounding()) {
    return {true, "", true};
  }
  return {true,
          equation("H(v)", at_v->answer.value) + ", but the answer at u, " +
              labels_text(at_u->output.labels) + ", has at v the value " +
              exact_number_text(score_at_v.value),
          true};
}

// Tests a law with many pairs. The first pair that breaks it ends the test, with simplified
// numbers.
class LawTest {
 public:
  LawTest(TestFixture& fixture, TestContext& context, const char* name, Law law)
      : fixture_(fixture), context_(context), name_(name), law_(law) {}

  void run() {
    Random random = fixture_.random(name_);
    const int draws = fixture_.level().choose(6, 15, 40);
    const std::size_t pairs_per_draw = fixture_.loss_weights().size() * fixture_.examples().size();
    TimeBudget budget(fixture_.timer(), context_, static_cast<std::int64_t>(pairs_per_draw) * draws,
                      "pairs of w");
    for (int number = 0; number < draws; ++number) {
      const Weights u = fixture_.weights().draw(random, number);
      const Weights v = number % 2 == 0 ? fixture_.weights().normal(random)
                                        : fixture_.weights().draw(random, number + 1);
      for (const double l : fixture_.loss_weights()) {
        for (const std::int64_t example : fixture_.examples()) {
          if (!budget.next()) return skip_if_untested();
          test_pair({example, l, &u, &v});
        }
      }
    }
    skip_if_untested();
  }

 private:
  void skip_if_untested() {
    if (context_.cases() == 0) context_.skip(fixture_.oracle_name() + " never reports EXACT");
  }
  void test_pair(const Pair& pair) {
    context_.set_activity(OracleQuery{pair.example, pair.u, pair.l, true, 1}.text());
    const LawFinding finding = law_(fixture_, pair);
    if (finding.is_tested) context_.count();
    if (finding.violation.empty()) return;
    context_.set_activity("making the counter-example small");
    std::vector<double> values = fixture_.weights().values_on_support(*pair.u);
    const std::vector<double> second = fixture_.weights().values_on_support(*pair.v);
    values.insert(values.end(), second.begin(), second.end());
    const std::function<bool(const std::vector<double>&)> fails =
        [&](const std::vector<double>& changed) {
          return !fixture_.timer().is_past(shrink_time_fraction) &&
                 !lines_of(pair, changed).empty();
        };
    if (fails(values)) shrink_values(values, fails, max_shrink_pairs);
    const std::vector<std::string> lines = lines_of(pair, values);
    if (!lines.empty()) context_.fail(lines);
    context_.fail({fixture_.oracle_name() + ": " + finding.violation,
                   "  the same queries now give other answers: the answers depend on earlier "
                   "queries"});
  }
  // Returns the lines for the pair with other values, first those of u, then those of v. Empty if
  // the law holds.
  std::vector<std::string> lines_of(const Pair& pair, const std::vector<double>& values) {
    const std::size_t half = values.size() / 2;
    const Weights u = fixture_.weights().with_values(std::span(values).first(half));
    const Weights v = fixture_.weights().with_values(std::span(values).last(half));
    const LawFinding finding = law_(fixture_, {pair.example, pair.l, &u, &v});
    if (finding.violation.empty()) return {};
    std::vector<std::string> lines = {fixture_.oracle_name() + ": " + finding.violation,
                                      example_text(fixture_, pair.example) + ", loss_weight l = " +
                                          exact_number_text(pair.l) + "; u is"};
    for (std::string& line : weight_lines(fixture_, u)) lines.push_back(std::move(line));
    if (!finding.uses_v) return lines;
    lines.push_back("and v is");
    for (std::string& line : weight_lines(fixture_, v)) lines.push_back(std::move(line));
    return lines;
  }

  TestFixture& fixture_;
  TestContext& context_;
  const char* name_;
  Law law_;
};

void oracle_homogeneous_test(TestFixture& fixture, TestContext& context) {
  LawTest(fixture, context, "oracle.homogeneous", homogeneous).run();
}
void oracle_monotone_test(TestFixture& fixture, TestContext& context) {
  if (!fixture.supports_loss()) context.skip(fixture.obstacle_to_loss());
  LawTest(fixture, context, "oracle.monotone", monotone).run();
}
void oracle_convex_test(TestFixture& fixture, TestContext& context) {
  LawTest(fixture, context, "oracle.convex", convex).run();
}
void oracle_subgradient_test(TestFixture& fixture, TestContext& context) {
  LawTest(fixture, context, "oracle.subgradient", subgradient).run();
}

}  // namespace

std::span<const ExperimentTest> oracle_convexity_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"oracle.homogeneous", oracle_homogeneous_test},
       {"oracle.monotone", oracle_monotone_test},
       {"oracle.convex", oracle_convex_test},
       {"oracle.subgradient", oracle_subgradient_test}}};
  return tests;
}

}  // namespace sculpt::core
