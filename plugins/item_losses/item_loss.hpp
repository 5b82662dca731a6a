// item_loss.hpp - a loss that is a function of the number of parts in the truth, in the guess and
// in both: g(matched, predicted, true parts).
//
// Base class of the losses in item_losses.cpp. Derived has
//   double value(double matched, double predicted, double truth) const    >= 0 for all numbers >= 0
// For counts of an output, `matched` is at most the other two. For other counts value() limits the
// result.
#pragma once

#include <algorithm>
#include <limits>
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/truth_cache.hpp>
#include <sculpt/sculpt.hpp>
#include <vector>

namespace item_losses {

// The share of nothing is 1: nothing was missed.
inline double share(double part, double whole) {
  return whole > 0 ? part / whole : 1;
}

template <class Derived>
class ItemLoss {
 public:
  static constexpr sculpt_count counts[] = {sculpt::counted("matched"),
                                            sculpt::counted("predicted")};
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better(
          "f1", "2 matches / (parts of the truths + parts of the guesses), over all examples"),
      sculpt::higher_is_better("precision", "share of the guessed parts that are in the truth"),
      sculpt::higher_is_better("recall",
                               "share of the true parts that are in the guess; sensitivity"),
      sculpt::higher_is_better(
          "exact_match", "share of the examples whose guess has exactly the parts of the truth")};
  static constexpr std::int64_t sum_count = 5;  // matched, predicted, true; exact, examples

  void bind(const sculpt::Bindings& bindings) {
    items_ = sculpt::Items(bindings.dataset);
    true_parts_ = {bindings.dataset, [&](std::int64_t example, sculpt::Labels truth) {
                     return count_parts(example, truth);
                   }};
  }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    const PartCounts parts = count(example, truth, guess);
    return derived().value(parts.matched, parts.predicted, parts.truth);
  }
  // Returns g for an output with these counts: matched, predicted.
  double loss_of_counts(std::int64_t example, sculpt::Labels truth,
                        std::span<const std::int64_t> counts) const {
    return derived().value(static_cast<double>(counts[0]), static_cast<double>(counts[1]),
                           true_parts(example, truth));
  }

  // For graphs in which each label is one part, or no part (mlsvml).
  void add_factor_counts(std::int64_t example, const sculpt_factor_graph& graph,
                         sculpt::Labels truth, std::span<std::int32_t* const> tables) const {
    each_part(example, graph, truth, [&](std::int64_t cell, bool matched) {
      tables[0][cell] += matched ? 1 : 0;
      tables[1][cell] += 1;
    });
  }

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    const PartCounts parts = count(example, truth, guess);
    sums[0] += parts.matched;
    sums[1] += parts.predicted;
    sums[2] += parts.truth;
    const bool is_exact =
        guess.known() && parts.matched == parts.predicted && parts.matched == parts.truth;
    sums[3] += is_exact ? 1 : 0;
    sums[4] += 1;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    const auto ratio = [](double part, double whole) {
      return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
    };
    values[0] = ratio(2 * sums[0], sums[1] + sums[2]);
    values[1] = ratio(sums[0], sums[1]);
    values[2] = ratio(sums[0], sums[2]);
    values[3] = ratio(sums[3], sums[4]);
  }

 protected:
  // Calls visit(cell, matched) for each unary cell whose label is a part.
  template <class VisitCell>
  void each_part(std::int64_t example, const sculpt_factor_graph& graph, sculpt::Labels truth,
                 VisitCell visit) const {
    if (!items_.of_labels()) {
      throw sculpt::unsupported_error(
          "splits over the labels of a graph only if each label is one part; use the oracle of "
          "these features");
    }
    if (truth.count() != graph.variable_count) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "counts labels, but the truth has " + std::to_string(truth.count()) +
                              " of them and the graph " + std::to_string(graph.variable_count) +
                              " variables");
    }
    for (std::int64_t v = 0; v < graph.variable_count; ++v) {
      for (std::int32_t state = 0; state < graph.states[v]; ++state) {
        if (items_.of_label(example, v, state) < 0) continue;
        visit(graph.table[v] + state, truth[static_cast<std::size_t>(v)] == state);
      }
    }
  }
  // Returns the number of parts of the truth, from the cache if it is there.
  double true_parts(std::int64_t example, sculpt::Labels truth) const {
    const double* cached = true_parts_.find(example, truth);
    return cached != nullptr ? *cached : count_parts(example, truth);
  }

 private:
  double count_parts(std::int64_t example, sculpt::Labels truth) const {
    std::vector<std::int64_t> parts;
    items_.read(example, truth, parts);
    return static_cast<double>(parts.size());
  }

  // The numbers of parts in both, in the guess and in the truth.
  struct PartCounts {
    double matched = 0;
    double predicted = 0;
    double truth = 0;
  };
  // An unknown guess (no output) has no parts.
  PartCounts count(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    std::vector<std::int64_t> parts_of_truth;
    std::vector<std::int64_t> parts_of_guess;
    items_.read(example, truth, parts_of_truth);
    if (guess.known()) items_.read(example, guess, parts_of_guess);
    return {static_cast<double>(sculpt::matched_items(parts_of_guess, parts_of_truth)),
            static_cast<double>(parts_of_guess.size()), static_cast<double>(parts_of_truth.size())};
  }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  sculpt::Items items_;
  sculpt::TruthCache<double> true_parts_;
};

// Losses that are linear in the counts also split over the labels. Derived has count_slopes().
template <class Derived>
class LinearItemLoss : public ItemLoss<Derived> {
 public:
  std::uint32_t factor_demands() const { return 0; }
  void add_factor_loss(std::int64_t example, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double& constant) const {
    double slope[2] = {0, 0};
    constant += scale * static_cast<const Derived&>(*this).count_slopes(example, truth, slope);
    this->each_part(example, graph, truth, [&](std::int64_t cell, bool matched) {
      theta[cell] += scale * (slope[1] + (matched ? slope[0] : 0));
    });
  }
};

}  // namespace item_losses
