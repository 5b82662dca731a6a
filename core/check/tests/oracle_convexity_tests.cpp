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

constexpr int shrink_budget_of_pairs = 400;  // number of pairs of w

// Two w and a loss weight for one example.
struct Pair {
  std::int64_t example = 0;
  double l = 0;
  const Weights* u = nullptr;
  const Weights* v = nullptr;
};

// An answer that claims EXACT.
struct Exact {
  OwnedAnswer reply;
  Output output;
  AugmentedScore value;  // of the output
  // A bound of the error of reply.value.
  double rounding() const { return excess_allowed(reply, value.terms); }
};

class ExactAnswers {
 public:
  explicit ExactAnswers(TestFixture& fixture) : fixture_(fixture) {}

  // Returns nothing if the answer is not EXACT or is NO_OUTPUT.
  std::optional<Exact> operator()(const Weights& w, double l, std::int64_t example) {
    const OracleQuery question{example, &w, l, true, 1};
    OwnedAnswer reply = ask(fixture_.problem(), question);
    if (!reply.has(SCULPT_ANSWER_EXACT) || reply.has(SCULPT_ANSWER_NO_OUTPUT)) return std::nullopt;
    Output output = fixture_.with_psi_and_loss(example, reply.labels);
    const AugmentedScore value = augmented_score_of(question, output);
    return Exact{std::move(reply), std::move(output), value};
  }
  // Returns scale * (a + b) on the support.
  Weights sum(double scale, const Weights& a, const Weights& b) {
    std::vector<double> values;
    for (const std::int32_t j : fixture_.weights().support()) {
      const auto k = static_cast<std::size_t>(j);
      values.push_back(scale * (a.values()[k] + b.values()[k]));
    }
    return fixture_.weights().with(values);
  }

 private:
  TestFixture& fixture_;
};

// The result of testing a law with a pair.
struct LawFinding {
  bool judged = false;      // all answers were EXACT
  std::string broken;       // what is wrong, or ""
  bool about_both = false;  // v was used, too
};
using Law = LawFinding (*)(TestFixture& fixture, const Pair& pair);

std::string at(const char* what, double value) {
  return std::string(what) + " = " + exact_number_text(value);
}

LawFinding homogeneous(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const std::optional<Exact> once = exact(*pair.u, pair.l, pair.example);
  if (!once) return {};
  const Weights doubled = exact.sum(1, *pair.u, *pair.u);
  const std::optional<Exact> twice = exact(doubled, 2 * pair.l, pair.example);
  if (!twice) return {};
  const double apart = std::abs(twice->reply.value - 2 * once->reply.value);
  if (apart <= 2 * once->rounding() + twice->rounding()) return {true, "", false};
  return {true,
          at("H(2u, 2l)", twice->reply.value) + " is not " + at("2 H(u, l)", 2 * once->reply.value),
          false};
}

LawFinding monotone(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const double more = pair.l == 0 ? 0.25 : 4 * pair.l;
  const std::optional<Exact> low = exact(*pair.u, pair.l, pair.example);
  const std::optional<Exact> high = exact(*pair.u, more, pair.example);
  if (!low || !high) return {};
  if (high->reply.value >= low->reply.value - low->rounding() - high->rounding()) {
    return {true, "", false};
  }
  return {true,
          at("H", high->reply.value) + " with the larger loss weight " + exact_number_text(more) +
              " is below " + at("H(u, l)", low->reply.value),
          false};
}

// H((u + v)/2) <= (H(u) + H(v))/2
LawFinding convex(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const std::optional<Exact> one = exact(*pair.u, pair.l, pair.example);
  const std::optional<Exact> other = exact(*pair.v, pair.l, pair.example);
  const Weights middle = exact.sum(0.5, *pair.u, *pair.v);
  const std::optional<Exact> between = exact(middle, pair.l, pair.example);
  if (!one || !other || !between) return {};
  const double chord = (one->reply.value + other->reply.value) / 2;
  const double rounding = one->rounding() + other->rounding() + between->rounding();
  if (between->reply.value <= chord + rounding) return {true, "", true};
  return {true,
          at("H((u + v)/2)", between->reply.value) + " lies above " + at("(H(u) + H(v))/2", chord),
          true};
}

// H(v) >= H(u) + <v - u, psi(y_u)>: at v, the output y_u is not better than the answer there.
LawFinding subgradient(TestFixture& fixture, const Pair& pair) {
  ExactAnswers exact(fixture);
  const std::optional<Exact> one = exact(*pair.u, pair.l, pair.example);
  const std::optional<Exact> other = exact(*pair.v, pair.l, pair.example);
  if (!one || !other) return {};
  const AugmentedScore there =
      augmented_score_of({pair.example, pair.v, pair.l, true, 1}, one->output);
  if (there.value <= other->reply.value + there.terms.rounding() + other->rounding()) {
    return {true, "", true};
  }
  return {true,
          at("H(v)", other->reply.value) + ", but the answer at u, " +
              labels_text(one->output.labels) + ", has at v the value " +
              exact_number_text(there.value),
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
    const int draws = fixture_.level().of(6, 15, 40);
    const std::size_t each = fixture_.loss_weights().size() * fixture_.examples().size();
    TimeBudget pace(fixture_.clock(), context_, static_cast<std::int64_t>(each) * draws,
                    "pairs of w");
    for (int number = 0; number < draws; ++number) {
      const Weights u = fixture_.weights().draw(random, number);
      const Weights v = number % 2 == 0 ? fixture_.weights().normal(random)
                                        : fixture_.weights().draw(random, number + 1);
      for (const double l : fixture_.loss_weights()) {
        for (const std::int64_t example : fixture_.examples()) {
          if (!pace.next()) return end();
          judge({example, l, &u, &v});
        }
      }
    }
    end();
  }

 private:
  void end() {
    if (context_.cases() == 0) context_.skip(fixture_.oracle_name() + " never says EXACT");
  }
  void judge(const Pair& pair) {
    context_.now(OracleQuery{pair.example, pair.u, pair.l, true, 1}.text());
    const LawFinding found = law_(fixture_, pair);
    if (found.judged) context_.count();
    if (found.broken.empty()) return;
    context_.now("making the counter-example small");
    std::vector<double> values = fixture_.weights().on_support(*pair.u);
    const std::vector<double> second = fixture_.weights().on_support(*pair.v);
    values.insert(values.end(), second.begin(), second.end());
    const std::function<bool(const std::vector<double>&)> fails =
        [&](const std::vector<double>& changed) {
          return !fixture_.clock().past(shrink_time_share) && !lines_of(pair, changed).empty();
        };
    if (fails(values)) shrink_values(values, fails, shrink_budget_of_pairs);
    const std::vector<std::string> lines = lines_of(pair, values);
    if (!lines.empty()) context_.fail(lines);
    context_.fail({fixture_.oracle_name() + ": " + found.broken,
                   "  asked again, it is not so: the answers depend on what was asked before"});
  }
  // Returns the lines for the pair with other values, first those of u, then those of v. Empty if
  // the law holds.
  std::vector<std::string> lines_of(const Pair& pair, const std::vector<double>& values) {
    const std::size_t half = values.size() / 2;
    const Weights u = fixture_.weights().with(std::span(values).first(half));
    const Weights v = fixture_.weights().with(std::span(values).last(half));
    const LawFinding found = law_(fixture_, {pair.example, pair.l, &u, &v});
    if (found.broken.empty()) return {};
    std::vector<std::string> lines = {fixture_.oracle_name() + ": " + found.broken,
                                      example_text(fixture_, pair.example) + ", loss_weight l = " +
                                          exact_number_text(pair.l) + "; u is"};
    for (std::string& line : weight_lines(fixture_, u)) lines.push_back(std::move(line));
    if (!found.about_both) return lines;
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
  if (!fixture.takes_loss()) context.skip(fixture.obstacle_to_loss());
  LawTest(fixture, context, "oracle.monotone", monotone).run();
}
void oracle_convex_test(TestFixture& fixture, TestContext& context) {
  LawTest(fixture, context, "oracle.convex", convex).run();
}
void oracle_subgradient_test(TestFixture& fixture, TestContext& context) {
  LawTest(fixture, context, "oracle.subgradient", subgradient).run();
}

}  // namespace

std::span<const ExperimentTest> oracle_shape_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"oracle.homogeneous", oracle_homogeneous_test},
       {"oracle.monotone", oracle_monotone_test},
       {"oracle.convex", oracle_convex_test},
       {"oracle.subgradient", oracle_subgradient_test}}};
  return tests;
}

}  // namespace sculpt::core
