#include "check/answers/graph_maximum.hpp"

#include <algorithm>
#include <numeric>

#include "base/infinity.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_ordered_variables = 2000;  // the order takes quadratic time
constexpr std::int64_t max_table_cells = 100000;
constexpr std::int64_t max_total_tables = 20;  // of that size

// A table over some variables. The last one changes fastest.
struct Table {
  std::vector<std::int32_t> scope;
  std::vector<double> cells;
};

// How the best state of an eliminated variable depends on the others.
struct Choice {
  std::int32_t variable;
  std::vector<std::int32_t> scope;
  std::vector<std::int32_t> states;  // the best one for each assignment of the scope
};

class Elimination {
 public:
  Elimination(const sculpt_factor_graph& graph, std::span<const double> theta,
              std::int64_t max_cells)
      : graph_(graph),
        max_cells_(max_cells),
        tables_of_(static_cast<std::size_t>(graph.variable_count)),
        y_(tables_of_.size(), 0) {
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      Table table;
      table.scope.assign(graph.scope + graph.scope_from[f], graph.scope + graph.scope_from[f + 1]);
      std::size_t cells = 1;
      for (const std::int32_t v : table.scope) cells *= static_cast<std::size_t>(states(v));
      const auto from = theta.subspan(static_cast<std::size_t>(graph.table[f]), cells);
      table.cells.assign(from.begin(), from.end());
      add(std::move(table));
    }
    for (std::int32_t v = 0; v < graph.variable_count; ++v) costs_.push_back(cost_of(v));
  }

  std::optional<std::vector<std::int32_t>> find() {
    std::vector<std::int32_t> remaining(tables_of_.size());
    std::iota(remaining.begin(), remaining.end(), 0);
    const auto is_cheaper = [this](std::int32_t a, std::int32_t b) {
      return costs_[static_cast<std::size_t>(a)] < costs_[static_cast<std::size_t>(b)];
    };
    std::vector<Choice> choices;
    std::int64_t total_cells = 0;
    while (!remaining.empty()) {
      const auto cheapest = std::min_element(remaining.begin(), remaining.end(), is_cheaper);
      const std::int64_t cost = costs_[static_cast<std::size_t>(*cheapest)];
      total_cells += cost;
      if (cost > max_cells_ || total_cells > max_total_tables * max_cells_) return std::nullopt;
      choices.push_back(eliminate(*cheapest));
      remaining.erase(cheapest);
      for (const std::int32_t v : choices.back().scope) {
        costs_[static_cast<std::size_t>(v)] = cost_of(v);
      }
    }
    std::reverse(choices.begin(), choices.end());
    for (const auto& choice : choices) {
      y_[static_cast<std::size_t>(choice.variable)] = choice.states[cell_of(choice.scope)];
    }
    return y_;
  }

 private:
  std::int64_t states(std::int32_t variable) const { return graph_.states[variable]; }
  std::vector<std::size_t>& tables_of(std::int32_t variable) {
    return tables_of_[static_cast<std::size_t>(variable)];
  }
  void add(Table table) {
    for (const std::int32_t v : table.scope) tables_of(v).push_back(tables_.size());
    tables_.push_back(std::move(table));
  }
  // Returns the cell that y_ uses.
  std::size_t cell_of(const std::vector<std::int32_t>& scope) const {
    std::int64_t cell = 0;
    for (const std::int32_t v : scope) cell = cell * states(v) + y_[static_cast<std::size_t>(v)];
    return static_cast<std::size_t>(cell);
  }
  // Returns the variables that share a table with this one, without itself.
  std::vector<std::int32_t> neighbours_of(std::int32_t variable) {
    std::vector<std::int32_t> found;
    for (const std::size_t table : tables_of(variable)) {
      found.insert(found.end(), tables_[table].scope.begin(), tables_[table].scope.end());
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    found.erase(std::remove(found.begin(), found.end(), variable), found.end());
    return found;
  }
  // Returns the number of sums that eliminating this variable takes, at most max_cells_ + 1.
  std::int64_t cost_of(std::int32_t variable) {
    std::int64_t count = states(variable);
    for (const std::int32_t v : neighbours_of(variable)) {
      count = count > max_cells_ / states(v) ? max_cells_ + 1 : count * states(v);
    }
    return std::min(count, max_cells_ + 1);
  }

  // Replaces all tables with this variable by their maximum over it.
  Choice eliminate(std::int32_t variable) {
    const std::vector<std::size_t> own = tables_of(variable);
    Choice choice{variable, neighbours_of(variable), {}};
    Table maximum{choice.scope, {}};
    std::vector<std::int32_t> counts;
    for (const std::int32_t v : choice.scope) counts.push_back(graph_.states[v]);
    each_assignment(counts, [&](const std::vector<std::int32_t>& labels) {
      for (std::size_t k = 0; k < labels.size(); ++k) {
        y_[static_cast<std::size_t>(choice.scope[k])] = labels[k];
      }
      double best = -infinity;
      std::int32_t best_state = 0;
      std::int32_t& state = y_[static_cast<std::size_t>(variable)];
      for (state = 0; state < graph_.states[variable]; ++state) {
        double sum = 0;
        for (const std::size_t t : own) sum += tables_[t].cells[cell_of(tables_[t].scope)];
        if (sum <= best) continue;
        best = sum;
        best_state = state;
      }
      maximum.cells.push_back(best);
      choice.states.push_back(best_state);
    });
    for (const std::size_t t : own) {
      for (const std::int32_t v : tables_[t].scope) {
        std::vector<std::size_t>& list = tables_of(v);
        list.erase(std::remove(list.begin(), list.end(), t), list.end());
      }
      tables_[t].cells = {};
    }
    add(std::move(maximum));
    return choice;
  }

  const sculpt_factor_graph& graph_;
  std::int64_t max_cells_;
  std::vector<Table> tables_;
  std::vector<std::vector<std::size_t>> tables_of_;  // by variable: tables not yet eliminated
  std::vector<std::int64_t> costs_;                  // by variable
  std::vector<std::int32_t> y_;
};

// Adds loss_weight * Delta to theta. Returns false if the loss does not split over the graph.
bool add_loss(Loss& loss, const sculpt_factor_graph& graph, const OracleQuery& query,
              sculpt_labels truth, std::vector<double>& theta) {
  const Component& component = loss.component();
  const auto* const table = component.extension<sculpt_ext_factor_loss>();
  if (table == nullptr) return false;
  std::uint32_t demands = 0;
  component.call("demands", -1, [&](sculpt_error* error) {
    return table->demands(component.self(), &demands, error);
  });
  if ((demands & ~graph.classes) != 0) return false;
  double constant = 0;
  const LentLabels lent_truth(component, "the labels of the truth", truth);
  const FilledArray<double> sums(component, "theta", theta);
  component.call("factor-loss.add", query.example, [&](sculpt_error* error) {
    return table->add(loss.session(0), query.example, &graph, lent_truth.raw(), query.loss_weight,
                      sums.data(), &constant, error);
  });
  sums.take();
  lent_truth.require_unchanged(query.example);
  return true;
}

}  // namespace

std::optional<std::vector<std::int32_t>> best_assignment_of_graph(const sculpt_factor_graph& graph,
                                                                  std::span<const double> theta,
                                                                  std::int64_t max_cells) {
  if (graph.variable_count > max_ordered_variables) return std::nullopt;
  if (assignment_count(graph, 1) == 0) return std::nullopt;
  return Elimination(graph, theta, max_cells).find();
}

std::optional<Output> best_output_of_graph(TestFixture& fixture, const OracleQuery& query) {
  Problem& problem = fixture.problem();
  if (!fixture.outputs_are_assignments()) return std::nullopt;
  FactorGraphReader reader(problem.features());
  const sculpt_factor_graph& graph = reader.graph(query.example);
  std::vector<double> theta = reader.potentials(query.example, graph, query.w->raw());
  const bool needs_loss = query.loss_weight != 0;
  if (needs_loss && problem.loss() == nullptr) return std::nullopt;
  if (needs_loss && !add_loss(*problem.loss(), graph, query, fixture.truth(query.example), theta)) {
    return std::nullopt;
  }
  const auto y = best_assignment_of_graph(graph, theta, max_table_cells);
  if (!y) return std::nullopt;
  return fixture.with_psi_and_loss(query.example, *y);
}

}  // namespace sculpt::core
