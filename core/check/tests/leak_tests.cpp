// Tests that repeated operations leak no memory: the whole life of an experiment's components, and
// the same queries.

#include <array>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/system/leaked_memory.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// Fractions of the time limit of a test.
constexpr double lives_time = 0.5;
constexpr double sessions_time = 0.2;
constexpr double first_answers_time = 0.025;  // all answers take twelve times more

// Creates, loads, binds and destroys the components.
void life_leak_test(TestFixture& fixture, TestContext& context) {
  context.now("creating, loading, binding and destroying again and again");
  const auto live = [&] {
    fixture.source().make({});
    context.count();
  };
  const Stopwatch watch;
  live();
  const int times = repetitions(watch.seconds(), lives_time * fixture.clock().limit(),
                                fixture.level().of(1, 3, 10));  // in each round
  if (times == 0) {
    context.skip("loading takes too long to be done again and again (--time-limit)");
  }
  const double leaked = leaked_per_round([&] {
    for (int k = 0; k < times; ++k) live();
  });
  if (leaked == 0) return;
  context.fail("the life of the components, from create over load and bind to destroy, leaks " +
               number_text(leaked / times) + " bytes each time");
}

// Opens and closes sessions of a component many times.
void open_sessions(const Component& component, double time, int most, TestContext& context) {
  const sculpt_life& life = *component.description().life;
  context.now("opening and closing sessions of " + component.name() + " again and again");
  const auto open = [&] {
    context.count();
    void* session = nullptr;
    component.call("open_session", -1, [&](sculpt_error* error) {
      return life.open_session(component.self(), &session, error);
    });
    life.close_session(session);
  };
  const Stopwatch watch;
  open();
  const int times = repetitions(watch.seconds(), time, most);  // in each round
  if (times == 0) {
    return context.remark("the sessions of " + component.name() +
                          " take too long to be opened again and again (--time-limit)");
  }
  const double leaked = leaked_per_round([&] {
    for (int k = 0; k < times; ++k) open();
  });
  if (leaked == 0) return;
  context.fail(component.name() + ": opening and closing a session leaks " +
               number_text(leaked / times) + " bytes each time");
}

void open_all_sessions(TestFixture& fixture, TestContext& context) {
  const std::vector<const Component*> components = fixture.components();
  const double time =
      sessions_time * fixture.clock().limit() / static_cast<double>(components.size());
  for (const Component* component : components) {
    if (component->description().life->open_session == nullptr) continue;
    open_sessions(*component, time, fixture.level().of(10, 30, 100), context);
  }
}

// Memory of argmax, features and loss may grow with new queries, but not if the same ones are
// repeated.
void sessions_leak_test(TestFixture& fixture, TestContext& context) {
  open_all_sessions(fixture, context);
  std::vector<OracleQuery> questions;
  Random random = fixture.random("sessions.leak");
  const Weights w = fixture.weights().normal(random);
  for (const double l : fixture.loss_weights()) {
    for (const std::int64_t example : fixture.examples()) {
      questions.push_back({example, &w, l, true, random.next()});
    }
  }
  if (questions.empty()) context.skip("no example has a whole truth");
  const auto answer = [&](const OracleQuery& question) {
    context.now(question.text() + ", again and again");
    context.count();
    const OwnedAnswer reply = ask(fixture.problem(), question);
    if (!reply.has(SCULPT_ANSWER_NO_OUTPUT))
      fixture.with_psi_and_loss(question.example, reply.labels);
  };
  const TestTimer clock(fixture.clock().limit());
  TimeBudget pace(clock, context, static_cast<std::int64_t>(questions.size()), "questions",
                  first_answers_time);
  std::size_t asked = 0;
  for (; asked < questions.size() && pace.next(); ++asked) answer(questions[asked]);
  questions.resize(asked);
  const double leaked = leaked_per_round([&] {
    for (const OracleQuery& question : questions) answer(question);
  });
  if (leaked == 0) return;
  context.warn("the same questions, with psi and loss of the answers, take up " +
               number_text(leaked / static_cast<double>(questions.size())) +
               " more bytes each time they are asked: a long run takes all memory");
}

}  // namespace

std::span<const ExperimentTest> leak_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"sessions.leak", sessions_leak_test}, {"life.leak", life_leak_test}}};
  return tests;
}

}  // namespace sculpt::core
