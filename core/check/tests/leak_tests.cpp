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
// For one round of answers. leaked_per_round() repeats it in 2 + 10 rounds (leaked_memory.cpp),
// which take twelve times as long.
constexpr double first_answers_time = 0.025;

// Asks one query, so that each session gets memory for it.
void use_sessions(TestFixture& fixture, Problem& problem, const Weights& w) {
  const std::int64_t example = fixture.examples().front();
  const sculpt_labels truth = fixture.truth(example);
  for (const double loss_weight : fixture.loss_weights()) {
    ask_oracle(problem, {example, &w, loss_weight, /*has_truth=*/true, 1});
  }
  SparseAccumulator scratch(problem.dimension());
  SparseVector psi;
  problem.features().vector(0, example, truth, Exit::plugin, scratch, psi);
  if (problem.loss() != nullptr) problem.loss()->value(0, example, truth, truth);
}

// Creates, loads, binds, asks and destroys the components.
void life_leak_test(TestFixture& fixture, TestContext& context) {
  context.set_activity("creating, loading, binding, asking and destroying repeatedly");
  Random random = fixture.random("life.leak");
  const Weights w = fixture.weights().normal(random);
  const auto run_life = [&] {
    const std::unique_ptr<Problem> problem = fixture.factory().make({});
    if (!fixture.examples().empty()) use_sessions(fixture, *problem, w);
    context.count();
  };
  const Stopwatch watch;
  run_life();
  const int repeats = repetitions(watch.seconds(), lives_time * fixture.timer().limit(),
                                  fixture.level().choose(1, 3, 10));  // in each round
  if (repeats == 0) {
    context.skip("loading takes too long to repeat it; set a larger --time-limit");
  }
  const double leaked = leaked_per_round([&] {
    for (int k = 0; k < repeats; ++k) run_life();
  });
  if (leaked == 0) return;
  context.fail("creating, loading, binding, asking and destroying the components leaks " +
               number_text(leaked / repeats) + " bytes each time");
}

// Opens and closes sessions of a component many times.
void open_sessions(const Component& component, double seconds, int max_repetitions,
                   TestContext& context) {
  const sculpt_life& life = *component.description().life;
  context.set_activity("opening and closing sessions of " + component.name() + " repeatedly");
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
  const int repeats = repetitions(watch.seconds(), seconds, max_repetitions);  // in each round
  if (repeats == 0) {
    return context.remark("opening a session of " + component.name() +
                          " takes too long to repeat it; set a larger --time-limit");
  }
  const double leaked = leaked_per_round([&] {
    for (int k = 0; k < repeats; ++k) open();
  });
  if (leaked == 0) return;
  context.fail(component.name() + ": opening and closing a session leaks " +
               number_text(leaked / repeats) + " bytes each time");
}

void open_all_sessions(TestFixture& fixture, TestContext& context) {
  const std::vector<const Component*> components = fixture.components();
  const double seconds =
      sessions_time * fixture.timer().limit() / static_cast<double>(components.size());
  for (const Component* component : components) {
    if (component->description().life->open_session == nullptr) continue;
    open_sessions(*component, seconds, fixture.level().choose(10, 30, 100), context);
  }
}

// Memory of argmax, features and loss may grow with new queries, but not if the same ones are
// repeated.
void sessions_leak_test(TestFixture& fixture, TestContext& context) {
  open_all_sessions(fixture, context);
  std::vector<OracleQuery> queries;
  Random random = fixture.random("sessions.leak");
  const Weights w = fixture.weights().normal(random);
  for (const double loss_weight : fixture.loss_weights()) {
    for (const std::int64_t example : fixture.examples()) {
      queries.push_back({example, &w, loss_weight, /*has_truth=*/true, random.next()});
    }
  }
  if (queries.empty()) context.skip("no example has a complete truth");
  const auto run_query = [&](const OracleQuery& query) {
    context.set_activity(query.text() + ", repeatedly");
    context.count();
    const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    if (!answer.has_flag(SCULPT_ANSWER_NO_OUTPUT))
      fixture.with_psi_and_loss(query.example, answer.labels);
  };
  const TestTimer timer(fixture.timer().limit());
  TimeBudget budget(timer, context, static_cast<std::int64_t>(queries.size()), "queries",
                    first_answers_time);
  std::size_t query_count = 0;
  for (; query_count < queries.size() && budget.next(); ++query_count)
    run_query(queries[query_count]);
  queries.resize(query_count);
  const double leaked = leaked_per_round([&] {
    for (const OracleQuery& query : queries) run_query(query);
  });
  if (leaked == 0) return;
  context.warn("the same queries, with psi and loss of the answers, take " +
               number_text(leaked / static_cast<double>(queries.size())) +
               " more bytes each time; a long run would take all memory");
}

}  // namespace

std::span<const ExperimentTest> leak_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"sessions.leak", sessions_leak_test}, {"life.leak", life_leak_test}}};
  return tests;
}

}  // namespace sculpt::core
