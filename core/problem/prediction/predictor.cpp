#include "problem/prediction/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "base/text/message_text.hpp"
#include "parallel/ranks/shared_items.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/prediction/metric_list.hpp"
#include "problem/prediction/uniformity.hpp"
#include "problem/prediction/value_stream.hpp"

namespace sculpt::core {

namespace {

// Number of outputs in memory at a time.
constexpr std::int64_t window_size = 1024;
}  // namespace

// A component that offers metrics. Its sums are [first_sum, first_sum + sum_count) of
// MetricSums::sums.
struct Predictor::MetricSource {
  const Component& component;
  std::function<void*(int worker)> session;
  const sculpt_ext_metrics& table;
  std::span<const sculpt_metric> metrics;
  std::size_t first_sum;
  std::size_t sum_count;
};

struct Predictor::MetricSums {
  explicit MetricSums(std::size_t sum_count) : sums(sum_count, 0.0) {}
  void operator+=(const MetricSums& other) {
    labelled_count += other.labelled_count;
    measured_count += other.measured_count;
    no_output_count += other.no_output_count;
    loss += other.loss;
    squared_loss += other.squared_loss;
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += other.sums[k];
    uniformity.add(other.uniformity);
  }
  std::int64_t labelled_count = 0;
  std::int64_t measured_count = 0;  // with a truth and an output
  std::int64_t no_output_count = 0;
  // Computed from the sum and the sum of squares of the losses.
  double loss_standard_error() const {
    if (measured_count < 2) return std::nan("");
    const auto n = static_cast<double>(measured_count);
    return std::sqrt(std::max(0.0, squared_loss - loss * loss / n) / (n - 1) / n);
  }
  double loss = 0;
  double squared_loss = 0;
  std::vector<double> sums;
  Uniformity uniformity;
};

Predictor::Predictor(Problem& problem, const Vector& w, std::uint64_t run_seed, Oracle& oracle)
    : problem_(problem), oracle_(oracle), w_(w), run_seed_(run_seed), stamp_(next_stamp()) {
  if (static_cast<std::int64_t>(w.size()) != problem.dimension()) {
    throw Failure(Exit::plugin, problem.features().component().name() + ": has " +
                                    std::to_string(problem.dimension()) +
                                    " weights, but the model has " + std::to_string(w.size()) +
                                    "; the model may come from another version");
  }
  if (problem_.services().is_fenced()) {
    fenced_weights_ = std::make_unique<ReadOnlyWeights>(problem.dimension());
    fenced_weights_->copy_from(w);
  }
  if (problem_.loss() != nullptr) {
    add_source(problem_.loss()->component(),
               [this](int worker) { return problem_.loss()->session(worker); });
  }
  add_source(problem_.dataset().component(),
             [this](int worker) { return problem_.dataset().session(worker); });
  for (int worker = 0; worker < problem_.workers().threads(); ++worker) {
    answers_.push_back(std::make_unique<Answer>());
  }
}

Predictor::~Predictor() = default;

void Predictor::add_source(const Component& component, std::function<void*(int)> session) {
  const auto* const table = component.extension<sculpt_ext_metrics>();
  if (table == nullptr) return;
  const MetricList list = metrics_of(component);
  sources_.push_back(
      {component, std::move(session), *table, list.metrics, sum_count_, list.sum_count});
  sum_count_ += list.sum_count;
}

Evaluation Predictor::run(const ExampleList& examples, const Sink& sink) {
  MetricSums total(sum_count_);
  std::vector<Prediction> window;
  for (std::int64_t from = 0; from < examples.size(); from += window_size) {
    window.resize(static_cast<std::size_t>(std::min(window_size, examples.size() - from)));
    predict_window(examples, from, window);
    measure_window(examples, from, window, total);
    if (!sink) continue;
    for (std::int64_t k = 0; k < std::ssize(window); ++k)
      sink(examples[from + k], window[static_cast<std::size_t>(k)]);
  }
  Evaluation evaluation;
  evaluation.examples = examples.size();
  evaluation.labelled_count = total.labelled_count;
  evaluation.measured_count = total.measured_count;
  evaluation.unlabelled_count = examples.size() - total.labelled_count;
  evaluation.no_output_count = total.no_output_count;
  if (problem_.loss() != nullptr) evaluation.loss_standard_error = total.loss_standard_error();
  if (total.labelled_count > 0) evaluation.metrics = finish(total);
  evaluation.warning = total.labelled_count == 0 && examples.size() > 0
                           ? "nothing is measured, because no example has a truth"
                           : total.uniformity.text(problem_.dataset());
  return evaluation;
}

// Predicts the examples from `from` on, as many as the window has, on all threads and ranks.
void Predictor::predict_window(const ExampleList& examples, std::int64_t from,
                               std::vector<Prediction>& window) {
  const auto predict_part = [&](std::int64_t first, std::int64_t last, StepParts* parts) {
    const std::int64_t size = last - first;
    problem_.workers().run_ranges(
        size, oracle_.range_size(size, problem_.workers()),
        [&](std::int64_t begin, std::int64_t end, int worker) {
          const ItemTimer timer(parts, first + begin, first + end);
          announce(worker, examples, {from + first + begin, from + first + end});
          for (std::int64_t k = first + begin; k < first + end; ++k) {
            predict(worker, examples[from + k], window[static_cast<std::size_t>(k)]);
          }
        });
  };
  const auto example_at = [&](std::int64_t k) { return examples[from + k]; };
  share_items(
      problem_.division(), StepItems{"predictions", std::ssize(window), example_at}, predict_part,
      [&](std::int64_t k, StateWriter& out) { save(window[static_cast<std::size_t>(k)], out); },
      [&](std::int64_t k, StateReader& in) { load(in, window[static_cast<std::size_t>(k)]); });
}

// Adds the loss and the metrics of a window to `total`. Its ranges follow from its size alone: the
// sums depend on them.
void Predictor::measure_window(const ExampleList& examples, std::int64_t from,
                               const std::vector<Prediction>& window, MetricSums& total) {
  const std::int64_t size = std::ssize(window);
  const std::int64_t range_size = Workers::range_size(size);
  const auto range_count = static_cast<std::size_t>((size + range_size - 1) / range_size);
  std::vector<MetricSums> sums_of_ranges(range_count, MetricSums(sum_count_));
  problem_.workers().run_ranges(
      size, range_size, [&](std::int64_t begin, std::int64_t end, int worker) {
        for (std::int64_t k = begin; k < end; ++k) {
          measure(worker, examples[from + k], window[static_cast<std::size_t>(k)],
                  sums_of_ranges[static_cast<std::size_t>(begin / range_size)]);
        }
      });
  for (const MetricSums& range_sums : sums_of_ranges) total += range_sums;
}

sculpt_query Predictor::query_about(std::int64_t example) const {
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.example = example;
  query.seed = oracle_seed(run_seed_, 0, example + first_number_);
  const double* const w = fenced_weights_ ? fenced_weights_->values().data() : w_.data();
  query.weights = sculpt_weights{w, problem_.dimension(), stamp_};
  return query;
}

void Predictor::keep_given_labels() {
  if (!oracle_.completes()) {
    throw Failure(Exit::config, oracle_.component().name() +
                                    " does not complete given labels (" SCULPT_EXT_COMPLETE
                                    "); use a map_solver, or an oracle that offers it");
  }
  keeps_given_labels_ = true;
}

void Predictor::announce(int worker, const ExampleList& examples, Range positions) {
  if (!oracle_.answers_batches() || keeps_given_labels_ || decoder_) return;
  std::vector<sculpt_query> queries;
  for (std::int64_t k = positions.begin; k < positions.end; ++k) {
    queries.push_back(query_about(examples[k]));
  }
  oracle_.announce(worker, queries, nullptr);
}

void Predictor::predict(int worker, std::int64_t example, Prediction& out) {
  problem_.services().throw_if_cancelled();
  if (decoder_) {
    decoder_(worker, example, out);
    return;
  }
  Answer& answer = *answers_[static_cast<std::size_t>(worker)];
  sculpt_query query = query_about(example);
  if (keeps_given_labels_) query.truth = problem_.dataset().truth(example);
  if (query.truth.data == nullptr) {
    oracle_.argmax(worker, query, answer);
  } else {
    oracle_.complete(worker, query, answer);
  }
  out.labels.clear();
  out.no_output = answer.has_flag(SCULPT_ANSWER_NO_OUTPUT);
  if (out.no_output) return;
  const sculpt_labels labels = answer.labels();
  out.labels.assign(labels.data, labels.data + labels.size);
}

// Adds the loss and the metrics of one prediction to `range_sums`.
void Predictor::measure(int worker, std::int64_t example, const Prediction& prediction,
                        MetricSums& range_sums) {
  const sculpt_labels truth = problem_.dataset().truth(example);
  if (prediction.no_output) ++range_sums.no_output_count;
  if (truth.data == nullptr) return;
  ++range_sums.labelled_count;
  const sculpt_labels guess = prediction.no_output ? sculpt_labels{nullptr, 0} : prediction.raw();
  range_sums.uniformity.add(problem_.dataset(), example, truth, guess);
  if (!prediction.no_output) {
    ++range_sums.measured_count;
    if (problem_.loss() != nullptr) {
      const double loss = problem_.loss()->value(worker, example, truth, guess);
      range_sums.loss += loss;
      range_sums.squared_loss += loss * loss;
    }
  }
  for (const MetricSource& source : sources_) {
    const Component& component = source.component;
    const LentLabels lent_truth(component, "the labels of the truth", truth);
    const LentLabels lent_guess(component, "the labels of the output", guess);
    const FilledArray<double> sums(
        component, "the sums of the metrics",
        std::span(range_sums.sums).subspan(source.first_sum, source.sum_count));
    component.call("metrics.add", example, [&](sculpt_error* error) {
      return source.table.add(source.session(worker), example, lent_truth.raw(), lent_guess.raw(),
                              sums.data(), error);
    });
    sums.take();
    lent_truth.require_unchanged(example);
    lent_guess.require_unchanged(example);
  }
}

// Returns the metrics that follow from the sums over all examples.
std::vector<Metric> Predictor::finish(const MetricSums& total) const {
  std::vector<Metric> metrics;
  std::set<std::string> used_names = {"loss"};
  if (problem_.loss() != nullptr) {
    const double mean = total.measured_count > 0
                            ? total.loss / static_cast<double>(total.measured_count)
                            : std::nan("");
    metrics.push_back({"loss", "mean loss", mean, "lower"});
  }
  for (const MetricSource& source : sources_) {
    std::vector<double> values(source.metrics.size());
    const LentArray<double> sums(
        source.component, "the sums of the metrics",
        std::span<const double>(total.sums).subspan(source.first_sum, source.sum_count));
    const FilledArray<double> filled(source.component, "the values of the metrics", values);
    source.component.call("metrics.finish", -1, [&](sculpt_error* error) {
      return source.table.finish(source.component.self(), sums.data(), filled.data(), error);
    });
    filled.take();
    sums.require_unchanged(-1);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const sculpt_metric& metric = source.metrics[k];
      metrics.push_back({unique_name(source.component, metric, used_names),
                         metric.summary == nullptr ? "" : printable(metric.summary), values[k],
                         better_direction(metric)});
    }
  }
  return metrics;
}

}  // namespace sculpt::core
