// probability_metrics.hpp - how well the probabilities of a model agree with labelled data.
//
//   log_loss            mean of -log p(y_i) over the examples
//   perplexity          exp of the sum of -log p(y_i), divided by the number of labels. Left out if
//                       positions of outputs are no labels, as in trees and alignments
//   calibration_error   the labels in ten bins by the probability of the most probable one. The
//                       mean over all labels of |share of right labels - mean probability| of their
//                       bin (expected calibration error; Guo et al., ICML 2017)
//
// Filled by add_probability_metrics(), example by example, in order. The command sweep needs the
// names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "problem/oracle/expectations.hpp"
#include "problem/prediction/predictor.hpp"

namespace sculpt::core {

// The names of those that an oracle with or without marginals gives. Lower is better. [any]
std::vector<std::string> probability_metric_names(bool has_marginals);

class ProbabilityMetrics {
 public:
  // `marginals` may have no positions: then perplexity and calibration are not measured. Labels -1
  // of the truth are left out of the calibration.
  void add(double log_probability, sculpt_labels truth, const Marginals& marginals);
  // Empty if nothing was added.
  std::vector<Metric> finish() const;

 private:
  struct Bin {
    double count = 0;
    double right = 0;
    double probability = 0;
  };

  double log_loss_ = 0;
  double examples_ = 0;
  double labels_ = 0;
  bool has_labels_ = true;  // each position of all outputs is a label
  double measured_ = 0;     // labels in bins
  std::array<Bin, 10> bins_;
};

}  // namespace sculpt::core
