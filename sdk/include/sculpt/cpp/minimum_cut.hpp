// minimum_cut.hpp - the minimum cut of a network between a source and a sink, by maximum flow.
//
// SPDX-License-Identifier: Apache-2.0
//
//   minimize over the sets S of nodes   sum of cap(source, v) over v outside S
//     + sum of cap(v, sink) over v in S  +  sum of cap(u, v) over u in S, v outside S
//
// For map_solvers that turn a factor graph into such a network: graph_cut, roof duality. The
// algorithm is that of Boykov & Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow
// Algorithms for Energy Minimization in Vision", PAMI 26 (2004): a tree of unsaturated arcs grows
// from either terminal, a path is saturated where they touch, and what it tears off is adopted by
// the nearest neighbour that still hangs on a terminal. The saturated arc of a path gets exactly 0,
// so that it ends with doubles as well.
//
//   MinimumCut cut;
//   cut.reset(nodes);  cut.add_terminals(...);  cut.add_arcs(...);
//   const double least = cut.solve([&] { host.throw_if_cancelled(); });   once, then ask the nodes
//
// Beside Boost.Graph's boykov_kolmogorov_max_flow in the same networks, building them included: 2
// to 5 times as fast for 12 to 28 nodes (scene, yeast), 9 to 97 times for 8192 (denoising);
// measured by tests/bench/relaxation, in plugins/lp/README.md.
//
// For one thread at a time; fewer than 2^31 nodes and 2^30 calls of add_arcs. Capacities are finite
// and not negative. Throws what poll() throws, after which it has to be reset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sculpt {

class MinimumCut {
 public:
  // A network of `nodes` nodes without arcs. Room is kept from one network to the next.
  void reset(std::int64_t nodes) {
    nodes_.assign(static_cast<std::size_t>(nodes), {});
    arcs_.clear();
    active_.clear();
    flow_ = 0;
    time_ = 0;
  }

  // Arcs from the source and to the sink; repeated calls add up. Both capacities are >= 0.
  void add_terminals(std::int32_t node, double from_source, double to_sink) {
    double& rest = at(node).terminal;
    const double source = from_source + std::max(rest, 0.0);
    const double sink = to_sink + std::max(-rest, 0.0);
    flow_ += std::min(source, sink);
    rest = source - sink;
  }

  // The arcs u -> v and v -> u, capacities >= 0.
  void add_arcs(std::int32_t u, std::int32_t v, double there, double back) {
    const auto arc = static_cast<std::int32_t>(arcs_.size());
    arcs_.push_back({v, at(u).first, there});
    arcs_.push_back({u, at(v).first, back});
    at(u).first = arc;
    at(v).first = arc + 1;
  }

  // The capacity of the minimum cut. Calls poll() now and then, which may throw.
  template <class Poll>
  double solve(Poll poll) {
    plant();
    std::int64_t steps = 0;
    for (std::size_t next = 0; next < active_.size();) {
      const std::int32_t node = active_[next];
      if (at(node).parent != none) {
        for (std::int32_t arc; (arc = grow(node)) != none;) {
          augment(arc);
          adopt_orphans();
          if (++steps % 4096 == 0) poll();
          if (at(node).parent == none) break;
        }
      }
      at(node).active = false;
      ++next;
      // what lies behind is room again
      if (next > 4096 && 2 * next > active_.size()) {
        poll();
        active_.erase(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(next));
        next = 0;
      }
    }
    active_.clear();
    return flow_;
  }

  // After solve: the smallest of the minimum cuts S has the nodes `with_source`, the largest all
  // but those `with_sink`. Both are the same for every maximum flow.
  bool with_source(std::int32_t node) const {
    return at(node).parent != none && !at(node).in_sink_tree;
  }
  bool with_sink(std::int32_t node) const {
    return at(node).parent != none && at(node).in_sink_tree;
  }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t terminal = -2;  // a parent: the terminal itself
  static constexpr std::int32_t orphan = -3;    // a parent: lost, to be found anew

  struct Node {
    std::int32_t first = none;   // its arcs, linked by Arc::next
    std::int32_t parent = none;  // the arc to the parent in its tree; none: in no tree
    std::int32_t distance = 0;   // to the terminal, as far as known at `time`
    bool in_sink_tree = false;
    bool active = false;  // in active_, not looked at yet
    std::int64_t time = 0;
    double terminal = 0;  // what is left of the arc from the source (> 0) or to the sink (< 0)
  };
  // arc k ^ 1 is the reverse of arc k
  struct Arc {
    std::int32_t head;
    std::int32_t next;
    double rest;
  };

  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& at(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
  Arc& arc_at(std::int32_t arc) { return arcs_[static_cast<std::size_t>(arc)]; }

  // What the arc can still carry away from the terminal of this tree.
  double outward(std::int32_t arc, bool in_sink_tree) {
    return arc_at(in_sink_tree ? arc ^ 1 : arc).rest;
  }

  void activate(std::int32_t node) {
    if (at(node).active) return;
    at(node).active = true;
    active_.push_back(node);
  }

  void plant() {
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(nodes_.size()); ++v) {
      Node& node = at(v);
      if (node.terminal == 0) continue;
      node.in_sink_tree = node.terminal < 0;
      node.parent = terminal;
      node.distance = 1;
      activate(v);
    }
  }

  // Lets the tree of `node` take its free neighbours; an arc from the source's tree into the
  // sink's, when they touch.
  std::int32_t grow(std::int32_t number) {
    const Node node = at(number);
    for (std::int32_t arc = node.first; arc != none; arc = arc_at(arc).next) {
      if (!(outward(arc, node.in_sink_tree) > 0)) continue;
      Node& other = at(arc_at(arc).head);
      if (other.parent == none) {
        other.in_sink_tree = node.in_sink_tree;
        other.parent = arc ^ 1;
        other.time = node.time;
        other.distance = node.distance + 1;
        activate(arc_at(arc).head);
      } else if (other.in_sink_tree != node.in_sink_tree) {
        return node.in_sink_tree ? arc ^ 1 : arc;
      } else if (other.time <= node.time && other.distance > node.distance) {
        other.parent = arc ^ 1;  // a shorter way to the terminal
        other.time = node.time;
        other.distance = node.distance + 1;
      }
    }
    return none;
  }

  // Saturates the path source -> ... -> tail of `middle` -> head of it -> ... -> sink.
  void augment(std::int32_t middle) {
    const std::int32_t tail = arc_at(middle ^ 1).head;
    const std::int32_t head = arc_at(middle).head;
    double amount = arc_at(middle).rest;
    amount = std::min(amount, narrowest(tail, false));
    amount = std::min(amount, narrowest(head, true));
    ++time_;
    arc_at(middle).rest -= amount;
    arc_at(middle ^ 1).rest += amount;
    push(tail, amount, false);
    push(head, amount, true);
    flow_ += amount;
  }

  double narrowest(std::int32_t node, bool in_sink_tree) {
    double least = std::numeric_limits<double>::infinity();
    std::int32_t arc;
    for (; (arc = at(node).parent) != terminal; node = arc_at(arc).head) {
      least = std::min(least, arc_at(in_sink_tree ? arc : arc ^ 1).rest);
    }
    return std::min(least, in_sink_tree ? -at(node).terminal : at(node).terminal);
  }

  // Along the path from `node` to its terminal; nodes behind a saturated arc become orphans.
  void push(std::int32_t node, double amount, bool in_sink_tree) {
    std::int32_t arc;
    for (; (arc = at(node).parent) != terminal; node = arc_at(arc).head) {
      const std::int32_t used = in_sink_tree ? arc : arc ^ 1;
      arc_at(used).rest -= amount;
      arc_at(used ^ 1).rest += amount;
      if (!(arc_at(used).rest > 0)) make_orphan(node);
    }
    at(node).terminal += in_sink_tree ? amount : -amount;
    if (at(node).terminal == 0) make_orphan(node);
  }

  void make_orphan(std::int32_t node) {
    at(node).parent = orphan;
    orphans_.push_back(node);
  }

  void adopt_orphans() {
    std::size_t next = 0;  // adopting one may add others
    while (next < orphans_.size()) adopt(orphans_[next++]);
    orphans_.clear();
  }

  // Hangs an orphan on the neighbour nearest to its terminal, or sets it free.
  void adopt(std::int32_t number) {
    Node& node = at(number);
    std::int32_t best = none;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t arc = node.first; arc != none; arc = arc_at(arc).next) {
      const std::int32_t other = arc_at(arc).head;
      if (at(other).in_sink_tree != node.in_sink_tree || at(other).parent == none) continue;
      if (!(outward(arc ^ 1, node.in_sink_tree) > 0)) continue;
      const std::int32_t distance = distance_of(other);
      if (distance < least) {
        least = distance;
        best = arc;
      }
    }
    if (best == none) return set_free(number);
    node.parent = best;
    node.time = time_;
    node.distance = least + 1;
  }

  // To the terminal; the largest number when the way up ends at an orphan. Marks the way.
  std::int32_t distance_of(std::int32_t start) {
    std::int32_t distance = 0;
    std::int32_t node = start;
    for (;; ++distance) {
      const Node& here = at(node);
      if (here.time == time_) {
        distance += here.distance;
        break;
      }
      if (here.parent == orphan) return std::numeric_limits<std::int32_t>::max();
      if (here.parent == terminal) {
        ++distance;
        at(node).time = time_;
        at(node).distance = 1;
        break;
      }
      node = arc_at(here.parent).head;
    }
    const std::int32_t found = distance;
    for (node = start; at(node).time != time_; node = arc_at(at(node).parent).head) {
      at(node).time = time_;
      at(node).distance = distance--;
    }
    return found;
  }

  // Its children become orphans; its neighbours in the tree grow anew, for they may reach it.
  void set_free(std::int32_t number) {
    Node& node = at(number);
    for (std::int32_t arc = node.first; arc != none; arc = arc_at(arc).next) {
      const std::int32_t other = arc_at(arc).head;
      if (at(other).in_sink_tree != node.in_sink_tree || at(other).parent == none) continue;
      if (outward(arc ^ 1, node.in_sink_tree) > 0) activate(other);
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
  std::int64_t time_ = 0;  // of the last augmentation: distances found since are right
};

}  // namespace sculpt
