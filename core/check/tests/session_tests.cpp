// Tests of sessions: two threads with a session each get the answers of one thread. Sessions close
// in any order.

#include <algorithm>
#include <array>
#include <exception>
#include <thread>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/system/call_overlaps.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// The first thread gets 1/15 of the query time. Two threads, perhaps on one processor, repeat its
// queries at least five times.
constexpr double first_asking_ends = query_time_share / 15;

// Queries, and the answers that a single thread gets.
struct ReferenceAnswers {
  std::vector<Weights> weights;
  std::vector<OracleQuery> questions;
  std::vector<OwnedAnswer> replies;
  std::vector<Output> outputs;  // with psi and loss; empty for other answers
};

void ask_all(TestFixture& fixture, TestContext& context, bool relaxed, ReferenceAnswers& asked) {
  Random random = fixture.random("sessions.threads");
  for (int number = 1; number <= 4; ++number) {
    asked.weights.push_back(fixture.weights().draw(random, number));
  }
  for (const Weights& w : asked.weights) {
    for (const double l : fixture.loss_weights()) {
      for (const std::int64_t example : fixture.examples()) {
        asked.questions.push_back({example, &w, l, true, random.next(), relaxed});
      }
    }
  }
  const auto total = static_cast<std::int64_t>(asked.questions.size());
  TimeBudget pace(fixture.clock(), context, total, "questions", first_asking_ends);
  for (const OracleQuery& question : asked.questions) {
    if (!pace.next()) break;
    OwnedAnswer reply = ask(fixture.problem(), question);
    const bool none = reply.has(SCULPT_ANSWER_NO_OUTPUT) || reply.fractional();
    asked.outputs.push_back(none ? Output()
                                 : fixture.with_psi_and_loss(question.example, reply.labels));
    asked.replies.push_back(std::move(reply));
  }
  asked.questions.resize(asked.replies.size());
}

// How long two threads ask.
struct Duration {
  double least;           // seconds
  double most;            // seconds
  std::int64_t overlaps;  // stops between the two times after this many
};

// Two free processors reach thousands of overlaps within the least time.
Duration asking_time(const TestFixture& fixture) {
  const CheckLevel level = fixture.level();
  const double most = query_time_share / 2 * fixture.clock().limit();
  return {std::min(level.of(0.02, 0.05, 0.15), most), std::min(level.of(0.2, 0.6, 1.5), most),
          level.of(50, 100, 300)};
}

// One of the two threads. Keeps its first wrong answer or its exception.
class QueryThread {
 public:
  QueryThread(Problem& problem, const ReferenceAnswers& asked, const TestTimer& clock, int worker)
      : problem_(problem),
        asked_(asked),
        clock_(clock),
        worker_(worker),
        scratch_(problem.dimension()) {}

  // Asks all queries five times. Goes on until there are enough overlaps or the other thread has
  // ended. If the answers are slow, stops when the time for queries is over.
  void run(const Duration& duration, CallOverlaps& overlaps) {
    const auto own = static_cast<std::size_t>(worker_);
    overlaps.join(own);
    try {
      ask_again_and_again(duration, overlaps);
    } catch (const std::exception& problem) {
      wrong_ = problem.what();
    }
    overlaps.leave(own);
  }
  const std::string& wrong() const { return wrong_; }
  std::size_t judged() const { return judged_; }

 private:
  void ask_again_and_again(const Duration& duration, CallOverlaps& overlaps) {
    const std::size_t count = asked_.questions.size();
    const auto own = static_cast<std::size_t>(worker_);
    const Stopwatch watch;
    const auto enough = [&] {
      const double seconds = watch.seconds();
      return seconds >= duration.most ||
             (seconds >= duration.least && overlaps.count() >= duration.overlaps);
    };
    for (int round = 0; round < 5 || !(overlaps.over() || enough()); ++round) {
      for (std::size_t k = 0; k < count; ++k, ++judged_) {
        if (judged_ > 0 && clock_.asked(query_time_share)) return;
        const bool forwards = (round + worker_) % 2 == 0;
        overlaps.run_overlapping(own, [&] { judge(forwards ? k : count - 1 - k); });
        if (!wrong_.empty()) return;
      }
    }
  }

  void judge(std::size_t k) {
    const OracleQuery& question = asked_.questions[k];
    const OwnedAnswer reply = ask(problem_, question, worker_);
    if (!(reply == asked_.replies[k])) {
      wrong_ = question.text() + ": " + reply.text() + "; one thread alone has " +
               asked_.replies[k].text();
      return;
    }
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT) || reply.fractional()) return;
    const Output& known = asked_.outputs[k];
    SparseVector psi;
    problem_.features().vector(worker_, question.example, known.raw(), Exit::plugin, scratch_, psi);
    if (psi.index != known.psi.index || psi.value != known.psi.value) {
      wrong_ = question.text() + ": psi of " + labels_text(known.labels) +
               " is not what one thread alone has";
      return;
    }
    if (problem_.loss() == nullptr) return;
    const sculpt_labels truth = problem_.dataset().truth(question.example);
    const double loss = problem_.loss()->of(worker_, question.example, truth, known.raw());
    if (loss == known.loss) return;
    wrong_ = question.text() + ": the loss of " + labels_text(known.labels) + " is " +
             exact_number_text(loss) + "; one thread alone has " + exact_number_text(known.loss);
  }

  Problem& problem_;
  const ReferenceAnswers& asked_;
  const TestTimer& clock_;
  int worker_;
  SparseAccumulator scratch_;
  std::string wrong_;
  std::size_t judged_ = 0;
};

void ask_with_threads(TestFixture& fixture, TestContext& context, bool relaxed) {
  context.now("asking with one thread");
  ReferenceAnswers asked;
  ask_all(fixture, context, relaxed, asked);
  if (asked.questions.empty()) context.skip("no example has a whole truth");
  context.now("loading and binding for two threads");
  const std::unique_ptr<Problem> shared =
      fixture.source().make({2, {}, std::nullopt, std::nullopt});
  if (!shared->serial_note().empty()) context.skip(shared->serial_note());
  context.now("asking with two threads");
  std::array<QueryThread, 2> askers{QueryThread(*shared, asked, fixture.clock(), 0),
                                    QueryThread(*shared, asked, fixture.clock(), 1)};
  const Duration duration = asking_time(fixture);
  {
    CallOverlaps overlaps;
    std::thread second([&] { askers[1].run(duration, overlaps); });
    askers[0].run(duration, overlaps);
    second.join();
  }
  for (std::size_t k = 0; k < asked.questions.size(); ++k) context.count();
  for (const QueryThread& asker : askers) {
    if (asker.wrong().empty()) continue;
    context.fail(
        {"two threads, each with sessions of its own, find what one alone does not: "
         "something is shared that is written to",
         asker.wrong()});
  }
  const std::size_t least = std::min(askers[0].judged(), askers[1].judged());
  if (least >= 5 * asked.questions.size()) return;
  context.remark("each thread has asked " + std::to_string(least) +
                 " times only, for want of time (--time-limit gives more)");
}

// Opens three sessions and closes them in every order. The problem's own sessions must give the
// same answer after each.
void sessions_close_test(TestFixture& fixture, TestContext& context) {
  if (fixture.examples().empty()) context.skip("no example has a whole truth");
  Random random = fixture.random("sessions.close");
  const Weights w = fixture.weights().normal(random);
  const OracleQuery question{fixture.examples().front(), &w, 0, true, 1};
  const OwnedAnswer before = ask(fixture.problem(), question);
  TimeBudget pace(fixture.clock(), context,
                  6 * static_cast<std::int64_t>(fixture.components().size()),
                  "orders of closing sessions");
  for (const Component* component : fixture.components()) {
    const sculpt_life& life = *component->description().life;
    if (life.open_session == nullptr) continue;
    for (const auto& order : {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 0, 2},
                              std::array{1, 2, 0}, std::array{0, 2, 1}, std::array{2, 0, 1}}) {
      if (!pace.next()) return;
      context.now("opening and closing sessions of " + component->name());
      context.count();
      std::array<void*, 3> sessions = {};
      for (void*& session : sessions) {
        component->call("open_session", -1, [&](sculpt_error* error) {
          return life.open_session(component->self(), &session, error);
        });
      }
      for (const int place : order) {
        life.close_session(sessions[static_cast<std::size_t>(place)]);
        const OwnedAnswer after = ask(fixture.problem(), question);
        if (after == before) continue;
        context.fail(component->name() + ": after another session was closed the same question " +
                     "has another answer: " + after.text() + "; before: " + before.text());
      }
    }
  }
  if (context.cases() == 0) context.skip("no component has sessions");
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
