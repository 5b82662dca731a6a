// viterbi.cpp - the best assignment of a chain, a forest or a graph of order two, exact, by dynamic
// programming. For a chain, over the positions:
//
//   best_1(k) = u_1(k),   best_t(k) = u_t(k) + max_j ( best_{t-1}(j) + p_t(j, k) )
//
// in O(T K^2). Viterbi, IEEE Transactions on Information Theory 13 (1967). There are no back
// pointers: backtracking recomputes one column a position. So the forward pass is a plain maximum
// that vectorizes.
//
// chain_frontier.hpp has the frontier of a chain, chain_marginals.hpp its marginals. Other forests
// have their own search and frontier, forest_search.hpp and forest_frontier.hpp. Graphs of order
// two have a search, order_two_search.hpp, and marginals, but no frontier. distribution.hpp has the
// distribution of all of them.
#include "chain_frontier.hpp"
#include "chain_marginals.hpp"
#include "chain_tables.hpp"
#include "distribution.hpp"
#include "forest_frontier.hpp"
#include "forest_program.hpp"
#include "forest_search.hpp"
#include "order_two_program.hpp"
#include "order_two_search.hpp"

#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Viterbi {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.viterbi", "1.5.0",
      "exact argmax of a chain, of order one or two, or a forest by dynamic programming",
      "Viterbi, IEEE Transactions on Information Theory, 1967"};
  static constexpr sculpt_parameter parameters[] = {sculpt::max_cells_parameter()};
  static constexpr const char* experiments[] = {R"({
    "name": "viterbi_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "one_slack", "C": 1}})"};

  Viterbi(const sculpt::Parameters& given, sculpt::Host host)
      : max_cells_(given.integer("max_cells")), host_(host) {}

  std::span<const std::uint32_t> demands() const { return alternatives; }
  std::uint32_t frontier_demands() const { return forest; }

  class Session {
    // Calls the function with the distribution of such graphs. Before its callers, which deduce its
    // type.
    template <class Function>
    auto with_distribution(const sculpt::MapQuery& query, Function call) {
      current_is_order_two_ = is_order_two(query.graph);
      return current_is_order_two_ ? call(order_two_distribution_) : call(forest_distribution_);
    }

   public:
    explicit Session(const Viterbi& owner)
        : owner_(owner),
          frontier_(owner.host_),
          forest_frontier_(owner.host_),
          order_two_(owner.host_),
          chain_marginals_(owner.host_),
          forest_distribution_(owner.host_),
          order_two_distribution_(owner.host_) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      end_cursors();
      const sculpt_factor_graph& graph = query.graph;
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      if (!is_chain(graph)) return solve_non_chain(query, answer);
      find_pair_tables(graph, pair_);
      forward_pass(graph, query.theta.data());
      const auto y = answer.labels().resize(graph.variable_count);
      backtrack(graph, query.theta.data(), y);
      answer.exact(sculpt::assignment_score(graph, query.theta.data(), y.data()));
    }

    void begin_frontier(const sculpt::FrontierQuery& query, sculpt::FrontierShape& shape) {
      end_cursors();
      const sculpt_factor_graph& graph = query.graph();
      if (!sculpt::has_assignments(graph)) return shape.no_output();
      if (is_order_two(graph)) {
        throw sculpt::unsupported_error(
            "has frontiers of chains and forests, not of graphs of order two; use `enumerate`, "
            "or a loss and a formulation that need no frontier");
      }
      variables_ = graph.variable_count;
      frontier_is_of_chain_ = is_chain(graph);
      const auto [first, second] = frontier_is_of_chain_
                                       ? frontier_.begin(query, owner_.max_cells_)
                                       : forest_frontier_.begin(query, owner_.max_cells_);
      shape.resize(first, second);
    }
    void frontier_slice(std::int64_t first, std::span<double> scores) {
      frontier_is_of_chain_ ? frontier_.slice(first, scores)
                            : forest_frontier_.slice(first, scores);
    }
    void frontier_output(sculpt::CountVector counts, sculpt::LabelOutput& out) {
      const auto y = out.resize(variables_);
      frontier_is_of_chain_ ? frontier_.output(counts, y) : forest_frontier_.output(counts, y);
    }

    double mean(const sculpt::MapQuery& query, double* mu) {
      end_cursors();
      if (sculpt::has_assignments(query.graph)) {
        if (const auto log_z = chain_marginals_.mean(query, mu)) return *log_z;
      }
      return with_distribution(query, [&](auto& all) { return all.mean(query, mu); });
    }
    void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) {
      end_cursors();
      if (sculpt::has_assignments(query.graph) &&
          chain_marginals_.covariance_times(query, direction, out)) {
        return;
      }
      with_distribution(query, [&](auto& all) { all.covariance_times(query, direction, out); });
    }
    void begin_k_best(const sculpt::MapQuery& query) {
      end_cursors();
      with_distribution(query, [&](auto& all) { all.begin_k_best(query); });
    }
    void next_best(sculpt::Answer& answer) {
      current_is_order_two_ ? order_two_distribution_.next_best(answer)
                            : forest_distribution_.next_best(answer);
    }
    double begin_sample(const sculpt::MapQuery& query) {
      end_cursors();
      return with_distribution(query, [&](auto& all) { return all.begin_sample(query); });
    }
    void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
      current_is_order_two_ ? order_two_distribution_.draw(seed, out)
                            : forest_distribution_.draw(seed, out);
    }

   private:
    static bool is_chain(const sculpt_factor_graph& graph) {
      return (graph.classes & SCULPT_GRAPH_CHAIN) != 0;
    }
    // True for graphs of order two that are no forest of pairs. A chain may be declared as order
    // two as well.
    static bool is_order_two(const sculpt_factor_graph& graph) {
      return (graph.classes & SCULPT_GRAPH_ORDER_TWO) != 0 && !is_chain(graph) &&
             (graph.classes & forest) != forest;
    }
    void end_cursors() {
      frontier_.end();
      forest_frontier_.end();
      forest_distribution_.end();
      order_two_distribution_.end();
    }

    // Solves graphs that are no chains.
    void solve_non_chain(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      const double* theta = query.theta.data();
      const auto y = answer.labels().resize(query.graph.variable_count);
      if (is_order_two(query.graph)) {
        order_two_.find(query.graph, theta, y);
      } else {
        forest_.find(query.graph, theta, y);
      }
      answer.exact(sculpt::assignment_score(query.graph, theta, y.data()));
    }

    // Computes best_ of all positions, by the formula at the top.
    void forward_pass(const sculpt_factor_graph& graph, const double* theta) {
      from_.resize(pair_.size());
      std::size_t cells = 0;
      for (std::size_t t = 0; t < pair_.size(); ++t) {
        from_[t] = cells;
        cells += static_cast<std::size_t>(graph.states[t]);
      }
      best_.resize(cells);
      for (std::size_t t = 0; t < pair_.size(); ++t) {
        const auto states = static_cast<std::size_t>(graph.states[t]);
        const double* unary = theta + graph.table[t];
        double* best = best_.data() + from_[t];
        if (t == 0) {
          std::copy_n(unary, states, best);
          continue;
        }
        const double* previous = best_.data() + from_[t - 1];
        const std::size_t previous_states = from_[t] - from_[t - 1];
        if (pair_[t] != no_table) {
          maximize(previous, previous_states, theta + pair_[t], states, best);
        } else {
          std::fill_n(best, states, *std::max_element(previous, previous + previous_states));
        }
        for (std::size_t k = 0; k < states; ++k) best[k] += unary[k];
      }
    }

    // Writes the best labels, the last one first. Ties: the smallest label of the last variable,
    // then of the variable before it, and so on.
    void backtrack(const sculpt_factor_graph& graph, const double* theta,
                   std::span<std::int32_t> y) const {
      for (std::size_t t = y.size(); t-- > 0;) {
        const double* best = best_.data() + from_[t];
        const bool joined = t + 1 < y.size() && pair_[t + 1] != no_table;
        const std::int64_t stride = joined ? graph.states[t + 1] : 0;
        const double* column = joined ? theta + pair_[t + 1] + y[t + 1] : &zero;
        std::int32_t argmax = 0;
        double maximum = best[0] + column[0];
        for (std::int32_t k = 1; k < graph.states[t]; ++k) {
          const double value = best[k] + column[k * stride];
          if (value > maximum) {
            maximum = value;
            argmax = k;
          }
        }
        y[t] = argmax;
      }
    }

    static constexpr double zero = 0;
    const Viterbi& owner_;
    ChainFrontier frontier_;
    ForestFrontier forest_frontier_;
    bool frontier_is_of_chain_ = true;  // false: the current frontier is that of a forest
    std::int64_t variables_ = 0;        // of the current frontier
    ForestSearch forest_;
    OrderTwoSearch order_two_;
    ChainMarginals chain_marginals_;
    Distribution<ForestProgram> forest_distribution_;
    Distribution<OrderTwoProgram> order_two_distribution_;
    bool current_is_order_two_ = false;  // the distribution of the current k best or draws
    std::vector<std::int64_t> pair_;     // first cells of the pair tables in theta, [T]
    std::vector<std::size_t> from_;      // offsets into best_, [T]
    std::vector<double> best_;           // [sum of states]
  };

 private:
  static constexpr std::uint32_t forest = SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  static constexpr std::uint32_t alternatives[] = {forest, SCULPT_GRAPH_ORDER_TWO};

  const std::int64_t max_cells_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("viterbi", "1.5.0", "Apache-2.0", sculpt::MapSolver<Viterbi>)
