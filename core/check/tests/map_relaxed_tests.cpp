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
  each_graph(fixture, context, test, solver, true, [&](const SmallGraph& graph) {
    const OwnedAnswer reply = solver.relaxed(graph);
    if (!reply.has(SCULPT_ANSWER_NO_OUTPUT)) return fault(graph, reply);
    return Lines{component.name() +
                 " says NO_OUTPUT of its relaxed answer, but every variable has a state"};
  });
}

// Returns mu, split into tables.
std::vector<std::vector<double>> by_table(const SmallGraph& graph, const std::vector<double>& mu) {
  SmallGraph same = graph;
  same.set_theta(mu);
  return same.tables;
}

// The scopes of the factors that use a table, and their common shape. Empty if their shapes differ.
struct Usage {
  std::vector<std::vector<std::int32_t>> scopes;
  std::vector<std::int32_t> shape;
};

std::vector<Usage> usages(const SmallGraph& graph) {
  std::vector<Usage> all(graph.tables.size());
  for (const SmallGraph::Factor& factor : graph.factors) {
    Usage& usage = all[factor.table];
    std::vector<std::int32_t> shape;
    for (const std::int32_t v : factor.scope) {
      shape.push_back(graph.states[static_cast<std::size_t>(v)]);
    }
    if (usage.scopes.empty()) usage.shape = shape;
    if (usage.shape != shape) usage.shape.clear();
    usage.scopes.push_back(factor.scope);
  }
  return all;
}

std::string scopes_text(const Usage& usage) {
  std::vector<std::string> words;
  for (const auto& scope : usage.scopes) words.push_back(labels_text(scope));
  return joined(words, " and ");
}

// Returns where the beliefs of a shared table do not sum to those of the variables. Compares one
// position of the scopes after the other.
Lines marginal_fault(const Usage& usage, const std::vector<std::vector<double>>& mu,
                     const std::vector<double>& table) {
  auto inner = static_cast<std::int64_t>(table.size());
  for (std::size_t place = 0; place < usage.shape.size(); ++place) {
    const std::int64_t states = usage.shape[place];
    inner /= states;
    for (std::int64_t k = 0; k < states; ++k) {
      double marginal = 0;
      double own = 0;
      for (std::size_t c = 0; c < table.size(); ++c) {
        if (static_cast<std::int64_t>(c) / inner % states == k) marginal += table[c];
      }
      for (const auto& scope : usage.scopes) {
        own += mu[static_cast<std::size_t>(scope[place])][static_cast<std::size_t>(k)];
      }
      if (std::abs(marginal - own) <= polytope_tolerance * static_cast<double>(usage.scopes.size()))
        continue;
      return {"  of the factors over " + scopes_text(usage) + " the cells with state " +
              std::to_string(k) + " at place " + std::to_string(place) + " have " +
              exact_number_text(marginal) + ", these variables " + exact_number_text(own)};
    }
  }
  return {};
}

Lines polytope_fault(const SmallGraph& graph, const OwnedAnswer& reply) {
  const std::vector<std::vector<double>> mu = by_table(graph, reply.mu);
  const std::vector<Usage> used = usages(graph);
  for (std::size_t t = 0; t < mu.size(); ++t) {
    const bool unary = t < graph.states.size();
    const double users = unary ? 1 : static_cast<double>(used[t].scopes.size());
    const std::string where =
        unary ? "variable " + std::to_string(t) : "the factors over " + scopes_text(used[t]);
    double sum = 0;
    for (const double cell : mu[t]) {
      if (std::isnan(cell)) return {"  a cell of " + where + " is nan, or was not written"};
      if (cell < -polytope_tolerance)
        return {"  a cell of " + where + " is " + exact_number_text(cell)};
      sum += cell;
    }
    if (!(std::abs(sum - users) <= polytope_tolerance * users)) {
      return {"  the cells of " + where + " sum up to " + exact_number_text(sum) + " instead of " +
              exact_number_text(users)};
    }
    if (unary) continue;
    Lines lines = marginal_fault(used[t], mu, mu[t]);
    if (!lines.empty()) return lines;
  }
  return {};
}

void map_cut_polytope_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  each_relaxed_answer(
      fixture, context, "map_cut.polytope", [&](const SmallGraph& graph, const OwnedAnswer& reply) {
        Lines lines = polytope_fault(graph, reply);
        if (!lines.empty()) {
          lines.insert(lines.begin(), name + ": the beliefs mu of its relaxed answer are " +
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
                      [&](const SmallGraph& graph, const OwnedAnswer& reply) {
                        const AugmentedScore mine = augmented_score_of(graph, reply.mu);
                        if (std::abs(mine.value - reply.value) <= mine.terms.rounding())
                          return Lines();
                        return Lines{name + " says the value of its relaxed answer is " +
                                     exact_number_text(reply.value) + "; <theta, mu> is " +
                                     exact_number_text(mine.value)};
                      });
}

// If the answer is an output, mu counts the cells that its labels use.
void map_cut_output_test(TestFixture& fixture, TestContext& context) {
  const std::string name = fixture.oracle_name();
  std::int64_t outputs = 0;
  each_relaxed_answer(
      fixture, context, "map_cut.output", [&](const SmallGraph& graph, const OwnedAnswer& reply) {
        if (reply.fractional()) return Lines();
        ++outputs;
        SmallGraph counted = graph;
        counted.set_theta(std::vector<double>(reply.mu.size(), 0.0));
        for (const auto& [table, cell] : graph.cells_of(reply.labels))
          ++counted.tables[table][cell];
        const std::vector<double> picked = counted.theta();
        for (std::size_t c = 0; c < picked.size(); ++c) {
          if (std::abs(picked[c] - reply.mu[c]) <= polytope_tolerance) continue;
          return Lines{
              name + " calls its relaxed answer an output, but mu is not that of its labels: " +
                  exact_number_text(reply.mu[c]) + " in cell " + std::to_string(c) +
                  " of theta, which they pick " + exact_number_text(picked[c]) + " times",
              assignment_text(graph, "answer", reply.labels)};
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
      fixture, context, "map_cut.bound", [&](const SmallGraph& graph, const OwnedAnswer& reply) {
        fractional += reply.fractional() ? 1 : 0;
        const bool exact = reply.has(SCULPT_ANSWER_EXACT);
        if (!exact && !reply.has(SCULPT_ANSWER_BOUND)) return Lines();
        ++claimed;
        const double most = upper_bound_of(reply);
        const double allowed = 2 * excess_allowed(reply, graph.largest_terms());
        const std::optional<BestAssignment> best = best_assignment(graph);
        const std::string claim = name + " says that nothing in its larger set is above " +
                                  exact_number_text(most) + (exact ? " (EXACT)" : "");
        if (best && most < best->value - allowed) {
          return Lines{claim + ", but an assignment is, which the set has to hold",
                       assignment_text(graph, "better", best->y)};
        }
        if (most >= reply.value - allowed) return Lines();
        return Lines{claim + ", but its own answer has " + exact_number_text(reply.value)};
      });
  const std::string share = std::to_string(fractional) + " of " + std::to_string(context.cases()) +
                            " relaxed answers were fractional";
  if (claimed == 0) context.skip(name + " says neither EXACT nor BOUND; " + share);
  context.remark(share);
}

}  // namespace

std::span<const ExperimentTest> map_cut_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{{{"map_cut.polytope", map_cut_polytope_test},
                                                        {"map_cut.value", map_cut_value_test},
                                                        {"map_cut.output", map_cut_output_test},
                                                        {"map_cut.bound", map_cut_bound_test}}};
  return tests;
}

}  // namespace sculpt::core
