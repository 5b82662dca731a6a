#include "problem/oracle/oracle.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"
#include "problem/oracle/argmax_call.hpp"
#include "problem/plugin/call_with_accumulator.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/relaxed_answer_struct.hpp"

namespace sculpt::core {
namespace {

// Refuses an answer that does not agree with the partial truth of its query.
void refuse_other_labels(const Component& oracle, const sculpt_query& query, const Answer& answer) {
  const sculpt_labels labels = answer.labels();
  if (labels.size != query.truth.size) {
    oracle.refuse(Exit::plugin, query.example,
                  "completes " + count_text(query.truth.size, "label") + " to an output of " +
                      std::to_string(labels.size));
  }
  for (std::int64_t k = 0; k < labels.size; ++k) {
    if (query.truth.data[k] < 0 || labels.data[k] == query.truth.data[k]) continue;
    oracle.refuse(Exit::plugin, query.example,
                  "its completion has label " + std::to_string(labels.data[k]) + " at position " +
                      std::to_string(k) + ", where the partial truth has " +
                      std::to_string(query.truth.data[k]));
  }
}

}  // namespace

const std::string& Oracle::obstacle_to_loss() const {
  static const std::string none;
  return none;
}

void Oracle::repeat_if_guarded(const Component& component, int threads) {
  if (!component.services().is_guarded()) return;
  answer_check_ = std::make_unique<AnswerRepeatCheck>(threads);
  frontier_check_ = std::make_unique<FrontierRepeatCheck>(threads);
}

void Oracle::argmax(int worker, const sculpt_query& query, Answer& answer,
                    double stop_escalating_above) {
  answer.clear();
  compute_argmax(worker, query, stop_escalating_above, answer);
  check_answer(worker, query, answer);
  if (!answer_check_) return;
  const auto ask = [&](const sculpt_query& again, Answer& repeated) {
    compute_argmax(worker, again, stop_escalating_above, repeated);
    check_answer(worker, again, repeated);
  };
  answer_check_->check(worker, component(), query, answer, ask);
}

void Oracle::relaxed(int worker, const sculpt_query& query, SparseAccumulator& scratch,
                     SparseVector& psi, Answer& answer, double stop_escalating_above) {
  answer.clear();
  compute_relaxed(worker, query, stop_escalating_above, scratch, psi, answer);
  check_answer(worker, query, answer);
  if (!answer_check_) return;
  SparseVector psi_again;
  const auto ask = [&](const sculpt_query& again, Answer& repeated) {
    compute_relaxed(worker, again, stop_escalating_above, scratch, psi_again, repeated);
    check_answer(worker, again, repeated);
  };
  answer_check_->check(worker, component(), query, answer, ask);
}

void Oracle::complete(int worker, const sculpt_query& query, Answer& answer) {
  if (!completes()) {
    throw Failure(Exit::internal,
                  component().name() + ": got a partial truth, but cannot complete it");
  }
  const auto ask = [&](const sculpt_query& same, Answer& out) {
    compute_completion(worker, same, out);
    check_answer(worker, same, out);
    if (!out.has_flag(SCULPT_ANSWER_NO_OUTPUT)) refuse_other_labels(component(), same, out);
  };
  answer.clear();
  ask(query, answer);
  // Not with the queries of argmax(): those are repeated later, when this truth no longer exists.
  if (answer_check_) AnswerRepeatCheck(1).check(0, component(), query, answer, ask);
}

void Oracle::begin_k_best(int worker, const sculpt_query& query) {
  series_->begin_k_best(worker, query);
}

void Oracle::next_best(int worker, const sculpt_query& query, Answer& answer) {
  series_->next_best(worker, answer);
  check_answer(worker, query, answer);
}

double Oracle::begin_draws(int worker, const sculpt_query& query) {
  return series_->begin_draws(worker, query);
}

void Oracle::draw(int worker, const sculpt_query& query, std::uint64_t seed, Answer& answer) {
  series_->draw(worker, seed, answer);
  check_answer(worker, query, answer);
}

void Oracle::compute_relaxed(int, const sculpt_query&, double, SparseAccumulator&, SparseVector&,
                             Answer&) {
  throw Failure(Exit::internal,
                component().name() + ": got a query for a relaxed answer, but offers none");
}

void Oracle::check_answer(int worker, const sculpt_query& query, Answer& answer) const {
  const auto refuse = [&](const std::string& text) {
    component().refuse(Exit::plugin, query.example, text);
  };
  if (answer.info.oracle == nullptr) answer.info.oracle = &component();
  if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
  if (answer.fractional()) {
    const double loss = answer.info.loss;
    if (!std::isfinite(loss) || loss < 0) {
      refuse("the loss of its relaxed answer is " + std::to_string(loss));
    }
  } else {
    check_labels(worker, query.example, answer);
  }
  if (!std::isfinite(answer.value())) {
    refuse("the value of its answer is " + std::to_string(answer.value()));
  }
  if (answer.has_flag(SCULPT_ANSWER_BOUND) && !std::isfinite(answer.bound())) {
    refuse("the bound of its answer is " + std::to_string(answer.bound()));
  }
}

const Frontier::Shape& Oracle::begin(int worker, const sculpt_query& query) {
  return frontier_->begin(worker, query.example, frontier_query(worker, query));
}

void Oracle::output(int worker, std::int64_t example, const Counts& counts, Answer& answer) {
  frontier_->output(worker, counts, answer);
  check_labels(worker, example, answer);
}

void Oracle::next_best_outputs(int, const Answer&, double, std::int64_t,
                               std::vector<std::int32_t>& outputs) {
  outputs.clear();
}

const Frontier::Shape& Oracle::begin_frontier(int worker, const sculpt_query& query) {
  const Frontier::Shape& shape = begin(worker, query);
  if (frontier_check_) frontier_check_->record_begin(worker, query, shape);
  return shape;
}

void Oracle::frontier_slice(int worker, std::int64_t first, std::vector<double>& score) {
  frontier_->slice(worker, first, score);
  if (frontier_check_) frontier_check_->record_slice(worker, first, score);
}

void Oracle::frontier_output(int worker, std::int64_t example, const Counts& counts,
                             Answer& answer) {
  output(worker, example, counts, answer);
  if (frontier_check_) frontier_check_->record_output(worker, counts, answer);
}

void Oracle::end_frontier(int worker) {
  if (!frontier_check_) return;
  const FrontierRepeatCheck::FrontierCalls calls = {
      [&](const sculpt_query& query) -> const Frontier::Shape& { return begin(worker, query); },
      [&](std::int64_t first, std::vector<double>& score) {
        frontier_->slice(worker, first, score);
      },
      [&](std::int64_t example, const Counts& counts, Answer& answer) {
        output(worker, example, counts, answer);
      }};
  frontier_check_->check(worker, component(), count_loss().counts(), calls);
}

void Oracle::require_frontier_fits(int worker, const sculpt_query& query) {
  frontier_->begin(worker, query.example, frontier_query_at_zero(worker, query));
}

void Oracle::require_largest_fits(std::int64_t) {}

ComponentOracle::ComponentOracle(Component& component, Loss* loss, OutputShapes& shapes,
                                 int threads)
    : component_(component), shapes_(shapes), sessions_(component, threads) {
  repeat_if_guarded(component, threads);
  relaxed_table_ = component_.extension<sculpt_ext_cut>();
  complete_table_ = component_.extension<sculpt_ext_complete>();
  if (BatchAnswers::is_offered_by(component_)) {
    batch_answers_ = std::make_unique<BatchAnswers>(component_, sessions_, threads);
    batch_values_.resize(static_cast<std::size_t>(threads));
  }
  if (ComponentExpectations::is_offered_by(component_)) {
    offer(std::make_unique<ComponentExpectations>(component_, sessions_));
  }
  offer(std::make_unique<ComponentSeries>(component_, sessions_, threads));
  if (component_.extension<sculpt_ext_frontier>() == nullptr) {
    obstacle_to_frontier_ = component_.name() + " offers no frontier (" SCULPT_EXT_FRONTIER ")";
    return;
  }
  const std::optional<CountLoss> counts =
      loss == nullptr ? std::nullopt : CountLoss::if_offered(*loss);
  if (!counts) {
    obstacle_to_frontier_ = (loss == nullptr ? "no loss" : loss->component().name()) +
                            " has no counts (" SCULPT_EXT_COUNT_LOSS ")";
    return;
  }
  offer(std::make_unique<Frontier>(component_, sessions_, *counts, threads));
}

void ComponentOracle::announce(int worker, std::span<const sculpt_query> queries,
                               BatchValues* values) {
  if (!batch_answers_) return;
  batch_values_[static_cast<std::size_t>(worker)] = values;
  batch_answers_->announce(worker, queries);
}

void ComponentOracle::fill_values(int worker, std::span<const sculpt_query> queries,
                                  std::deque<Answer>& answers) const {
  BatchValues* const values = batch_values_[static_cast<std::size_t>(worker)];
  if (values == nullptr) return;
  std::vector<BatchValues::Item> items;
  for (std::size_t k = 0; k < queries.size(); ++k) {
    Answer& answer = answers[k];
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) continue;
    if (!label_fault(worker, queries[k].example, answer).empty()) continue;
    items.push_back({queries[k].example, queries[k].truth, answer.labels(), &answer.values});
  }
  const sculpt_weights& w = queries.front().weights;
  values->fill(worker, std::span(w.data, static_cast<std::size_t>(w.size)), items);
}

void ComponentOracle::compute_argmax(int worker, const sculpt_query& query, double,
                                     Answer& answer) {
  const BatchAnswers::OnBlock on_block = [this, worker](auto queries, auto& answers) {
    fill_values(worker, queries, answers);
  };
  if (batch_answers_ && batch_answers_->take(worker, query, on_block, answer)) return;
  call_argmax(component_, sessions_.for_worker(worker), query, answer);
}

void ComponentOracle::compute_relaxed(int worker, const sculpt_query& query, double,
                                      SparseAccumulator& scratch, SparseVector& psi,
                                      Answer& answer) {
  const LentQuery lent(component_, query);
  RelaxedAnswerStruct answer_struct(answer);
  FilledLabels labels(component_, answer_struct.raw()->labels);
  call_with_accumulator(component_, "cut", query.example, Exit::plugin, scratch,
                        [&](auto* sum, auto* error) {
                          return relaxed_table_->cut(sessions_.for_worker(worker), lent.raw(), sum,
                                                     answer_struct.raw(), error);
                        });
  labels.take();
  lent.require_unchanged();
  answer_struct.copy_to_answer();
  if (answer.fractional()) scratch.merge(psi);
}

void ComponentOracle::check_labels(int worker, std::int64_t example, const Answer& answer) const {
  const std::string fault = label_fault(worker, example, answer);
  if (!fault.empty()) component_.refuse(Exit::plugin, example, fault);
}

std::string ComponentOracle::label_fault(int worker, std::int64_t example,
                                         const Answer& answer) const {
  const sculpt_labels labels = answer.labels();
  if (!answer.has_valid_size()) {
    return "gives an output of the impossible size " + std::to_string(labels.size);
  }
  if (shapes_.is_known()) {
    const std::string fault = shapes_.fault(worker, example, labels);
    return fault.empty() ? "" : "its answer " + fault;
  }
  const std::int32_t* const end = labels.data + labels.size;
  const std::int32_t* const unknown = std::find(labels.data, end, -1);
  if (unknown == end) return "";
  return "its answer has the label -1 at position " + std::to_string(unknown - labels.data) +
         "; only truths may have unknown labels";
}

void ComponentOracle::compute_completion(int worker, const sculpt_query& query, Answer& answer) {
  const LentQuery lent(component_, query);
  FilledLabels labels(component_, answer.raw()->labels);
  component_.call("complete", query.example, [&](sculpt_error* error) {
    return complete_table_->complete(sessions_.for_worker(worker), lent.raw(), answer.raw(), error);
  });
  labels.take();
  lent.require_unchanged();
}

sculpt_frontier_query ComponentOracle::frontier_query(int, const sculpt_query& query) {
  sculpt_frontier_query out = {};
  out.query = &query;
  return out;
}

}  // namespace sculpt::core
