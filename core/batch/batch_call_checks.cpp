#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "batch/batch_call.hpp"
#include "batch/graph_arrays.hpp"
#include "batch/score_range.hpp"

namespace sculpt::core {

namespace {

constexpr const char* advice_on_scores =
    "; scores must be between -1e100 and 1e100: forbid a label by a score such as -1e4";

// Also "nan" and "-inf".
std::string number_text_of(double score) {
  return std::isfinite(score) ? number_text(score) : std::to_string(score);
}

}  // namespace

void Batch::Call::check_sizes() const {
  const auto require = [&](const char* name, const void* array, std::int64_t given,
                           std::int64_t size) {
    if (given != size) {
      refuse_call(quantity_.function, std::string(name) + " has " + std::to_string(given) +
                                          " cells in the input; the graphs have " +
                                          std::to_string(size));
    }
    if (size > 0 && array == nullptr)
      refuse_call(quantity_.function, std::string(name) + " is NULL");
  };
  require("unary", input_.unary, input_.unary_size, graphs_.unary_from().back());
  require("tables", input_.tables, input_.tables_size, graphs_.tables_from().back());
  require("shared", input_.shared, input_.shared_size, graphs_.shared_size());
  if (quantity_.is_loss && input_.truths == nullptr && graphs_.variable_from().back() > 0) {
    refuse_call(quantity_.function,
                "truths is NULL; a loss needs the true labels, -1 for each that "
                "is not known");
  }
  if (input_.truths != nullptr && input_.truth_size != graphs_.variable_from().back()) {
    refuse_call(quantity_.function, "truths has " + count_text(input_.truth_size, "label") +
                                        "; the graphs have " +
                                        count_text(graphs_.variable_from().back(), "variable"));
  }
  const std::span<const double> shared(input_.shared, static_cast<std::size_t>(input_.shared_size));
  const std::size_t wrong = first_out_of_range(shared);
  if (wrong == shared.size()) return;
  throw Failure(Exit::data, std::string(quantity_.function) + ": shared[" + std::to_string(wrong) +
                                "] is " + number_text_of(shared[wrong]) + advice_on_scores);
}

void Batch::Call::check_weights() const {
  const auto require = [&](const char* name, const double* numbers, std::int64_t size,
                           bool may_be_negative) {
    if (numbers == nullptr) return;
    for (std::int64_t k = 0; k < size; ++k) {
      if (std::isfinite(numbers[k]) && (may_be_negative || numbers[k] >= 0)) continue;
      throw Failure(Exit::data, std::string(quantity_.function) + ": " + name + "[" +
                                    std::to_string(k) + "] is " + number_text_of(numbers[k]) +
                                    "; it must be finite" +
                                    (may_be_negative ? "" : " and at least 0"));
    }
  };
  require("example_weights", input_.example_weights, graphs_.example_count(), true);
  require("variable_weights", input_.variable_weights, graphs_.variable_from().back(), false);
  if (input_.costs == nullptr) return;
  const std::int64_t labels = input_.cost_count;
  if (labels < graphs_.max_states()) {
    refuse_call(quantity_.function, "costs are between " + count_text(labels, "label") +
                                        " (cost_count), but a variable has " +
                                        std::to_string(graphs_.max_states()) + " states");
  }
  require("costs", input_.costs, labels * labels, false);
  for (std::int64_t k = 0; k < labels; ++k) {
    if (input_.costs[k * labels + k] == 0) continue;
    throw Failure(Exit::data, std::string(quantity_.function) + ": the cost of the true label " +
                                  std::to_string(k) + " is " +
                                  number_text(input_.costs[k * labels + k]) + "; it must be 0");
  }
}

void Batch::Call::refuse_example(std::int64_t example, const std::string& text) const {
  Failure failure(Exit::data, std::string(quantity_.function) + ": example " +
                                  std::to_string(example) + ": " + text);
  failure.set_faulty_example(example);
  throw Failure(failure);
}

// The shared tables were checked once for all examples.
void Batch::Call::require_range(const Example& example) const {
  const sculpt_factor_graph& graph = example.graph;
  const Vector& theta = example.scratch.theta;
  const std::span<const double> own =
      std::span(theta).subspan(static_cast<std::size_t>(graphs_.shared_size()));
  const std::size_t wrong = first_out_of_range(own);
  if (wrong == own.size()) return;
  const std::int64_t cell = graphs_.shared_size() + static_cast<std::int64_t>(wrong);
  // Tables of one example stand in the order of their factors, with shared ones among them.
  std::int64_t factor = 0;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    if (graph.table[f] <= cell && graph.table[f] >= graph.table[factor]) factor = f;
  }
  const std::string offset = std::to_string(cell - graph.table[factor]);
  const std::string place =
      factor < graph.variable_count
          ? "label " + offset + " of variable " + std::to_string(factor)
          : "cell " + offset + " of factor " + std::to_string(factor - graph.variable_count);
  refuse_example(example.number,
                 "the score of " + place + " is " + number_text_of(own[wrong]) + advice_on_scores);
}

// Each pair must reward equal labels: theta(k, k) + theta(l, l) >= theta(k, l) + theta(l, k).
void Batch::Call::require_attractive(const Example& example) const {
  constexpr double rounding = 1e-12;  // relative to the cells, as in graph_cut
  const sculpt_factor_graph& graph = example.graph;
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() != 2) continue;
    const double* const table = example.scratch.theta.data() + graph.table[f];
    const std::int64_t columns = graph.states[scope[1]];
    const std::int64_t common = std::min<std::int64_t>(graph.states[scope[0]], columns);
    for (std::int64_t l = 1; l < common; ++l) {
      for (std::int64_t k = 0; k < l; ++k) {
        const double equal[2] = {table[k * columns + k], table[l * columns + l]};
        const double other[2] = {table[k * columns + l], table[l * columns + k]};
        const double reward = equal[0] + equal[1] - other[0] - other[1];
        const double magnitude =
            std::abs(equal[0]) + std::abs(equal[1]) + std::abs(other[0]) + std::abs(other[1]);
        if (reward >= -rounding * magnitude) continue;
        refuse_example(
            example.number,
            "factor " + std::to_string(f - graph.variable_count) + " over the variables " +
                std::to_string(scope[0]) + " and " + std::to_string(scope[1]) +
                " rewards labels that differ, by " + number_text(-reward) + "; " +
                batch_.solver_.name() +
                " needs theta(k, k) + theta(l, l) >= theta(k, l) + theta(l, k): bound the pair "
                "scores in the network, or choose another map_solver (lp, branch_and_bound)");
      }
    }
  }
}

void Batch::Call::require_agreement(const Example& example, const std::int32_t* labels) const {
  for (std::int64_t v = 0; v < example.graph.variable_count; ++v) {
    if (example.truth[v] < 0 || labels[v] == example.truth[v]) continue;
    throw Failure(Exit::plugin, batch_.solver_.name() + ": example " +
                                    std::to_string(example.number) + ": finds label " +
                                    std::to_string(labels[v]) + " at variable " +
                                    std::to_string(v) + ", where " +
                                    std::to_string(example.truth[v]) + " is given");
  }
}

void Batch::Call::require_not_below(const Example& example, const Part& best, double value) const {
  constexpr double rounding = 1e-9;  // relative to the scores of all cells that can be used
  double magnitude = std::abs(best.value);
  for (const double score : example.scratch.theta) magnitude += std::abs(score);
  if (value >= -rounding * magnitude) return;
  throw Failure(Exit::plugin, batch_.solver_.name() + ": example " +
                                  std::to_string(example.number) +
                                  ": claims an exact answer, but the truth has a score that is " +
                                  number_text(-value) + " higher");
}

}  // namespace sculpt::core
