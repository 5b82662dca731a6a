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

// Created, loaded, bound, destroyed.
void life_test(Bench& bench, Findings& findings) {
  findings.now("creating, loading, binding and destroying again and again");
  const auto live = [&] {
    bench.source().make({});
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

// Sessions of each component, opened and closed again and again.
void open_sessions(Bench& bench, Findings& findings) {
  const int times = bench.level().of(10, 30, 100);  // a round
  for (const Component* component : bench.components()) {
    const sculpt_life& life = *component->description().life;
    if (life.open_session == nullptr) continue;
    findings.now("opening and closing sessions of " + component->name() + " again and again");
    const double leaked = leaked_per_round([&] {
      for (int k = 0; k < times; ++k) {
        findings.count();
        void* session = nullptr;
        component->call("open_session", -1, [&](sculpt_error* error) {
          return life.open_session(component->self(), &session, error);
        });
        life.close_session(session);
      }
    });
    if (leaked == 0) continue;
    findings.fail(component->name() + ": opening and closing a session leaks " +
                  number_text(leaked / times) + " bytes each time");
  }
}

// What argmax, features and loss keep grows with what they are asked, but not when that is the
// same.
void session_test(Bench& bench, Findings& findings) {
  open_sessions(bench, findings);
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
