#include "relaxed_answers.hpp"

#include <sculpt/cpp/views.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "call_buffers.hpp"

namespace plugin_test {

// Each call gets a copy of a LabelBuffer. If the component grows the copy, the memory may move. So
// `labels` takes the copy back before anything can throw, and frees the memory that is valid.

BoundedAnswer solve_bounded(const LiveComponent& solver, const sculpt_factor_graph& graph,
                            const std::vector<double>& theta, std::uint64_t seed) {
  LabelBuffer labels;
  sculpt_answer answer{sizeof(sculpt_answer), 0, labels, 0, 0};
  const sculpt_map_query raw_query{sizeof(sculpt_map_query), 0, &graph, theta.data(), seed};
  ErrorText error;
  const sculpt_status status =
      solver.api<sculpt_map_solver_api>().solve(solver.session(), &raw_query, &answer, error.raw());
  static_cast<sculpt_label_buffer&>(labels) = answer.labels;
  error.check(status);
  return {labels.outputs(), answer.value, answer.bound, answer.flags};
}

RelaxedAnswer solve_relaxed(const LiveComponent& solver, const sculpt_factor_graph& graph,
                            const std::vector<double>& theta) {
  LabelBuffer labels;
  sculpt_cut cut{sizeof(sculpt_cut), 0, labels, 0, 0, 0};
  const sculpt_map_query raw_query{sizeof(sculpt_map_query), 0, &graph, theta.data(), 1};
  RelaxedAnswer answer;
  // A cell that the component does not write makes <theta, mu> NaN.
  answer.mu.assign(theta.size(), std::numeric_limits<double>::quiet_NaN());
  ErrorText error;
  const sculpt_status status =
      solver.extension<sculpt_ext_map_cut>(SCULPT_EXT_MAP_CUT)
          .cut(solver.session(), &raw_query, answer.mu.data(), &cut, error.raw());
  static_cast<sculpt_label_buffer&>(labels) = cut.labels;
  error.check(status);
  answer.output = labels.outputs();
  answer.value = cut.value;
  answer.bound = cut.bound;
  answer.flags = cut.flags;
  return answer;
}

RelaxedOracleAnswer argmax_relaxed(const LiveComponent& oracle, const OracleQuery& query) {
  LabelBuffer labels;
  sculpt_cut cut{sizeof(sculpt_cut), 0, labels, 0, 0, 0};
  const sculpt_query raw_query = query.raw();
  RelaxedOracleAnswer answer;
  sculpt::DenseSum psi(static_cast<std::int64_t>(query.w.size()));
  ErrorText error;
  const sculpt_status status =
      oracle.extension<sculpt_ext_cut>(SCULPT_EXT_CUT)
          .cut(oracle.session(), &raw_query, psi.sum().raw(), &cut, error.raw());
  static_cast<sculpt_label_buffer&>(labels) = cut.labels;
  error.check(status);
  answer.psi = psi.values();
  answer.output = labels.outputs();
  answer.value = cut.value;
  answer.bound = cut.bound;
  answer.flags = cut.flags;
  answer.loss = cut.loss;
  return answer;
}

// The largest of
//
//   -mu_c                                     of a cell c
//   |sum_c mu_c - 1|                          over the cells c of a factor
//   |sum_{c: y_v = k} mu_c - mu_{v,k}|        over the cells c of a factor that give v the state k
double polytope_violation(const sculpt_factor_graph& graph, const std::vector<double>& mu) {
  double violation = 0;
  for (const double cell : mu) violation = std::max(violation, -cell);
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const std::int64_t* const from = graph.scope_from + f;
    std::int64_t cells = 1;
    for (std::int64_t s = from[0]; s < from[1]; ++s) cells *= graph.states[graph.scope[s]];
    double sum = 0;
    for (std::int64_t c = 0; c < cells; ++c) {
      sum += mu[static_cast<std::size_t>(graph.table[f] + c)];
    }
    violation = std::max(violation, std::abs(sum - 1));
    std::int64_t stride = cells;  // between cells that differ in the state of v alone
    for (std::int64_t s = from[0]; s < from[1]; ++s) {
      const std::int32_t v = graph.scope[s];
      stride /= graph.states[v];
      std::vector<double> marginal(static_cast<std::size_t>(graph.states[v]), 0.0);
      for (std::int64_t c = 0; c < cells; ++c) {
        marginal[static_cast<std::size_t>(c / stride % graph.states[v])] +=
            mu[static_cast<std::size_t>(graph.table[f] + c)];
      }
      for (std::size_t k = 0; k < marginal.size(); ++k) {
        const double variable_mu = mu[static_cast<std::size_t>(graph.table[v]) + k];
        violation = std::max(violation, std::abs(marginal[k] - variable_mu));
      }
    }
  }
  return violation;
}

}  // namespace plugin_test
