// class_loss.hpp - a loss between classes, as a loss over one variable for map_solvers.
//
// Base class of tree_loss.hpp and cost_table.hpp, which call it. Derived has
//   double cost(std::int32_t truth, std::int32_t guess) const      >= 0; 0 for truth == guess
//   double greatest_cost() const
//   const std::vector<double>& levels() const      all possible costs, ascending from 0
// All outputs of one level have the same loss, so the number of the level is a count. Slack
// rescaling and slack norm 2 are therefore exact by the frontier of any map_solver.
#pragma once

#include <algorithm>
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace taxonomy {

template <class Derived>
class ClassLoss {
 public:
  static constexpr sculpt_count counts[] = {sculpt::counted("level")};

  // An unknown guess (no output) and an unseen truth have the largest cost. An unobserved truth has
  // loss 0.
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    if (!guess.known()) return derived().greatest_cost();
    return cost_of(label(truth), label(guess));
  }

  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    const std::vector<double>& levels = derived().levels();
    return levels[std::min(static_cast<std::size_t>(counts[0]), levels.size() - 1)];
  }
  std::uint32_t count_demands() const { return SCULPT_GRAPH_SINGLE; }
  void add_factor_counts(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                         std::span<std::int32_t* const> tables) const {
    const std::vector<double>& levels = derived().levels();
    each_cell(graph, truth, [&](std::int64_t cell, double cost) {
      const auto level = std::lower_bound(levels.begin(), levels.end(), cost);
      tables[0][cell] += static_cast<std::int32_t>(level - levels.begin());
    });
  }

  std::uint32_t factor_demands() const { return SCULPT_GRAPH_SINGLE; }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    each_cell(graph, truth, [&](std::int64_t cell, double cost) { theta[cell] += scale * cost; });
  }

 protected:
  // Throws unless every example has one label, and names losses for several.
  static void require_one_label(const sculpt::SiteInput& input) {
    const std::int64_t variables = input.variable_count();
    for (std::int64_t example = 0; example < input.example_count(); ++example) {
      const std::int64_t labels = variables > 0 ? variables : input.sites(example).site_count;
      if (labels == 1) continue;
      throw sculpt::unsupported_error(
          "compares one class with another, but example " + std::to_string(example) + " of " +
          input.dataset_id() + " has " + std::to_string(labels) +
          " labels; for several labels use the loss weighted_hamming, whose label_costs say what "
          "it costs to miss a label, or hamming");
    }
  }
  double cost_of(std::int32_t truth, std::int32_t guess) const {
    if (truth == sculpt::unseen_label) return derived().greatest_cost();
    return truth < 0 ? 0 : derived().cost(truth, guess);
  }
  static std::int32_t label(sculpt::Labels y) {
    if (y.size() == 1) return y[0];
    throw sculpt::Error(SCULPT_E_INVALID,
                        "needs outputs of one label, not of " + std::to_string(y.size()));
  }

 private:
  template <class VisitCell>
  void each_cell(const sculpt_factor_graph& graph, sculpt::Labels truth, VisitCell visit) const {
    if (graph.variable_count != 1) {
      throw sculpt::Error(SCULPT_E_INVALID, "needs a graph of one variable, but this one has " +
                                                std::to_string(graph.variable_count));
    }
    const std::int32_t true_label = label(truth);
    for (std::int32_t k = 0; k < graph.states[0]; ++k) {
      visit(graph.table[0] + k, cost_of(true_label, k));
    }
  }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}  // namespace taxonomy
