// Tests of the answers to several queries from one call (sculpt/ext/batch_argmax.h). The reference
// is argmax for each query alone. The answers must be the same bit by bit.

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <optional>

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
  BatchCase(TestFixture& fixture, TestContext& context, TimeBudget& budget, Sessions& sessions,
            std::vector<OracleQuery> queries)
      : fixture_(fixture),
        context_(context),
        budget_(budget),
        oracle_(fixture.oracle()),
        sessions_(sessions),
        batch_(fixture.oracle(), sessions, 2),
        queries_(std::move(queries)),
        alone_(queries_.size()) {
    for (const OracleQuery& query : queries_)
      raw_.push_back(raw_query_of(fixture.problem(), query));
  }

  // Returns false if the time is over before all batches are asked. Small ones come first.
  bool run(Random& random) {
    const std::size_t count = queries_.size();
    const Order all = all_of(count);
    for (std::size_t k = 0; k + 1 < count; ++k) {
      if (!compare(0, {k + 1, k}, "a batch of two")) return false;
    }
    for (const std::size_t k : all) {
      if (!compare(0, {k}, "a batch of one")) return false;
    }
    Order twice;
    for (const std::size_t k : all) twice.insert(twice.end(), 2, k);
    Order large;  // as large as the host's largest
    for (std::size_t k = 0; k < BatchAnswers::max_block; ++k) large.push_back(k % count);
    const bool is_asked =
        compare(0, all, "a batch of all examples") && (count < 2 || test_error(random)) &&
        compare(1, Order(all.rbegin(), all.rend()),
                "a batch in reverse order, on another session") &&
        compare(1, all, "a batch of all examples, on another session") &&
        compare(0, twice, "a batch with each example twice") &&
        compare(0, shuffled(twice, random), "a batch with each example twice, at random") &&
        compare(0, large, "a batch with all examples in turn") &&
        compare(1, shuffled(large, random), "a large batch at random");
    if (!is_asked || !budget_.takes(std::ssize(queries_))) return false;
    for (const std::size_t k : all) {
      const OwnedAnswer again = ask_alone(0, k);
      if (!(again == alone(k))) refuse(k, "alone is another one after batches", "then", again);
    }
    return true;
  }

 private:
  // How a call with too little memory ended.
  struct CallError {
    sculpt_status status = SCULPT_OK;
    std::int64_t failed = -1;  // of a batch
    std::string text;
  };

  static Order shuffled(Order order, Random& random) {
    random.shuffle(order);
    return order;
  }

  OwnedAnswer ask_alone(int session, std::size_t k) {
    context_.set_activity(queries_[k].text());
    Answer answer;
    answer.clear();
    call_argmax(oracle_, sessions_.for_worker(session), raw_[k], answer);
    return owned(oracle_, queries_[k].example, answer);
  }
  // Returns the first answer to this query alone.
  const OwnedAnswer& alone(std::size_t k) {
    if (!alone_[k]) alone_[k] = ask_alone(0, k);
    return *alone_[k];
  }

  // Returns false if the time is over.
  bool compare(int session, const Order& order, const std::string& what) {
    const auto new_ones = std::count_if(order.begin(), order.end(),
                                        [this](std::size_t k) { return !alone_[k].has_value(); });
    if (!budget_.takes(std::ssize(order) + new_ones)) return false;
    for (const std::size_t k : order) alone(k);
    context_.set_activity(what + ", the first query is about " + queries_[order.front()].text());
    std::vector<sculpt_query> asked;
    for (const std::size_t k : order) asked.push_back(raw_[k]);
    const auto failure = batch_.ask(session, asked, answers_);
    if (failure) throw Failure(failure->failure);
    for (std::size_t position = 0; position < order.size(); ++position) {
      const std::size_t k = order[position];
      context_.count();
      const OwnedAnswer answer = owned(oracle_, queries_[k].example, answers_[position]);
      if (answer == alone(k)) continue;
      refuse(k,
             "is another one as answer " + std::to_string(position) + " of " + what + " (" +
                 std::to_string(order.size()) + " queries)",
             "in batch", answer);
    }
    return true;
  }

  // Two queries of a batch of all cannot write their labels. The error is that of the first one
  // alone, and the next batch is right. Returns false if the time is over.
  bool test_error(Random& random) {
    const std::size_t count = queries_.size();
    const std::size_t failing = random.below(count);
    const std::size_t last = count - 1;
    if (alone(failing).labels.empty() || alone(last).labels.empty()) return true;
    if (!budget_.takes(std::ssize(queries_) + 1)) return false;
    context_.set_activity("a batch in which " + queries_[failing].text() + " gets no memory");
    const CallError by_argmax = ask_alone_without_memory(failing);
    const CallError by_batch = ask_batch_without_memory({failing, last});
    context_.count();
    const auto refuse_error = [&](const std::string& what) {
      context_.fail({fixture_.oracle_name() + ": query " + std::to_string(failing) +
                         " of a batch gets no memory for its labels, " + what,
                     example_text(fixture_, queries_[failing].example)});
    };
    if (by_argmax.status == SCULPT_OK) refuse_error("but argmax returns SCULPT_OK for it alone");
    if (by_batch.status == SCULPT_OK) refuse_error("but the call returns SCULPT_OK");
    if (by_batch.failed != static_cast<std::int64_t>(failing)) {
      refuse_error("but the call says that query " + std::to_string(by_batch.failed) +
                   " failed; set *failed to the first query that fails");
    }
    if (by_batch.status != by_argmax.status || by_batch.text != by_argmax.text) {
      refuse_error("but the call returns status " + std::to_string(by_batch.status) + ", \"" +
                   by_batch.text + "\"; argmax alone returns " + std::to_string(by_argmax.status) +
                   ", \"" + by_argmax.text + "\"");
    }
    return compare(0, all_of(count), "a batch of all examples after an error");
  }

  CallError ask_alone_without_memory(std::size_t k) {
    Answer answer;
    answer.clear();
    sculpt_answer without_memory = without_room(answer);
    CallError result;
    ErrorBuffer error;
    result.status = oracle_.run_in_call_scope("argmax", queries_[k].example, [&] {
      return oracle_.api<sculpt_oracle_api>().argmax(sessions_.for_worker(0), &raw_[k],
                                                     &without_memory, error.raw());
    });
    result.text = error.text();
    return result;
  }

  // Asks about all queries. Those in `failing` get no memory.
  CallError ask_batch_without_memory(const Order& failing) {
    std::deque<Answer> answers;
    std::deque<sculpt_answer> without_memory;
    std::vector<const sculpt_query*> queries;
    std::vector<sculpt_answer*> raw_answers;
    for (const sculpt_query& query : raw_) {
      queries.push_back(&query);
      answers.emplace_back().clear();
      raw_answers.push_back(answers.back().raw());
    }
    for (const std::size_t k : failing) {
      raw_answers[k] = &without_memory.emplace_back(without_room(answers[k]));
    }
    CallError result;
    ErrorBuffer error;
    result.status = oracle_.run_in_call_scope("batch_argmax", -1, [&] {
      return oracle_.extension<sculpt_ext_batch_argmax>()->argmax(
          sessions_.for_worker(0), static_cast<std::int64_t>(queries.size()), queries.data(),
          raw_answers.data(), &result.failed, error.raw());
    });
    result.text = error.text();
    return result;
  }

  // Returns an answer whose labels have no room and cannot grow.
  static sculpt_answer without_room(Answer& answer) {
    sculpt_answer raw = *answer.raw();
    raw.labels = {raw.labels.data, 0, 0, refuse_to_grow};
    return raw;
  }

  [[noreturn]] void refuse(std::size_t k, const std::string& what, const std::string& when,
                           const OwnedAnswer& answer) {
    std::vector<std::string> lines = {
        fixture_.oracle_name() + ": the answer " + what,
        example_text(fixture_, queries_[k].example) + "; " + queries_[k].text(),
        "  alone: " + alone(k).text(), "  " + when + ": " + answer.text()};
    for (std::string& line : weight_lines(fixture_, *queries_[k].w)) {
      lines.push_back(std::move(line));
    }
    context_.fail(lines);
  }

  TestFixture& fixture_;
  TestContext& context_;
  TimeBudget& budget_;
  const Component& oracle_;
  Sessions& sessions_;
  BatchAnswers batch_;
  std::vector<OracleQuery> queries_;
  std::vector<sculpt_query> raw_;
  std::vector<std::optional<OwnedAnswer>> alone_;
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
  TimeBudget budget(fixture.timer(), context, TimeBudget::unknown_total, "queries");
  for (int number = 1; number <= draws; ++number) {
    const Weights w = fixture.weights().draw(random, number);
    const auto is_in_time = [&](double loss_weight, bool has_truth) {
      std::vector<OracleQuery> queries;
      for (const std::int64_t example : fixture.examples()) {
        queries.push_back({example, &w, loss_weight, has_truth, random.next()});
      }
      return BatchCase(fixture, context, budget, sessions, std::move(queries)).run(random);
    };
    for (const double loss_weight : fixture.loss_weights()) {
      if (!is_in_time(loss_weight, true)) return;
    }
    if (!oracle.has_trait(SCULPT_TRAIT_SEPARATION_SET) && !is_in_time(0, false)) return;
  }
}

}  // namespace

std::span<const ExperimentTest> batch_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"oracle.batch", oracle_batch_test}}};
  return tests;
}

}  // namespace sculpt::core
