// branch_and_bound.cpp - the best assignment of a factor graph of moderate size, exact, by branch
// and bound with linear programs.
//
//   divide a node at a variable v and a state k into y_v = k, tried first, and y_v != k; drop it
//   if its bound (node_bounds.hpp) is not above the best assignment so far
//
// Depth first. Land & Doig, "An Automatic Method of Solving Discrete Programming Problems",
// Econometrica 28 (1960).
#include "../lp/cell_limit.hpp"
#include "node_bounds.hpp"

#include <sculpt/cpp/local_search.hpp>
#include <sculpt/sculpt.hpp>

namespace {

// The limit of passes of the local search, which improves every assignment.
constexpr std::int64_t max_search_sweeps = 100;

class BranchAndBound {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.branch_and_bound", "1.0.0",
      "exact argmax of factor graphs of moderate size, with the bounds of the linear program",
      "Land & Doig, Econometrica, 1960"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("max_nodes", "100000", 1, 1e15,
                      "maximum number of nodes; after them the answer is the best assignment "
                      "found, with a bound"),
      sculpt::integer(
          "max_cells", "30000000", 1, max_int32_cells,
          "refuses graphs whose linear program has more cells than this; if the waiting nodes "
          "have more, the search ends as with max_nodes",
          "cells")};
  static constexpr const char* experiments[] = {R"({
    "name": "branch_and_bound_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "branch_and_bound",
    "solver": {"use": "one_slack", "C": 1}})"};

  BranchAndBound(const sculpt::Parameters& given, sculpt::Host host)
      : max_nodes_(given.integer("max_nodes")),
        max_cells_(given.integer("max_cells")),
        host_(host) {}

  class Session {
   public:
    explicit Session(const BranchAndBound& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      if (!sculpt::has_assignments(query.graph)) return answer.no_output();
      const auto y = answer.labels().resize(query.graph.variable_count);
      bounds_.begin(query, owner_.max_cells_);
      search_.begin(query.graph, query.theta.data());
      best_ = -std::numeric_limits<double>::infinity();
      nodes_.resize(1);
      bounds_.root(nodes_[0]);
      for (std::int64_t visited = 0; !nodes_.empty(); ++visited) {
        if (visited == owner_.max_nodes_ || waiting_nodes_exceed_memory()) break;
        owner_.host_.throw_if_cancelled();
        visit_last(y);
        prune_last_nodes();
      }
      double bound = best_;
      for (const Node& node : nodes_) bound = std::max(bound, node.bound);
      if (nodes_.empty()) {
        answer.exact(best_);
      } else {
        answer.found(best_);
      }
      answer.bound(bound);
    }

   private:
    // Visits the last node. Pushes its two halves if it may contain something better.
    void visit_last(std::span<std::int32_t> y) {
      Node node = std::move(nodes_.back());
      nodes_.pop_back();
      candidate_.resize(y.size());
      bounds_.evaluate(node, best_, owner_.host_, candidate_);
      const double value = search_.climb(candidate_, max_search_sweeps,
                                         [this] { owner_.host_.throw_if_cancelled(); });
      if (value > best_) {
        best_ = value;
        std::copy(candidate_.begin(), candidate_.end(), y.begin());
      }
      if (node.bound <= best_ + bounds_.rounding()) return;
      const NodeBounds::Branch branch = bounds_.choose_branch(node);
      if (branch.variable < 0) return;  // a single assignment, which was the candidate
      nodes_.push_back(node);
      nodes_.back().allowed[branch.cell] = 0;
      bounds_.keep_only(node, branch);
      nodes_.push_back(std::move(node));
    }

    // At most two nodes are always allowed: they are not larger than the program itself.
    bool waiting_nodes_exceed_memory() const {
      return nodes_.size() > 2 && static_cast<double>(nodes_.size()) * bounds_.cells_of_node() >
                                      static_cast<double>(owner_.max_cells_);
    }

    // Drops nodes from the end only. Earlier nodes belong to larger parts, whose bounds are not
    // smaller.
    void prune_last_nodes() {
      while (!nodes_.empty() && nodes_.back().bound <= best_ + bounds_.rounding()) {
        nodes_.pop_back();
      }
    }

    const BranchAndBound& owner_;
    NodeBounds bounds_;
    sculpt::LocalSearch search_;
    std::vector<Node> nodes_;              // waiting nodes, the next one last
    std::vector<std::int32_t> candidate_;  // [variables]
    double best_ = 0;                      // value of the best assignment so far
  };

 private:
  const std::int64_t max_nodes_;
  const std::int64_t max_cells_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("branch_and_bound", "1.0.0", "Apache-2.0", sculpt::MapSolver<BranchAndBound>)
