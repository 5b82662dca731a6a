// Tests of sessions: two threads with a session each get the answers of one thread. Sessions close
// in any order.

#include <algorithm>
#include <array>
#include <exception>
#include <thread>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/fixture/asking_time.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// The first thread gets 1/15 of the query time. Two threads, perhaps on one processor, repeat its
// queries at least five times.
constexpr double reference_time_fraction = query_time_fraction / 15;

// Queries, and the answers that a single thread gets.
struct ReferenceAnswers {
  std::vector<Weights> weights;
  std::vector<OracleQuery> queries;
  std::vector<OwnedAnswer> answers;
  std::vector<Output> outputs;  // with psi and loss; empty for other answers
};

// Draws the queries, and asks them with one thread.
void make_reference(TestFixture& fixture, TestContext& context, bool is_relaxed,
                    ReferenceAnswers& reference) {
  Random random = fixture.random("sessions.threads");
  for (int number = 1; number <= 4; ++number) {
    reference.weights.push_back(fixture.weights().draw(random, number));
  }
  for (const Weights& w : reference.weights) {
    for (const double loss_weight : fixture.loss_weights()) {
      for (const std::int64_t example : fixture.examples()) {
        reference.queries.push_back(
            {example, &w, loss_weight, /*has_truth=*/true, random.next(), is_relaxed});
      }
    }
  }
  const auto total = static_cast<std::int64_t>(reference.queries.size());
  TimeBudget budget(fixture.timer(), context, total, "queries", reference_time_fraction);
  for (const OracleQuery& query : reference.queries) {
    if (!budget.next()) break;
    OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    const bool has_no_labels = answer.has_flag(SCULPT_ANSWER_NO_OUTPUT) || answer.fractional();
    reference.outputs.push_back(
        has_no_labels ? Output() : fixture.with_psi_and_loss(query.example, answer.labels));
    reference.answers.push_back(std::move(answer));
  }
  reference.queries.resize(reference.answers.size());
}

// One of the two threads. Keeps its first wrong answer or its exception.
class QueryThread {
 public:
  QueryThread(Problem& problem, const ReferenceAnswers& reference, const TestTimer& timer,
              int worker)
      : problem_(problem),
        reference_(reference),
        timer_(timer),
        worker_(worker),
        scratch_(problem.dimension()) {}

  // Asks all queries five times. Goes on until there are enough overlaps or the other thread has
  // ended. If the answers are slow, stops when the time for queries is over.
  void run(const AskingTime& time, CallOverlaps& overlaps) {
    const auto thread_index = static_cast<std::size_t>(worker_);
    overlaps.enter(thread_index);
    try {
      ask_repeatedly(time, overlaps);
    } catch (const std::exception& exception) {
      error_ = exception.what();
    }
    overlaps.leave(thread_index);
  }
  const std::string& error() const { return error_; }
  std::size_t checked_count() const { return checked_count_; }

 private:
  void ask_repeatedly(const AskingTime& time, CallOverlaps& overlaps) {
    const std::size_t count = reference_.queries.size();
    const auto thread_index = static_cast<std::size_t>(worker_);
    const Stopwatch watch;
    for (int round = 0; round < 5 || !time.is_over(watch, overlaps); ++round) {
      for (std::size_t k = 0; k < count; ++k, ++checked_count_) {
        if (checked_count_ > 0 && timer_.is_query_time_over(query_time_fraction)) return;
        const bool forwards = (round + worker_) % 2 == 0;
        overlaps.run_overlapping(thread_index, [&] { check_answer(forwards ? k : count - 1 - k); });
        if (!error_.empty()) return;
      }
    }
  }

  void check_answer(std::size_t k) {
    const OracleQuery& query = reference_.queries[k];
    const OwnedAnswer answer = ask_oracle(problem_, query, worker_);
    if (!(answer == reference_.answers[k])) {
      error_ = query.text() + ": " + answer.text() + "; one thread gives " +
               reference_.answers[k].text();
      return;
    }
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT) || answer.fractional()) return;
    const Output& known = reference_.outputs[k];
    SparseVector psi;
    problem_.features().vector(worker_, query.example, known.raw(), Exit::plugin, scratch_, psi);
    if (psi.index != known.psi.index || psi.value != known.psi.value) {
      error_ = query.text() + ": psi of " + labels_text(known.labels) +
               " differs from that of one thread";
      return;
    }
    if (problem_.loss() == nullptr) return;
    const sculpt_labels truth = problem_.dataset().truth(query.example);
    const double loss = problem_.loss()->value(worker_, query.example, truth, known.raw());
    if (loss == known.loss) return;
    error_ = query.text() + ": the loss of " + labels_text(known.labels) + " is " +
             exact_number_text(loss) + "; one thread gives " + exact_number_text(known.loss);
  }

  Problem& problem_;
  const ReferenceAnswers& reference_;
  const TestTimer& timer_;
  int worker_;
  SparseAccumulator scratch_;
  std::string error_;
  std::size_t checked_count_ = 0;
};

// Compares the answers of two threads with those of one.
void ask_with_threads(TestFixture& fixture, TestContext& context, bool is_relaxed) {
  context.set_activity("asking with one thread");
  ReferenceAnswers reference;
  make_reference(fixture, context, is_relaxed, reference);
  if (reference.queries.empty()) context.skip("no example has a complete truth");
  context.set_activity("loading and binding for two threads");
  const std::unique_ptr<Problem> shared =
      fixture.factory().make({2, {}, std::nullopt, std::nullopt});
  if (!shared->serial_warning().empty()) context.skip(shared->serial_warning());
  context.set_activity("asking with two threads");
  std::array<QueryThread, 2> threads{QueryThread(*shared, reference, fixture.timer(), 0),
                                     QueryThread(*shared, reference, fixture.timer(), 1)};
  const AskingTime time = asking_time(fixture);
  {
    CallOverlaps overlaps;
    std::thread second([&] { threads[1].run(time, overlaps); });
    threads[0].run(time, overlaps);
    second.join();
  }
  for (std::size_t k = 0; k < reference.queries.size(); ++k) context.count();
  for (const QueryThread& thread : threads) {
    if (thread.error().empty()) continue;
    context.fail(
        {"two threads with their own sessions give other answers than one thread: they write to "
         "memory that both use",
         thread.error()});
  }
  const std::size_t min_count = std::min(threads[0].checked_count(), threads[1].checked_count());
  if (min_count >= 5 * reference.queries.size()) return;
  context.remark("a thread made only " + std::to_string(min_count) +
                 " queries because the time was over; a larger --time-limit allows more");
}

// Opens three sessions and closes them in every order. The problem's own sessions must give the
// same answer after each.
void sessions_close_test(TestFixture& fixture, TestContext& context) {
  if (fixture.examples().empty()) context.skip("no example has a complete truth");
  Random random = fixture.random("sessions.close");
  const Weights w = fixture.weights().normal(random);
  const OracleQuery query{fixture.examples().front(), &w, 0, true, 1};
  const OwnedAnswer before = ask_oracle(fixture.problem(), query);
  TimeBudget budget(fixture.timer(), context,
                    6 * static_cast<std::int64_t>(fixture.components().size()),
                    "orders of closing sessions");
  for (const Component* component : fixture.components()) {
    const sculpt_life& life = *component->description().life;
    if (life.open_session == nullptr) continue;
    for (const auto& order : {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 0, 2},
                              std::array{1, 2, 0}, std::array{0, 2, 1}, std::array{2, 0, 1}}) {
      if (!budget.next()) return;
      context.set_activity("opening and closing sessions of " + component->name());
      context.count();
      std::array<void*, 3> sessions = {};
      for (void*& session : sessions) {
        component->call("open_session", -1, [&](sculpt_error* error) {
          return life.open_session(component->self(), &session, error);
        });
      }
      for (const int index : order) {
        life.close_session(sessions[static_cast<std::size_t>(index)]);
        const OwnedAnswer after = ask_oracle(fixture.problem(), query);
        if (after == before) continue;
        context.fail(component->name() + ": closing another session changes the answer to " +
                     "the same query: " + after.text() + "; before: " + before.text());
      }
    }
  }
  if (context.cases() == 0) context.skip_not_offered("sessions of any component");
}

void sessions_threads_test(TestFixture& fixture, TestContext& context) {
  ask_with_threads(fixture, context, false);
}

void cut_threads_test(TestFixture& fixture, TestContext& context) {
  require_relaxed(fixture, context);
  ask_with_threads(fixture, context, true);
}

}  // namespace

std::span<const ExperimentTest> session_tests() {
  static constexpr std::array<ExperimentTest, 3> tests{{{"sessions.threads", sessions_threads_test},
                                                        {"sessions.close", sessions_close_test},
                                                        {"cut.threads", cut_threads_test}}};
  return tests;
}

}  // namespace sculpt::core
