// predictor.hpp - computes outputs at given weights, and the metrics over a list of examples.
//
// Called by predict, evaluate and, after training, by train. Results do not depend on the number of
// threads.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "problem/plugin/read_only_weights.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

struct Prediction {
  std::vector<std::int32_t> labels;
  bool no_output = false;  // Y_i is empty; `labels` is empty too

  // The output. Its data pointer is never NULL.
  sculpt_labels raw() const {
    static const std::int32_t empty = 0;
    return {labels.empty() ? &empty : labels.data(), static_cast<std::int64_t>(labels.size())};
  }
};

struct Metric {
  std::string name;     // "loss", then the metrics of the loss, then those of the dataset
  std::string summary;  // one sentence
  double value = 0;     // NaN if undefined, as the loss if no example has an output
  std::string better;   // "higher", "lower" or "" (metric_list.hpp)
};

// An example without output has no loss, but a metric may count it as entirely wrong (the recall of
// a parser). So the mean loss is over the measured examples, the other metrics over the labelled
// ones.
struct Evaluation {
  std::int64_t examples = 0;           // All examples of the list.
  std::int64_t labelled_count = 0;     // Those with a truth.
  std::int64_t measured_count = 0;     // Those with a truth and an output.
  std::int64_t unlabelled_count = 0;   // Those without a truth.
  std::int64_t no_output_count = 0;    // The oracle reports an empty Y_i. With or without a truth.
  std::int64_t probability_count = 0;  // Those behind log_loss, perplexity, calibration_error.
  std::int64_t partial_count = 0;      // Left out there, because some of their labels are unknown.
  bool measures_probabilities() const { return probability_count + partial_count > 0; }
  // Standard error of the mean loss over the examples. NaN for fewer than two.
  double loss_standard_error = std::numeric_limits<double>::quiet_NaN();
  std::vector<Metric> metrics;  // empty if no example is labelled
  // That no example is labelled, or that the model predicts the same for all labelled examples
  // (uniformity.hpp). "": no warning.
  std::string warning;
};

class Predictor {
 public:
  // Receives the prediction of each example, in order, on the calling thread.
  using Sink = std::function<void(std::int64_t example, const Prediction& prediction)>;
  // Finds the output of an example in place of the argmax. `out` may hold an earlier one. [worker]
  using Decoder = std::function<void(int worker, std::int64_t example, Prediction& out)>;

  // `w` has the dimension of the problem. Both outlive the predictor. If metrics have the same
  // name, the first keeps it: "loss", then those of the loss, then those of the dataset. Later ones
  // become "<component>.<name>".
  Predictor(Problem& problem, const Vector& w, std::uint64_t run_seed)
      : Predictor(problem, w, run_seed, problem.oracle()) {}
  // Predicts with another oracle of the problem.
  Predictor(Problem& problem, const Vector& w, std::uint64_t run_seed, Oracle& oracle);
  ~Predictor();

  // From now on labels that an example has are kept, and only the others are predicted. Throws
  // Failure(Exit::config) if the oracle does not complete partial truths.
  void keep_given_labels();

  // From now on the seed of an example is that of the example with its number plus `more`.
  void number_from(std::int64_t more) { first_number_ = more; }

  // From now on the decoder finds the outputs.
  void decode_by(Decoder decoder) { decoder_ = std::move(decoder); }

  // Predicts the examples and measures them, in their order. `sink` may be empty.
  Evaluation run(const ExampleList& examples, const Sink& sink);
  Evaluation run(Range range, const Sink& sink) { return run(ExampleList(range), sink); }

 private:
  struct MetricSource;
  struct MetricSums;  // sums over a range of examples

  void add_source(const Component& component, std::function<void*(int worker)> session);
  sculpt_query query_about(std::int64_t example) const;
  void announce(int worker, const ExampleList& examples, Range positions);
  void predict_window(const ExampleList& examples, std::int64_t from,
                      std::vector<Prediction>& window);
  void measure_window(const ExampleList& examples, std::int64_t from,
                      const std::vector<Prediction>& window, MetricSums& total);
  void predict(int worker, std::int64_t example, Prediction& out);
  void measure(int worker, std::int64_t example, const Prediction& prediction,
               MetricSums& range_sums);
  std::vector<Metric> finish(const MetricSums& total) const;

  Problem& problem_;
  Oracle& oracle_;
  const Vector& w_;
  std::unique_ptr<ReadOnlyWeights> fenced_weights_;  // a copy of w; nullptr without --guard
  std::uint64_t run_seed_;
  std::uint64_t stamp_;
  std::int64_t first_number_ = 0;
  bool keeps_given_labels_ = false;
  Decoder decoder_;                               // empty: the argmax
  std::vector<MetricSource> sources_;             // the loss, the dataset
  std::size_t sum_count_ = 0;                     // of all sources
  std::vector<std::unique_ptr<Answer>> answers_;  // [threads]
};

}  // namespace sculpt::core
