#include "batch/task_batch.hpp"

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "batch/graph_arrays.hpp"
#include "batch/score_range.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/plugin/unknown_labels.hpp"

namespace sculpt::core {

namespace {

bool shares_weights(const sculpt_batch_task_input& input, std::int64_t dimension) {
  return input.weights_size == dimension;
}

void add(double scale, const SparseVector& psi, double* to) {
  for (std::size_t k = 0; k < psi.index.size(); ++k) to[psi.index[k]] += scale * psi.value[k];
}

double score_of(const SparseVector& psi, const sculpt_weights& w) {
  double sum = 0;
  for (std::size_t k = 0; k < psi.index.size(); ++k) sum += psi.value[k] * w.data[psi.index[k]];
  return sum;
}

}  // namespace

TaskBatch::TaskBatch(Problem& problem)
    : problem_(problem), examples_(problem.dataset().split("train")) {
  if (problem.kernel() != nullptr) {
    throw Failure(Exit::config,
                  "a batch needs weights of features, and this experiment has a kernel; remove it, "
                  "or use explicit rows");
  }
  nonnegative_ = problem.features().nonnegative(problem.dimension());
  while (scratches_.size() < static_cast<std::size_t>(problem.workers().threads())) {
    scratches_.push_back(std::make_unique<Scratch>(problem.dimension()));
  }
}

// The name of a component that must be called from one thread, or "".
std::string TaskBatch::serial_component() {
  const Component* const components[] = {
      &problem_.dataset().component(), &problem_.features().component(),
      problem_.loss() == nullptr ? nullptr : &problem_.loss()->component(),
      &problem_.oracle().component()};
  for (const Component* const one : components) {
    if (one != nullptr && one->has_trait(SCULPT_TRAIT_SERIAL)) return one->name();
  }
  return "";
}

void TaskBatch::check(const BatchQuantity& quantity, const sculpt_batch_task_input& input) const {
  const std::int64_t count = input.example_count;
  if (count < 0) {
    refuse_call(quantity.function, "example_count is " + std::to_string(count));
  }
  if (count > 0 && input.examples == nullptr) refuse_call(quantity.function, "examples is NULL");
  for (std::int64_t k = 0; k < count; ++k) {
    if (input.examples[k] >= 0 && input.examples[k] < example_count()) continue;
    refuse_call(quantity.function, "examples[" + std::to_string(k) + "] is " +
                                       std::to_string(input.examples[k]) + "; there are " +
                                       count_text(example_count(), "example"));
  }
  const std::int64_t dimension = this->dimension();
  const bool is_for_each =
      input.weights_size % std::max<std::int64_t>(1, dimension) == 0 &&
      input.weights_size / std::max<std::int64_t>(1, dimension) == (dimension == 0 ? 0 : count);
  if (!shares_weights(input, dimension) && !is_for_each) {
    refuse_call(quantity.function, "weights_size is " + std::to_string(input.weights_size) +
                                       "; it must be " + std::to_string(dimension) +
                                       ", or as much for each of " + count_text(count, "example"));
  }
  if (input.weights_size > 0 && input.weights == nullptr) {
    refuse_call(quantity.function, "weights is NULL");
  }
  for (std::int64_t k = 0; input.example_weights != nullptr && k < count; ++k) {
    if (std::isfinite(input.example_weights[k])) continue;
    throw Failure(Exit::data, std::string(quantity.function) + ": example_weights[" +
                                  std::to_string(k) + "] is not finite");
  }
}

// Throws Failure(Exit::config) if the components cannot compute the quantity.
void TaskBatch::require_components(const BatchQuantity& quantity) const {
  Oracle& oracle = problem_.oracle();
  std::string obstacle;
  if (quantity.sums && oracle.expectations() == nullptr) {
    obstacle = oracle.component().name() +
               " offers no expectations; choose an oracle that does, or the loss hinge";
  } else if (quantity.has_delta) {
    obstacle =
        quantity.sums ? oracle.expectations()->obstacle_to_loss() : oracle.obstacle_to_loss();
    if (!obstacle.empty()) obstacle += "; use the perceptron or the log-loss, or another loss";
  }
  if (obstacle.empty()) return;
  throw Failure(Exit::config, std::string(quantity.function) + ": " + obstacle);
}

void TaskBatch::require_weights(const BatchQuantity& quantity, std::span<const double> weights,
                                std::int64_t element) const {
  std::size_t wrong = first_out_of_range(weights);
  const char* what = "it must be between -1e100 and 1e100";
  if (wrong == weights.size() && !nonnegative_.empty()) {
    what = "the features demand that it is not negative";
    wrong = 0;
    while (wrong < weights.size() && (nonnegative_[wrong] == 0 || weights[wrong] >= 0)) ++wrong;
  }
  if (wrong == weights.size()) return;
  Failure failure(Exit::data, std::string(quantity.function) + ": weight " + std::to_string(wrong) +
                                  " of element " + std::to_string(element) + " is " +
                                  std::to_string(weights[wrong]) + "; " + what);
  throw Failure(failure);
}

void TaskBatch::compute(const BatchQuantity& quantity, const sculpt_batch_task_input& input,
                        const sculpt_batch_task_output& output) {
  const auto turn = use_.enter(quantity.function, serial_component());
  label_from_.clear();
  check(quantity, input);
  require_components(quantity);
  const std::int64_t dimension = this->dimension();
  const bool shares = shares_weights(input, dimension);
  sculpt_weights weights = {nullptr, dimension, 0};
  if (shares) {
    shared_w_.assign(input.weights, input.weights + dimension);
    require_weights(quantity, shared_w_, 0);
    weights = {shared_w_.data(), dimension, next_stamp()};
  }
  outputs_.resize(quantity.sums ? 0 : static_cast<std::size_t>(input.example_count));
  sums_.begin(input.example_count, dimension, shares && output.gradient != nullptr);
  problem_.workers().run_ranges(
      input.example_count, sums_.block_size(),
      [&](std::int64_t begin, std::int64_t end, int worker) {
        double* const sum = sums_.begin_block(begin);
        for (std::int64_t k = begin; k < end; ++k) {
          problem_.services().throw_if_cancelled();
          Element element{k,      examples_[input.examples[k]],
                          worker, *scratches_[static_cast<std::size_t>(worker)],
                          {},     sum};
          if (!shares && output.gradient != nullptr) {
            element.gradient = output.gradient + k * dimension;
          }
          sculpt_query& query = element.query;
          query.struct_size = sizeof query;
          query.example = element.example;
          query.seed = oracle_seed(input.seed, 0, element.example);
          query.weights = weights;
          if (!shares) {
            Vector& w = element.scratch.w;
            w.assign(input.weights + k * dimension, input.weights + (k + 1) * dimension);
            require_weights(quantity, w, k);
            query.weights = {w.data(), dimension, next_stamp()};
            if (element.gradient != nullptr) std::fill_n(element.gradient, dimension, 0.0);
          }
          compute_element(quantity, input, output, element);
        }
      });
  sums_.write(problem_.workers(), output.gradient);
  if (!quantity.sums) join_outputs();
}

void TaskBatch::compute_element(const BatchQuantity& quantity, const sculpt_batch_task_input& input,
                                const sculpt_batch_task_output& output, const Element& element) {
  const auto number = static_cast<std::size_t>(element.number);
  Element with_truth = element;
  if (quantity.is_loss) {
    with_truth.query.truth = problem_.dataset().truth(element.example);
    if (with_truth.query.truth.data == nullptr) {
      problem_.dataset().refuse(Exit::data, element.example, "it has no truth, which a loss needs");
    }
  }
  const Value best =
      quantity.sums ? sum_outputs(quantity, with_truth) : find_best(quantity, with_truth);
  Value value = quantity.is_loss ? subtract_truth(quantity, with_truth, best) : best;
  if (!quantity.sums) {
    const sculpt_labels labels = element.scratch.best.labels();
    outputs_[number].assign(labels.data, labels.data + labels.size);
  }
  const double factor = input.example_weights == nullptr ? 1 : input.example_weights[number];
  const bool is_below_truth = quantity.is_loss && !quantity.sums && value.value < 0;
  if (element.gradient != nullptr && !is_below_truth) {
    add(factor, element.scratch.best_psi, element.gradient);
    if (quantity.is_loss) add(-factor, element.scratch.truth_psi, element.gradient);
  }
  if (is_below_truth) value.value = 0;
  if (quantity.is_loss) value.upper_bound = std::max(value.upper_bound, value.value);
  if (output.values != nullptr) output.values[number] = value.value;
  if (output.exact != nullptr) output.exact[number] = value.is_exact ? 1 : 0;
  if (output.upper_bounds != nullptr) output.upper_bounds[number] = value.upper_bound;
}

// Returns A of a maximum. best_psi = psi of its output.
TaskBatch::Value TaskBatch::find_best(const BatchQuantity& quantity, const Element& element) {
  Scratch& scratch = element.scratch;
  sculpt_query query = element.query;
  query.loss_weight = quantity.has_delta ? 1 : 0;
  problem_.oracle().argmax(element.worker, query, scratch.best);
  if (scratch.best.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
    problem_.dataset().refuse(Exit::data, element.example, "the oracle has no output for it");
  }
  const sculpt_labels labels = scratch.best.labels();
  problem_.features().vector(element.worker, element.example, labels, Exit::plugin, scratch.sum,
                             scratch.best_psi);
  Value value;
  value.value = score_of(scratch.best_psi, query.weights);
  if (quantity.has_delta) {
    value.value += problem_.loss()->value(element.worker, element.example, query.truth, labels);
  }
  value.is_exact = scratch.best.has_flag(SCULPT_ANSWER_EXACT);
  value.upper_bound = value.is_exact ? value.value : scratch.best.upper_bound();
  return value;
}

// Returns A of a sum. best_psi = E[psi].
TaskBatch::Value TaskBatch::sum_outputs(const BatchQuantity& quantity, const Element& element) {
  Scratch& scratch = element.scratch;
  sculpt_query query = element.query;
  query.loss_weight = quantity.has_delta ? 1 : 0;
  const LogZ log_z = problem_.oracle().expectations()->mean(element.worker, query, scratch.sum);
  if (!std::isfinite(log_z.value)) {
    problem_.dataset().refuse(Exit::data, element.example, "the oracle has no output for it");
  }
  scratch.sum.merge(scratch.best_psi);
  return {log_z.value, log_z.is_exact ? log_z.value : infinity, log_z.is_exact};
}

// Returns A - B. truth_psi = psi of the truth, or of the best output that agrees with it.
TaskBatch::Value TaskBatch::subtract_truth(const BatchQuantity& quantity, const Element& element,
                                           Value value) {
  Scratch& scratch = element.scratch;
  sculpt_labels truth = element.query.truth;
  if (has_unknown_label(truth)) {
    Oracle& oracle = problem_.oracle();
    if (quantity.sums || !oracle.completes()) {
      problem_.dataset().refuse(
          Exit::data, element.example,
          quantity.sums ? "labels of its truth are not known; use the hinge or the perceptron"
                        : "labels of its truth are not known, and " + oracle.component().name() +
                              " does not complete them");
    }
    oracle.complete(element.worker, element.query, scratch.completion);
    if (scratch.completion.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
      problem_.dataset().refuse(Exit::data, element.example, "no output agrees with its truth");
    }
    value.is_exact = value.is_exact && scratch.completion.has_flag(SCULPT_ANSWER_EXACT);
    truth = scratch.completion.labels();
  }
  problem_.features().vector(element.worker, element.example, truth, Exit::data, scratch.sum,
                             scratch.truth_psi);
  const double score = score_of(scratch.truth_psi, element.query.weights);
  value.value -= score;
  value.upper_bound -= score;
  return value;
}

void TaskBatch::join_outputs() {
  label_from_.assign(1, 0);
  labels_.clear();
  for (const std::vector<std::int32_t>& output : outputs_) {
    labels_.insert(labels_.end(), output.begin(), output.end());
    label_from_.push_back(static_cast<std::int64_t>(labels_.size()));
  }
}

}  // namespace sculpt::core
