// What is done again and again leaves no memory behind: the whole life of the components of an
// experiment, and the same questions to them.

#include <array>

#include "check/leak.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"
#include "stopwatch.hpp"

namespace sculpt::core {
namespace {

constexpr double slow = 0.2;  // seconds; what takes longer is not done a hundred times

// Created, loaded, bound, asked once, destroyed.
void life_test(Bench& bench, Findings& findings) {
  findings.now("creating, loading, binding and destroying again and again");
  Random random = bench.random("life.leak");
  const Weights w = bench.weights().normal(random);
  const auto live = [&] {
    const std::unique_ptr<Problem> problem = bench.source().make({});
    if (!bench.examples().empty()) ask(*problem, {bench.examples().front(), &w, 0, true, 1});
    findings.count();
  };
  const Stopwatch watch;
  live();
  if (watch.seconds() > slow) findings.skip("loading takes too long to be done again and again");
  const int times = bench.level().of(1, 3, 10);  // a round
  const double leaked = leaked_per_round([&] {
    for (int k = 0; k < times; ++k) live();
  });
  if (leaked == 0) return;
  findings.fail("the life of the components, from create over load and bind to destroy, leaks " +
                number_text(leaked / times) + " bytes each time");
}

// What argmax, features and loss keep grows with what they are asked, but not when that is the
// same.
void session_test(Bench& bench, Findings& findings) {
  std::vector<Question> questions;
  Random random = bench.random("sessions.leak");
  const Weights w = bench.weights().normal(random);
  for (const double l : bench.loss_weights()) {
    for (const std::int64_t example : bench.examples()) {
      questions.push_back({example, &w, l, true, random.next()});
    }
  }
  if (questions.empty()) findings.skip("no example has a whole truth");
  const Stopwatch watch;
  const auto ask_all = [&] {
    for (const Question& question : questions) {
      findings.now(question.text() + ", again and again");
      findings.count();
      const Reply reply = ask(bench.problem(), question);
      if (!reply.has(SCULPT_ANSWER_NO_OUTPUT)) bench.appraised(question.example, reply.labels);
    }
  };
  ask_all();
  const double most = slow * bench.level().of(1, 3, 10);
  if (watch.seconds() > most) findings.skip("an answer takes too long to ask again and again");
  const double leaked = leaked_per_round(ask_all);
  if (leaked == 0) return;
  findings.warn("the same questions, with psi and loss of the answers, take up " +
                number_text(leaked / static_cast<double>(questions.size())) +
                " more bytes each time they are asked: a long run takes all memory");
}

constexpr std::array<ExperimentTest, 2> tests{
    {{"sessions.leak", session_test}, {"life.leak", life_test}}};

}  // namespace

std::span<const ExperimentTest> leak_tests() {
  return tests;
}

}  // namespace sculpt::core
