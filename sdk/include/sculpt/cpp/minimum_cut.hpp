// minimum_cut.hpp - the minimum cut of a network between a source and a sink, by maximum flow.
//
// SPDX-License-Identifier: Apache-2.0
//
//   minimize over the sets S of nodes   sum of cap(source, v) over v outside S
//     + sum of cap(v, sink) over v in S  +  sum of cap(u, v) over u in S, v outside S
//
// For map_solvers that turn a factor graph into a network: graph_cut, roof duality. The algorithm:
// Boykov & Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow Algorithms for Energy
// Minimization in Vision", PAMI 26 (2004). A tree of unsaturated arcs grows from each terminal. If
// the trees touch, the path between the terminals is saturated. Nodes that lose their arc to the
// parent look for a new parent among their neighbours: the nearest to the terminal. The saturated
// arc of a path gets exactly 0, so the algorithm ends with doubles too.
//
//   MinimumCut cut;
//   cut.reset(nodes);  cut.add_terminals(...);  cut.add_arcs(...);
//   const double capacity = cut.solve([&] { host.throw_if_cancelled(); });   once, then query nodes
//
// Speed, compared with Boost.Graph's boykov_kolmogorov_max_flow on the same networks, including
// construction. It is 2 to 5 times as fast for 12 to 28 nodes (scene, yeast), and 9 to 97 times for
// 8192 nodes (denoising). Tool: tests/bench/relaxation. Figures: plugins/lp/README.md.
//
// For one thread at a time. Supports fewer than 2^31 nodes and 2^30 calls of add_arcs. Capacities
// are finite and not negative. Exceptions of poll() pass through; call reset() afterwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sculpt {

class MinimumCut {
 public:
  // Starts a network of `nodes` nodes without arcs. The memory of the previous network is reused.
  void reset(std::int64_t nodes) {
    nodes_.assign(static_cast<std::size_t>(nodes), {});
    arcs_.clear();
    active_.clear();
    flow_ = 0;
    time_ = 0;
  }

  // Adds arcs from the source and to the sink. Repeated calls add up. Both capacities are >= 0.
  void add_terminals(std::int32_t node, double from_source, double to_sink) {
    double& residual = at(node).terminal;
    const double source = from_source + std::max(residual, 0.0);
    const double sink = to_sink + std::max(-residual, 0.0);
    flow_ += std::min(source, sink);
    residual = source - sink;
  }

  // Adds the arcs u -> v and v -> u with capacities >= 0.
  void add_arcs(std::int32_t u, std::int32_t v, double forward, double backward) {
    const auto arc = static_cast<std::int32_t>(arcs_.size());
    arcs_.push_back({v, at(u).first, forward});
    arcs_.push_back({u, at(v).first, backward});
    at(u).first = arc;
    at(v).first = arc + 1;
  }

  // Returns the capacity of the minimum cut. Calls poll() regularly; poll() may throw.
  template <class Poll>
  double solve(Poll poll) {
    start_trees();
    std::int64_t steps = 0;
    for (std::size_t next = 0; next < active_.size();) {
      const std::int32_t node = active_[next];
      if (at(node).parent != none) {
        for (std::int32_t arc; (arc = grow_tree(node)) != none;) {
          augment(arc);
          adopt_orphans();
          if (++steps % 4096 == 0) poll();
          if (at(node).parent == none) break;
        }
      }
      at(node).is_active = false;
      ++next;
      // Frees the part of the queue that is done.
      if (next > 4096 && 2 * next > active_.size()) {
        poll();
        active_.erase(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(next));
        next = 0;
      }
    }
    active_.clear();
    return flow_;
  }

  // After solve(): the smallest minimum cut S consists of the nodes with with_source(). The largest
  // consists of all nodes without with_sink(). Both are the same for every maximum flow.
  bool with_source(std::int32_t node) const {
    return at(node).parent != none && !at(node).is_in_sink_tree;
  }
  bool with_sink(std::int32_t node) const {
    return at(node).parent != none && at(node).is_in_sink_tree;
  }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t terminal = -2;  // the parent is the terminal itself
  static constexpr std::int32_t orphan = -3;    // the parent is lost; adopt() looks for another

  struct Node {
    std::int32_t first = none;   // first of its arcs, linked by Arc::next
    std::int32_t parent = none;  // the arc to the parent in its tree; none: in no tree
    std::int32_t distance = 0;   // to the terminal, as known at `time`
    bool is_in_sink_tree = false;
    bool is_active = false;  // in active_, not yet visited
    std::int64_t time = 0;
    double terminal = 0;  // residual capacity from the source (> 0) or to the sink (< 0)
  };
  // Arc k ^ 1 is the reverse of arc k.
  struct Arc {
    std::int32_t head;
    std::int32_t next;  // of the arcs with the same tail, or none
    double residual;    // capacity that is left
  };

  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& at(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
  Arc& arc_at(std::int32_t arc) { return arcs_[static_cast<std::size_t>(arc)]; }

  // Returns the residual capacity of the arc in the direction away from the terminal of this tree.
  double outward_residual(std::int32_t arc, bool is_in_sink_tree) {
    return arc_at(is_in_sink_tree ? arc ^ 1 : arc).residual;
  }

  void activate(std::int32_t node) {
    if (at(node).is_active) return;
    at(node).is_active = true;
    active_.push_back(node);
  }

  // Starts both trees with the nodes that have an arc from or to their terminal.
  void start_trees() {
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(nodes_.size()); ++v) {
      Node& node = at(v);
      if (node.terminal == 0) continue;
      node.is_in_sink_tree = node.terminal < 0;
      node.parent = terminal;
      node.distance = 1;
      activate(v);
    }
  }

  // Adds the free neighbours of `number` to its tree. Returns an arc from the source's tree to the
  // sink's tree if the trees touch, else none.
  std::int32_t grow_tree(std::int32_t number) {
    const Node node = at(number);
    for (std::int32_t arc = node.first; arc != none; arc = arc_at(arc).next) {
      if (!(outward_residual(arc, node.is_in_sink_tree) > 0)) continue;
      Node& other = at(arc_at(arc).head);
      if (other.parent == none) {
        other.is_in_sink_tree = node.is_in_sink_tree;
        other.parent = arc ^ 1;
        other.time = node.time;
        other.distance = node.distance + 1;
        activate(arc_at(arc).head);
      } else if (other.is_in_sink_tree != node.is_in_sink_tree) {
        return node.is_in_sink_tree ? arc ^ 1 : arc;
      } else if (other.time <= node.time && other.distance > node.distance) {
        other.parent = arc ^ 1;  // a shorter path to the terminal
        other.time = node.time;
        other.distance = node.distance + 1;
      }
    }
    return none;
  }

  // Saturates the path source -> ... -> tail of `bridge` -> head of it -> ... -> sink.
  void augment(std::int32_t bridge) {
    const std::int32_t tail = arc_at(bridge ^ 1).head;
    const std::int32_t head = arc_at(bridge).head;
    double amount = arc_at(bridge).residual;
    amount = std::min(amount, smallest_residual(tail, false));
    amount = std::min(amount, smallest_residual(head, true));
    ++time_;
    arc_at(bridge).residual -= amount;
    arc_at(bridge ^ 1).residual += amount;
    push(tail, amount, false);
    push(head, amount, true);
    flow_ += amount;
  }

  // Returns the smallest residual capacity on the path between `node` and its terminal.
  double smallest_residual(std::int32_t node, bool is_in_sink_tree) {
    double smallest = std::numeric_limits<double>::infinity();
    std::int32_t arc;
    for (; (arc = at(node).parent) != terminal; node = arc_at(arc).head) {
      smallest = std::min(smallest, arc_at(is_in_sink_tree ? arc : arc ^ 1).residual);
    }
    return std::min(smallest, is_in_sink_tree ? -at(node).terminal : at(node).terminal);
  }

  // Pushes `amount` along the path from `node` to its terminal. Nodes after a saturated arc become
  // orphans.
  void push(std::int32_t node, double amount, bool is_in_sink_tree) {
    std::int32_t arc;
    for (; (arc = at(node).parent) != terminal; node = arc_at(arc).head) {
      const std::int32_t path_arc = is_in_sink_tree ? arc : arc ^ 1;
      arc_at(path_arc).residual -= amount;
      arc_at(path_arc ^ 1).residual += amount;
      if (!(arc_at(path_arc).residual > 0)) make_orphan(node);
    }
    at(node).terminal += is_in_sink_tree ? amount : -amount;
    if (at(node).terminal == 0) make_orphan(node);
  }

  void make_orphan(std::int32_t node) {
    at(node).parent = orphan;
    orphans_.push_back(node);
  }

  void adopt_orphans() {
    std::size_t next = 0;  // adopting an orphan may add others
    while (next < orphans_.size()) adopt(orphans_[next++]);
    orphans_.clear();
  }

  // Connects an orphan to the neighbour nearest to its terminal, or removes it from the tree.
  void adopt(std::int32_t number) {
    Node& node = at(number);
    std::int32_t best = none;
    std::int32_t best_distance = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t arc = node.first; arc != none; arc = arc_at(arc).next) {
      const std::int32_t other = arc_at(arc).head;
      if (at(other).is_in_sink_tree != node.is_in_sink_tree || at(other).parent == none) continue;
      if (!(outward_residual(arc ^ 1, node.is_in_sink_tree) > 0)) continue;
      const std::int32_t distance = distance_of(other);
      if (distance < best_distance) {
        best_distance = distance;
        best = arc;
      }
    }
    if (best == none) return remove_from_tree(number);
    node.parent = best;
    node.time = time_;
    node.distance = best_distance + 1;
  }

  // Returns the distance to the terminal, or the largest number if the path ends at an orphan.
  // Stores the distances found along the path.
  std::int32_t distance_of(std::int32_t start) {
    std::int32_t distance = 0;
    std::int32_t node = start;
    for (;; ++distance) {
      const Node& current = at(node);
      if (current.time == time_) {
        distance += current.distance;
        break;
      }
      if (current.parent == orphan) return std::numeric_limits<std::int32_t>::max();
      if (current.parent == terminal) {
        ++distance;
        at(node).time = time_;
        at(node).distance = 1;
        break;
      }
      node = arc_at(current.parent).head;
    }
    const std::int32_t total = distance;
    for (node = start; at(node).time != time_; node = arc_at(at(node).parent).head) {
      at(node).time = time_;
      at(node).distance = distance--;
    }
    return total;
  }

  // Removes a node from its tree. Its children become orphans. Its neighbours in the tree become
  // active, because they may reach it again.
  void remove_from_tree(std::int32_t number) {
    Node& node = at(number);
    for (std::int32_t arc = node.first; arc != none; arc = arc_at(arc).next) {
      const std::int32_t other = arc_at(arc).head;
      if (at(other).is_in_sink_tree != node.is_in_sink_tree || at(other).parent == none) continue;
      if (outward_residual(arc ^ 1, node.is_in_sink_tree) > 0) activate(other);
      const std::int32_t parent = at(other).parent;
      if (parent >= 0 && arc_at(parent).head == number) make_orphan(other);
    }
    node.parent = none;
  }

  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> active_;   // a queue
  std::vector<std::int32_t> orphans_;  // a queue
  double flow_ = 0;
  std::int64_t time_ = 0;  // of the last augmentation; distances with this time are exact
};

}  // namespace sculpt
