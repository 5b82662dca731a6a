// H(w, l) = max over y of <w, psi(y)> + l Delta(y) of an exact oracle is convex, homogeneous and
// grows with l. These hold without a list of all outputs, so they are asked of large examples too.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "check/counter_example.hpp"
#include "check/judgement.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"

namespace sculpt::core {
namespace {

std::string sum_text(double l) {
  return "H(w, " + exact_number_text(l) + ")";
}

Weights combined(Bench& bench, const Weights& a, double scale, const Weights& b) {
  std::vector<double> values;
  for (const std::int32_t j : bench.weights().support()) {
    const auto k = static_cast<std::size_t>(j);
    values.push_back(scale * (a.vector()[k] + b.vector()[k]));
  }
  return bench.weights().with(values);
}

// The answers that call themselves exact.
class ExactAnswers {
 public:
  explicit ExactAnswers(Bench& bench) : bench_(bench) {}

  // The exact answer, or nothing.
  std::optional<Reply> operator()(const Question& question) {
    Reply reply = ask(bench_.problem(), question);
    const bool usable = reply.has(SCULPT_ANSWER_EXACT) && !reply.has(SCULPT_ANSWER_NO_OUTPUT);
    return usable ? std::optional(std::move(reply)) : std::nullopt;
  }
  // Of the answer's own terms.
  double size(const Question& question, const Reply& reply) {
    return value_of(question, bench_.appraised(question.example, reply.labels)).size;
  }

 private:
  Bench& bench_;
};

void skip_without_cases(Bench& bench, Findings& findings) {
  if (findings.cases() == 0) findings.skip(bench.oracle_name() + " never says EXACT");
}

void homogeneous_test(Bench& bench, Findings& findings) {
  ExactAnswers exact(bench);
  std::unique_ptr<const Weights> doubled;
  std::uint64_t of = 0;  // the stamp of what was doubled
  bench.each_question("oracle.homogeneous", [&](const Question& question) {
    if (of != question.w->stamp()) {
      doubled = std::make_unique<const Weights>(combined(bench, *question.w, 1, *question.w));
      of = question.w->stamp();
    }
    Question twice = question;
    twice.w = doubled.get();
    twice.loss_weight *= 2;
    findings.now(question.text() + ", then with everything doubled");
    const std::optional<Reply> once = exact(question);
    const std::optional<Reply> again = exact(twice);
    if (!once || !again) return;
    findings.count();
    if (std::abs(again->value - 2 * once->value) <= rounding(2 * exact.size(question, *once))) {
      return;
    }
    const Output answer = bench.appraised(question.example, once->labels);
    findings.fail(counter_example(bench,
                                  bench.oracle_name() +
                                      ": H(2w, 2l) = " + exact_number_text(again->value) +
                                      " is not 2 H(w, l) = " + exact_number_text(2 * once->value),
                                  question, {{"answer", &answer}}));
  });
  skip_without_cases(bench, findings);
}

void monotone_test(Bench& bench, Findings& findings) {
  if (!bench.takes_loss()) findings.skip(bench.obstacle_to_loss());
  ExactAnswers exact(bench);
  Random random = bench.random("oracle.monotone");
  for (int number = 0; number < bench.level().of(6, 15, 40); ++number) {
    const Weights w = bench.weights().draw(random, number);
    for (const std::int64_t example : bench.examples()) {
      std::optional<Reply> before;
      double before_l = 0;
      for (const double l : {0.0, 0.25, 1.0, 2.0, 100.0}) {
        const Question question{example, &w, l, true, random.next()};
        findings.now(question.text());
        std::optional<Reply> now = exact(question);
        if (!now) break;
        findings.count();
        const double size = exact.size(question, *now);
        if (before && now->value < before->value - rounding(size)) {
          const Output answer = bench.appraised(example, now->labels);
          findings.fail(counter_example(
              bench,
              bench.oracle_name() + ": " + sum_text(l) + " = " + exact_number_text(now->value) +
                  " is below " + sum_text(before_l) + " = " + exact_number_text(before->value),
              question, {{"answer", &answer}}));
        }
        before = std::move(now);
        before_l = l;
      }
    }
  }
  skip_without_cases(bench, findings);
}

// H((u + v)/2) <= (H(u) + H(v))/2
void convex_test(Bench& bench, Findings& findings) {
  ExactAnswers exact(bench);
  Random random = bench.random("oracle.convex");
  for (int number = 0; number < bench.level().of(6, 15, 40); ++number) {
    const Weights u = bench.weights().draw(random, number);
    const Weights v = bench.weights().normal(random);
    const Weights middle = combined(bench, u, 0.5, v);
    for (const double l : bench.loss_weights()) {
      for (const std::int64_t example : bench.examples()) {
        Question question{example, &u, l, true, random.next()};
        findings.now(question.text());
        const std::optional<Reply> at_u = exact(question);
        question.w = &v;
        const std::optional<Reply> at_v = exact(question);
        const double size = at_v ? exact.size(question, *at_v) : 0;
        question.w = &middle;
        const std::optional<Reply> between = exact(question);
        if (!at_u || !at_v || !between) continue;
        findings.count();
        const double chord = (at_u->value + at_v->value) / 2;
        const double allowed = rounding(size + exact.size(question, *between) +
                                        exact.size({example, &u, l, true, 0}, *at_u));
        if (between->value <= chord + allowed) continue;
        const Output answer = bench.appraised(example, between->labels);
        findings.fail(counter_example(
            bench,
            bench.oracle_name() + ": H is not convex: in the middle between two w it is " +
                exact_number_text(between->value) + ", above the mean of its values there, " +
                exact_number_text(chord),
            question, {{"answer", &answer}}));
      }
    }
  }
  skip_without_cases(bench, findings);
}

// H(v) >= H(u) + <v - u, psi(y_u)>: what was found at u may not beat the answer at v.
void subgradient_test(Bench& bench, Findings& findings) {
  ExactAnswers exact(bench);
  Random random = bench.random("oracle.subgradient");
  for (int number = 0; number < bench.level().of(6, 15, 40); ++number) {
    const Weights u = bench.weights().draw(random, number);
    const Weights v =
        number % 2 == 0 ? bench.weights().normal(random) : bench.weights().draw(random, number + 1);
    for (const double l : bench.loss_weights()) {
      for (const std::int64_t example : bench.examples()) {
        const Question first{example, &u, l, true, random.next()};
        const Question second{example, &v, l, true, random.next()};
        findings.now(second.text() + ", after another w");
        const std::optional<Reply> at_u = exact(first);
        const std::optional<Reply> at_v = exact(second);
        if (!at_u || !at_v) continue;
        findings.count();
        const Output other = bench.appraised(example, at_u->labels);
        const Value value = value_of(second, other);
        if (value.value <= at_v->value + rounding(value.size)) continue;
        const Output answer = bench.appraised(example, at_v->labels);
        findings.fail(counter_example(
            bench,
            bench.oracle_name() +
                " calls its answer EXACT, but an output it found at another w is better by " +
                exact_number_text(value.value - at_v->value),
            second, {{"answer", &answer}, {"better", &other}}));
      }
    }
  }
  skip_without_cases(bench, findings);
}

constexpr std::array<ExperimentTest, 4> tests{{{"oracle.homogeneous", homogeneous_test},
                                               {"oracle.monotone", monotone_test},
                                               {"oracle.convex", convex_test},
                                               {"oracle.subgradient", subgradient_test}}};

}  // namespace

std::span<const ExperimentTest> oracle_shape_tests() {
  return tests;
}

}  // namespace sculpt::core
