// graph_cut.cpp - the best assignment of a binary, attractive, pairwise graph, exact, by a minimum
// cut.
//
//   score(y) = sum_v u_v(y_v) + sum_f p_f(y_a, y_b),    lambda_f = p_f(0,0) + p_f(1,1)
//                                                                - p_f(0,1) - p_f(1,0) >= 0
//   p_f(y_a, y_b) = p_f(0,0) + (p_f(1,0) - p_f(0,0) + lambda_f / 2) y_a
//                            + (p_f(0,1) - p_f(0,0) + lambda_f / 2) y_b - lambda_f / 2 [y_a != y_b]
//
// So -score is, up to a constant, the capacity of a cut; label 1 is the side of the source.
// Kolmogorov & Zabih, "What Energy Functions Can Be Minimized via Graph Cuts?", PAMI 26 (2004).
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/cpp/minimum_cut.hpp>
#include <sculpt/sculpt.hpp>

#include <cmath>
#include <map>
#include <utility>

namespace {

// Tolerance of the attractivity test, relative to the sum of the absolute cells. It covers rounding
// only.
constexpr double rounding = 1e-12;

class GraphCut {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.graph_cut", "1.0.0", "exact argmax of binary, attractive, pairwise graphs",
      "Kolmogorov & Zabih, IEEE Transactions on Pattern Analysis and Machine Intelligence, 2004"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("attractive", "\"promised\"", "promised|checked",
                     "promised: refuses features that do not promise attractive pairs; checked: "
                     "refuses each table that is not attractive")};
  static constexpr const char* experiments[] = {R"({
    "name": "graph_cut_two_classes",
    "dataset": {"use": "svmlight", "train": {"text": "1 1:1\n1 1:2 2:1\n2 2:1\n2 1:-1 2:2\n"}},
    "features": "multiclass", "loss": "hamming", "oracle": "graph_cut",
    "solver": {"use": "one_slack", "C": 1}})"};

  GraphCut(const sculpt::Parameters& given, sculpt::Host host)
      : promised_(given.choice("attractive") == "promised"), host_(host) {}

  std::uint32_t demands() const {
    return SCULPT_GRAPH_BINARY | SCULPT_GRAPH_PAIRWISE |
           (promised_ ? std::uint32_t{SCULPT_GRAPH_ATTRACTIVE} : 0);
  }

  class Session {
   public:
    explicit Session(const GraphCut& owner) : owner_(owner) {}

    // Ties: the best assignment with the fewest labels 1. All other best assignments have these
    // labels 1 too.
    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      const sculpt_factor_graph& graph = query.graph;
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      check_graph(graph);
      network_.reset(graph.variable_count);
      gain_.assign(static_cast<std::size_t>(graph.variable_count), 0.0);
      add_pairs(graph, query.theta.data());
      add_unaries(graph, query.theta.data());
      network_.solve([this] { owner_.host_.throw_if_cancelled(); });
      const auto y = answer.labels().resize(graph.variable_count);
      for (std::size_t v = 0; v < y.size(); ++v) {
        y[v] = network_.with_source(static_cast<std::int32_t>(v)) ? 1 : 0;
      }
      answer.exact(sculpt::assignment_score(graph, query.theta.data(), y.data()));
    }

   private:
    // Throws unless all variables are binary and all factors have at most two variables.
    static void check_graph(const sculpt_factor_graph& graph) {
      for (std::int64_t v = 0; v < graph.variable_count; ++v) {
        if (graph.states[v] == 2) continue;
        throw sculpt::unsupported_error("variable " + std::to_string(v) + " has " +
                                        std::to_string(graph.states[v]) +
                                        " states; graph_cut needs two: use lp or branch_and_bound");
      }
      for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
        const std::size_t size = sculpt::scope_of(graph, f).size();
        if (size <= 2) continue;
        throw sculpt::unsupported_error("a factor is over " + std::to_string(size) +
                                        " variables; graph_cut needs pairs: use lp or "
                                        "branch_and_bound");
      }
    }

    // Adds arcs for the pairs, and their part of the gain of label 1.
    void add_pairs(const sculpt_factor_graph& graph, const double* theta) {
      bool has_repulsive_table = false;
      for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
        const auto scope = sculpt::scope_of(graph, f);
        if (scope.size() != 2) continue;
        const double* p = theta + graph.table[f];
        const double lambda = p[0] + p[3] - p[1] - p[2];
        gain_[static_cast<std::size_t>(scope[0])] += p[2] - p[0] + lambda / 2;
        gain_[static_cast<std::size_t>(scope[1])] += p[1] - p[0] + lambda / 2;
        if (lambda > 0) {
          network_.add_arcs(scope[0], scope[1], lambda / 2, lambda / 2);
        } else if (!(lambda >= -rounding * magnitude_of(p))) {
          has_repulsive_table = true;
        }
      }
      if (has_repulsive_table) join_repeated_pairs(graph, theta);
    }

    // A table that is not attractive may be one of several over the same two variables; only their
    // sum must be attractive. Adds the arcs again, one for each pair of variables.
    void join_repeated_pairs(const sculpt_factor_graph& graph, const double* theta) {
      struct Joined {
        double lambda = 0;
        double magnitude = 0;
      };
      std::map<std::pair<std::int32_t, std::int32_t>, Joined> joined;
      for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
        const auto scope = sculpt::scope_of(graph, f);
        if (scope.size() != 2) continue;
        const double* p = theta + graph.table[f];
        Joined& edge = joined[std::minmax(scope[0], scope[1])];
        edge.lambda += p[0] + p[3] - p[1] - p[2];
        edge.magnitude += magnitude_of(p);
      }
      network_.reset(graph.variable_count);
      for (const auto& [edge, sum] : joined) {
        if (!(sum.lambda >= -rounding * sum.magnitude)) throw not_attractive(edge);
        const double half = std::max(0.0, sum.lambda / 2);
        network_.add_arcs(edge.first, edge.second, half, half);
      }
    }

    // Returns the sum of the absolute cells.
    static double magnitude_of(const double* p) {
      return std::abs(p[0]) + std::abs(p[1]) + std::abs(p[2]) + std::abs(p[3]);
    }

    sculpt::Error not_attractive(std::pair<std::int32_t, std::int32_t> edge) const {
      return sculpt::unsupported_error(
          "the pair of the variables " + std::to_string(edge.first) + " and " +
          std::to_string(edge.second) + " is not attractive: theta(0,0) + theta(1,1) is below " +
          "theta(0,1) + theta(1,0); " +
          (owner_.promised_ ? "correct the features, which promise attractive pairs"
                            : "set the parameter 'nonnegative' of the features for their pair "
                              "weights") +
          ", or use another map_solver (lp, branch_and_bound)");
    }

    // Adds the other factors over one variable. Factors over no variable change nothing.
    void add_unaries(const sculpt_factor_graph& graph, const double* theta) {
      for (std::int64_t f = 0; f < graph.factor_count; ++f) {
        const auto scope = sculpt::scope_of(graph, f);
        if (scope.size() != 1) continue;
        const double* u = theta + graph.table[f];
        gain_[static_cast<std::size_t>(scope[0])] += u[1] - u[0];
      }
      for (std::size_t v = 0; v < gain_.size(); ++v) {
        if (!std::isfinite(gain_[v])) {
          throw sculpt::unsupported_error("the scores of variable " + std::to_string(v) +
                                          " are not finite; graph_cut needs finite ones");
        }
        network_.add_terminals(static_cast<std::int32_t>(v), std::max(gain_[v], 0.0),
                               std::max(-gain_[v], 0.0));
      }
    }

    const GraphCut& owner_;
    sculpt::MinimumCut network_;
    std::vector<double> gain_;  // gain of label 1, pairs included, [variables]
  };

 private:
  const bool promised_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("graph_cut", "1.0.0", "Apache-2.0", sculpt::MapSolver<GraphCut>)
