// Tests of a map_solver's relaxed answers on random factor graphs (sculpt/ext/cut.h).
//
//   mu >= 0,   sum_k mu_v(k) = 1,   sum over the cells of factor f with y_v = k of mu_f = mu_v(k)
//
// is the local polytope. Every output is a point of it, but a point that is not integral is no
// output. So its largest value is at least that of the best assignment, which is found by listing
// all. If several factors share a table, mu holds the sum over these factors.

#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/small_graphs/best_assignment.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// How much mu may violate the polytope. Linear programming solvers are less exact than rounding.
constexpr double polytope_tolerance = 1e-6;

using Lines = std::vector<std::string>;
// Returns what is wrong with an answer that is not NO_OUTPUT.
using Fault = std::function<Lines(const SmallGraph&, const OwnedAnswer&)>;

void each_relaxed_answer(TestFixture& fixture, TestContext& context, const char* test,
                         const Fault& fault) {
  const Component& component = map_solver_of(fixture, context);
  require_relaxed(component, context);
  MapSolverCaller solver(component);
  each_graph(fixture, context, {test, true}, solver, [&](const SmallGraph& graph) {
    const OwnedAnswer answer = solver.relaxed(graph);
    if (!answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return fault(graph, answer);
    return Lines{component.name() +
                 " reports NO_OUTPUT for its relaxed answer, but every variable has a state"};
  });
}

// Returns mu, split into tables.
std::vector<std::vector<double>> tables_of(const SmallGraph& graph, const std::vector<double>& mu) {
  SmallGraph copy = graph;
  copy.set_theta(mu);
  return copy.tables;
}

// The scopes of the factors that use a table, and the numbers of states of their variables.
struct TableUsage {
  std::vector<std::vector<std::int32_t>> scopes;
  std::vector<std::int32_t> state_counts;  // empty if the factors have different ones
};

// Returns the usage of each table of the graph.
std::vector<TableUsage> table_usages_of(const SmallGraph& graph) {
  std::vector<TableUsage> all(graph.tables.size());
  for (const SmallGraph::Factor& factor : graph.factors) {
    TableUsage& usage = all[factor.table];
    std::vector<std::int32_t> state_counts;
    for (const std::int32_t v : factor.scope) {
      state_counts.push_back(graph.states[static_cast<std::size_t>(v)]);
    }
    if (usage.scopes.empty()) usage.state_counts = state_counts;
    if (usage.state_counts != state_counts) usage.state_counts.clear();
    usage.scopes.push_back(factor.scope);
  }
  return all;
}

std::string scopes_text(const TableUsage& usage) {
  std::vector<std::string> words;
  for (const auto& scope : usage.scopes) words.push_back(labels_text(scope));
  return joined(words, " and ");
}

// Returns where the beliefs of a shared table do not sum to those of the variables. Compares one
// position of the scopes after the other.
Lines marginal_fault(const TableUsage& usage, const std::vector<std::vector<double>>& mu,
                     const std::vector<double>& table) {
  auto inner = static_cast<std::int64_t>(table.size());
  for (std::size_t position = 0; position < usage.state_counts.size(); ++position) {
    const std::int64_t states = usage.state_counts[position];
    inner /= states;
    for (std::int64_t k = 0; k < states; ++k) {
      double marginal = 0;
      double expected = 0;
      for (std::size_t c = 0; c < table.size(); ++c) {
        if (static_cast<std::int64_t>(c) / inner % states == k) marginal += table[c];
      }
      for (const auto& scope : usage.scopes) {
        expected += mu[static_cast<std::size_t>(scope[position])][static_cast<std::size_t>(k)];
      }
      if (std::abs(marginal - expected) <=
          polytope_tolerance * static_cast<double>(usage.scopes.size()))
        continue;
      return {"  in the factors over " + scopes_text(usage) + " the cells with state " +
              std::to_string(k) + " at position " + std::to_string(position) + " sum up to " +
              exact_number_text(marginal) + ", but those of the variables to " +
              exact_number_text(expected)};
    }
  }
  return {};
}

// Returns where mu is outside of the local polytope, or none.
Lines polytope_fault(const SmallGraph& graph, const OwnedAnswer& answer) {
  const std::vector<std::vector<double>> mu = tables_of(graph, answer.mu);
  const std::vector<TableUsage> usages = table_usages_of(graph);
  for (std::size_t t = 0; t < mu.size(); ++t) {
    const bool is_unary = t < graph.states.size();
    const double factor_count = is_unary ? 1 : static_cast<double>(usages[t].scopes.size());
    const std::string where =
        is_unary ? "variable " + std::to_string(t) : "the factors over " + scopes_text(usages[t]);
    double sum = 0;
    for (const double cell : mu[t]) {
      if (std::isnan(cell)) return {"  a cell of " + where + " is nan, or was not written"};
      if (cell < -polytope_tolerance)
        return {"  a cell of " + where + " is " + exact_number_text(cell)};
      sum += cell;
    }
    if (!(std::abs(sum - factor_count) <= polytope_tolerance * factor_count)) {
      return {"  the cells of " + where + " sum up to " + exact_number_text(sum) + " instead of " +
              exact_number_text(factor_count)};
    }
    if (is_unary) continue;
    Lines lines = marginal_fault(usages[t], mu, mu[t]);
    if (!lines.empty()) return lines;
  }
  return {};
}

void map_cut_polytope_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  each_relaxed_answer(fixture, context, "map_cut.polytope",
                      [&](const SmallGraph& graph, const OwnedAnswer& answer) {
                        Lines lines = polytope_fault(graph, answer);
                        if (!lines.empty()) {
                          lines.insert(lines.begin(),
                                       name + ": the beliefs mu of its relaxed answer are " +
                                           "not in the local polytope");
                        }
                        return lines;
                      });
}

// Returns <theta, mu> and its terms.
AugmentedScore augmented_score_of(const SmallGraph& graph, const std::vector<double>& mu) {
  const std::vector<double> theta = graph.theta();
  AugmentedScore value;
  for (std::size_t c = 0; c < mu.size(); ++c) {
    value.value += theta[c] * mu[c];
    value.terms += {std::abs(theta[c] * mu[c]), 1};
  }
  return value;
}

void map_cut_value_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  each_relaxed_answer(fixture, context, "map_cut.value",
                      [&](const SmallGraph& graph, const OwnedAnswer& answer) {
                        const AugmentedScore score = augmented_score_of(graph, answer.mu);
                        if (std::abs(score.value - answer.value) <= score.terms.rounding())
                          return Lines();
                        return Lines{name + ": the value of its relaxed answer is " +
                                     exact_number_text(answer.value) + ", but <theta, mu> is " +
                                     exact_number_text(score.value)};
                      });
}

// If the answer is an output, mu counts the cells that its labels use.
void map_cut_output_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  std::int64_t outputs = 0;
  each_relaxed_answer(
      fixture, context, "map_cut.output", [&](const SmallGraph& graph, const OwnedAnswer& answer) {
        if (answer.fractional()) return Lines();
        ++outputs;
        SmallGraph used_cells = graph;
        used_cells.set_theta(std::vector<double>(answer.mu.size(), 0.0));
        for (const auto& [table, cell] : graph.cells_of(answer.labels))
          ++used_cells.tables[table][cell];
        const std::vector<double> expected = used_cells.theta();
        for (std::size_t c = 0; c < expected.size(); ++c) {
          if (std::abs(expected[c] - answer.mu[c]) <= polytope_tolerance) continue;
          return Lines{
              name +
                  " gives a relaxed answer that is an output, but mu is not that of its labels: " +
                  exact_number_text(answer.mu[c]) + " in cell " + std::to_string(c) +
                  " of theta, not " + exact_number_text(expected[c]),
              assignment_text(graph, "answer", answer.labels)};
        }
        return Lines();
      });
  if (outputs == 0) context.remark(name + ": none of its relaxed answers was an output");
}

// The claimed upper bound is at least the value of every assignment and of the answer itself.
void map_cut_bound_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  std::int64_t claimed = 0;
  std::int64_t fractional = 0;
  each_relaxed_answer(
      fixture, context, "map_cut.bound", [&](const SmallGraph& graph, const OwnedAnswer& answer) {
        fractional += answer.fractional() ? 1 : 0;
        const bool exact = answer.has_flag(SCULPT_ANSWER_EXACT);
        if (!exact && !answer.has_flag(SCULPT_ANSWER_BOUND)) return Lines();
        ++claimed;
        const double claimed_bound = upper_bound_of(answer);
        const double tolerance = 2 * allowed_excess(answer, graph.largest_terms());
        const std::optional<BestAssignment> best = best_assignment(graph);
        const std::string claim = name + " claims that no value in its larger set is above " +
                                  exact_number_text(claimed_bound) + (exact ? " (EXACT)" : "");
        if (best && claimed_bound < best->value - tolerance) {
          return Lines{claim + ", but the value of an assignment in this set is",
                       assignment_text(graph, "better", best->y)};
        }
        if (claimed_bound >= answer.value - tolerance) return Lines();
        return Lines{claim + ", but its own answer has " + exact_number_text(answer.value)};
      });
  const std::string remark = std::to_string(fractional) + " of " + std::to_string(context.cases()) +
                             " relaxed answers were fractional";
  if (claimed == 0) context.skip(name + " reports neither EXACT nor BOUND; " + remark);
  context.remark(remark);
}

}  // namespace

std::span<const ExperimentTest> map_relaxed_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{{{"map_cut.polytope", map_cut_polytope_test},
                                                        {"map_cut.value", map_cut_value_test},
                                                        {"map_cut.output", map_cut_output_test},
                                                        {"map_cut.bound", map_cut_bound_test}}};
  return tests;
}

}  // namespace sculpt::core
