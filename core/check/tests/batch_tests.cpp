// Tests of the answers to several queries from one call (sculpt/ext/batch_argmax.h). The reference
// is argmax for each query alone. The answers must be the same bit by bit.

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>

#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/oracle/argmax_call.hpp"
#include "problem/oracle/batch_answers.hpp"

namespace sculpt::core {
namespace {

using Order = std::vector<std::size_t>;  // numbers of queries

Order all_of(std::size_t count) {
  Order order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

OwnedAnswer owned(const Component& oracle, std::int64_t example, const Answer& answer) {
  if (!answer.has_valid_size()) {
    oracle.refuse(Exit::plugin, example, "gives an output of an impossible size");
  }
  return OwnedAnswer(answer);
}

// A label buffer that does not grow: the oracle must report an error.
sculpt_status refuse_to_grow(sculpt_label_buffer*, std::int64_t) {
  return SCULPT_E_MEMORY;
}

// Queries with the same w and loss_weight, and the answers that the oracle gives to each alone.
class BatchCase {
 public:
  BatchCase(TestFixture& fixture, TestContext& context, Sessions& sessions,
            std::vector<OracleQuery> queries)
      : fixture_(fixture),
        context_(context),
        oracle_(fixture.oracle()),
        sessions_(sessions),
        batch_(fixture.oracle(), sessions, 2),
        queries_(std::move(queries)) {
    for (const OracleQuery& query : queries_)
      raw_.push_back(raw_query_of(fixture.problem(), query));
    for (std::size_t k = 0; k < raw_.size(); ++k) alone_.push_back(ask_alone(0, k));
  }

  void run(Random& random) {
    const std::size_t count = queries_.size();
    const Order all = all_of(count);
    for (const std::size_t k : all) compare(0, {k}, "a batch of one");
    for (std::size_t k = 0; k + 1 < count; ++k) compare(0, {k + 1, k}, "a batch of two");
    compare(0, all, "a batch of all examples");
    compare(1, Order(all.rbegin(), all.rend()), "a batch in reverse order, on another session");
    compare(1, all, "a batch of all examples, on another session");
    Order twice;
    for (const std::size_t k : all) twice.insert(twice.end(), 2, k);
    compare(0, twice, "a batch with each example twice");
    random.shuffle(twice);
    compare(0, twice, "a batch with each example twice, at random");
    if (count > 1) test_error(random.below(count));
    for (const std::size_t k : all) {
      const OwnedAnswer again = ask_alone(0, k);
      if (!(again == alone_[k])) refuse(k, "alone is another one after batches", "then", again);
    }
  }

 private:
  OwnedAnswer ask_alone(int session, std::size_t k) {
    context_.set_activity(queries_[k].text());
    Answer answer;
    answer.clear();
    call_argmax(oracle_, sessions_.for_worker(session), raw_[k], answer);
    return owned(oracle_, queries_[k].example, answer);
  }

  void compare(int session, const Order& order, const std::string& what) {
    context_.set_activity(what + ", the first query is about " + queries_[order.front()].text());
    std::vector<sculpt_query> asked;
    for (const std::size_t k : order) asked.push_back(raw_[k]);
    const auto failure = batch_.ask(session, asked, answers_);
    if (failure) throw Failure(failure->failure);
    for (std::size_t position = 0; position < order.size(); ++position) {
      const std::size_t k = order[position];
      context_.count();
      const OwnedAnswer answer = owned(oracle_, queries_[k].example, answers_[position]);
      if (answer == alone_[k]) continue;
      refuse(k,
             "is another one as answer " + std::to_string(position) + " of " + what + " (" +
                 std::to_string(order.size()) + " queries)",
             "in batch", answer);
    }
  }

  // Query `failing` of a batch of all cannot write its labels. The error belongs to that query, and
  // the next batch is right.
  void test_error(std::size_t failing) {
    const bool writes = !alone_[failing].labels.empty();
    if (!writes) return;
    context_.set_activity("a batch in which " + queries_[failing].text() + " gets no memory");
    std::deque<Answer> answers;
    std::vector<const sculpt_query*> queries;
    std::vector<sculpt_answer*> raw_answers;
    for (const sculpt_query& query : raw_) {
      queries.push_back(&query);
      answers.emplace_back().clear();
      raw_answers.push_back(answers.back().raw());
    }
    sculpt_answer without_memory = *raw_answers[failing];
    without_memory.labels = {without_memory.labels.data, 0, 0, refuse_to_grow};
    raw_answers[failing] = &without_memory;
    std::int64_t failed = -1;
    ErrorBuffer error;
    const sculpt_status status = oracle_.run_in_call_scope("batch_argmax", -1, [&] {
      return oracle_.extension<sculpt_ext_batch_argmax>()->argmax(
          sessions_.for_worker(0), static_cast<std::int64_t>(queries.size()), queries.data(),
          raw_answers.data(), &failed, error.raw());
    });
    context_.count();
    const auto position = static_cast<std::int64_t>(failing);
    if (status == SCULPT_OK) {
      context_.fail(fixture_.oracle_name() + ": answer " + std::to_string(position) +
                    " of a batch got no memory for its labels, but the call returns SCULPT_OK");
    }
    if (failed != -1 && failed != position) {
      context_.fail(fixture_.oracle_name() + ": query " + std::to_string(position) +
                    " of a batch failed, but the call says that query " + std::to_string(failed) +
                    " did");
    }
    compare(0, all_of(queries_.size()), "a batch of all examples after an error");
  }

  [[noreturn]] void refuse(std::size_t k, const std::string& what, const std::string& when,
                           const OwnedAnswer& answer) {
    std::vector<std::string> lines = {
        fixture_.oracle_name() + ": the answer " + what,
        example_text(fixture_, queries_[k].example) + "; " + queries_[k].text(),
        "  alone: " + alone_[k].text(), "  " + when + ": " + answer.text()};
    for (std::string& line : weight_lines(fixture_, *queries_[k].w)) {
      lines.push_back(std::move(line));
    }
    context_.fail(lines);
  }

  TestFixture& fixture_;
  TestContext& context_;
  const Component& oracle_;
  Sessions& sessions_;
  BatchAnswers batch_;
  std::vector<OracleQuery> queries_;
  std::vector<sculpt_query> raw_;
  std::vector<OwnedAnswer> alone_;
  std::deque<Answer> answers_;
};

void oracle_batch_test(TestFixture& fixture, TestContext& context) {
  const Component& oracle = fixture.oracle();
  const bool is_map_solver = oracle.description().kind == SCULPT_KIND_MAP_SOLVER;
  if (is_map_solver || !BatchAnswers::is_offered_by(oracle)) {
    context.skip_not_offered("answers in batches (" SCULPT_EXT_BATCH_ARGMAX ") of " +
                             fixture.oracle_name());
  }
  if (fixture.examples().empty()) context.skip("no example has a complete truth");
  Random random = fixture.random("oracle.batch");
  Sessions sessions(oracle, 2);
  const int draws = fixture.level().choose(3, 6, 12);
  TimeBudget budget(fixture.timer(), context, draws, "weights");
  for (int number = 1; number <= draws && budget.next(); ++number) {
    const Weights w = fixture.weights().draw(random, number);
    const auto test = [&](double loss_weight, bool has_truth) {
      std::vector<OracleQuery> queries;
      for (const std::int64_t example : fixture.examples()) {
        queries.push_back({example, &w, loss_weight, has_truth, random.next()});
      }
      BatchCase(fixture, context, sessions, std::move(queries)).run(random);
    };
    for (const double loss_weight : fixture.loss_weights()) test(loss_weight, true);
    if (!oracle.has_trait(SCULPT_TRAIT_SEPARATION_SET)) test(0, false);
  }
}

}  // namespace

std::span<const ExperimentTest> batch_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"oracle.batch", oracle_batch_test}}};
  return tests;
}

}  // namespace sculpt::core
