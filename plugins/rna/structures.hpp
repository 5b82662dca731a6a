// structures.hpp - the structures that a grammar derives from a sequence, as a dynamic program.
//
//   node (i, j, A): the bases i .. j - 1 derived from A; ordered by -i, then j, then rank of A
//   edge: a rule of A, with the end of its first symbol if it has two
//
// Nodes without a derivation have no edges. A second symbol is tried only at ends of the first one.
// Few of the n^3 / 6 splits of n bases remain, because few bases can pair. Used by the features rna
// and structure_parser.cpp.
#pragma once

#include <cstdint>
#include <sculpt/cpp/host.hpp>
#include <sculpt/program/program.hpp>
#include <span>
#include <vector>

#include "pair_grammar.hpp"
#include "rule_weights.hpp"

namespace rna {

// The bases that may stay single, and those that may pair.
struct AllowedBases {
  std::int32_t bases = 0;
  bool is_all_single = false;
  std::vector<std::uint8_t> single;  // [bases]
  std::vector<std::uint8_t> pair;    // [bases][bases], i < j

  // Allows no pairs. `can_be_single`: whether every base may stay single, or none.
  void reset(std::size_t count, bool can_be_single);
  bool can_pair(std::int32_t i, std::int32_t j) const {
    return pair[static_cast<std::size_t>(i) * static_cast<std::size_t>(bases) +
                static_cast<std::size_t>(j)] != 0;
  }
  void set_pair(std::size_t i, std::size_t j) { pair[i * static_cast<std::size_t>(bases) + j] = 1; }
};

class Structures {
 public:
  struct Edge : sculpt::program::Edge<2> {
    RuleApplication span;
  };

  // Returns the number of nodes for this number of bases: O(bases^2).
  static double node_count(const PairGrammar& grammar, std::size_t bases) {
    const auto n = static_cast<double>(bases);
    return (n + 1) * (n + 2) / 2 * grammar.symbol_count();
  }

  // Finds the derivable nodes. `grammar` and `allowed` must outlive this object. Throws if the user
  // asks to stop.
  void reset(const PairGrammar& grammar, const AllowedBases& allowed, const sculpt::Host& host);
  // Scores the rules by `weights`, for these letters. All arguments must outlive this object.
  // Without this call since reset(), all scores are 0.
  void score(const RuleWeights& weights, std::span<const Letter> letters,
             std::span<const double> w) {
    weights_ = &weights;
    letters_ = letters;
    w_ = w;
  }

  std::int64_t node_count() const { return static_cast<std::int64_t>(derivable_.size()); }
  bool is_derivable() const { return derivable_.back() != 0; }
  // Calls visit(Edge&) for each edge of a node.
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (derivable_[static_cast<std::size_t>(node)] == 0) return;
    visit_edges_until(node, [&](Edge& edge) {
      visit(edge);
      return false;
    });
  }
  // Returns the first edge of a node, which must have one.
  Edge first_edge(std::int64_t node) const {
    Edge first;
    visit_edges_until(node, [&](const Edge& edge) {
      first = edge;
      return true;
    });
    return first;
  }

  // Writes the partners of a derivation.
  void output(const std::vector<Edge>& derivation, std::vector<std::int32_t>& y) const;

 private:
  // Nodes that begin at i come after those of the (n - i) (n - i + 1) / 2 spans that begin later.
  std::int64_t node(std::int64_t begin, std::int64_t end, std::int32_t symbol) const {
    const std::int64_t later = allowed_->bases - begin;
    return (later * (later + 1) / 2 + end - begin) * symbols_ + symbol;
  }
  bool is_derivable(std::int64_t node) const {
    return derivable_[static_cast<std::size_t>(node)] != 0;
  }
  // Returns the ends of a symbol's spans that start at `begin`.
  const std::vector<std::int32_t>& ends(std::int32_t begin, std::int32_t symbol) const {
    return ends_[static_cast<std::size_t>(begin * symbols_ + symbol)];
  }

  // True if the bases of a rule are allowed to be single or to pair. Its symbols must be derivable.
  bool is_allowed(const Rule& rule, RuleApplication span) const {
    return (allowed_->is_all_single || singles_are_allowed(rule, span)) &&
           (rule.has_implied_pairs || pairs_are_allowed(rule, span));
  }
  bool singles_are_allowed(const Rule& rule, RuleApplication span) const;
  bool pairs_are_allowed(const Rule& rule, RuleApplication span) const;
  double score_of(RuleApplication span) const {
    if (weights_ == nullptr) return 0;
    double sum = 0;
    weights_->each(span, letters_,
                   [&](std::int64_t weight) { sum += w_[static_cast<std::size_t>(weight)]; });
    return sum;
  }

  // Calls visit(edge) for the edges of a node until it returns true. Returns whether it did.
  template <class Visit>
  bool visit_edges_until(std::int64_t node, Visit visit) const {
    const auto [begin, end] = bounds_[static_cast<std::size_t>(node / symbols_)];
    const auto symbol = static_cast<std::int32_t>(node % symbols_);
    if (grammar_->is_enclosed(symbol)) {
      const bool around = begin > 0 && end < allowed_->bases && allowed_->can_pair(begin - 1, end);
      if (!around) return false;
    }
    if (grammar_->is_at_begin(symbol) && begin > 0) return false;
    if (grammar_->is_at_end(symbol) && end < allowed_->bases) return false;
    for (const std::int32_t number : grammar_->rules_of(symbol)) {
      const Rule& rule = grammar_->rules()[static_cast<std::size_t>(number)];
      if (end - begin < rule.bases()) continue;
      const RuleApplication span{number, begin, end, end};
      const bool stopped = rule.symbols.size() == 2 ? visit_splits_until(rule, span, visit)
                                                    : visit_unsplit_until(rule, span, visit);
      if (stopped) return true;
    }
    return false;
  }
  template <class Visit>
  bool visit_unsplit_until(const Rule& rule, RuleApplication span, Visit& visit) const {
    Edge edge;
    edge.span = span;
    if (rule.symbols.empty()) {
      if (span.end - span.begin != rule.bases() || !is_allowed(rule, span)) return false;
    } else {
      const std::int64_t child =
          node(span.begin + rule.bases_before, span.end - rule.bases_after, rule.symbols[0]);
      if (!is_derivable(child) || !is_allowed(rule, span)) return false;
      edge.tail_node[0] = child;
      edge.tail_count = 1;
    }
    edge.score = score_of(span);
    return visit(edge);
  }
  template <class Visit>
  bool visit_splits_until(const Rule& rule, RuleApplication span, Visit& visit) const {
    if (!rule.has_base_at_split && !is_allowed(rule, span)) return false;
    const double score = rule.has_base_at_split ? 0 : score_of(span);
    const std::int32_t begin = span.begin + rule.bases_before;
    const std::int32_t end = span.end - rule.bases_after;
    Edge edge;
    edge.tail_count = 2;
    for (const std::int32_t split : ends(begin, rule.symbols[0])) {
      if (split + rule.bases_between > end) break;
      const std::int64_t second = node(split + rule.bases_between, end, rule.symbols[1]);
      if (!is_derivable(second)) continue;
      span.split = split;
      if (rule.has_base_at_split && !is_allowed(rule, span)) continue;
      edge.span = span;
      edge.score = rule.has_base_at_split ? score_of(span) : score;
      edge.tail_node = {node(begin, split, rule.symbols[0]), second};
      if (visit(edge)) return true;
    }
    return false;
  }

  const PairGrammar* grammar_ = nullptr;
  const AllowedBases* allowed_ = nullptr;
  const RuleWeights* weights_ = nullptr;
  std::span<const Letter> letters_;
  std::span<const double> w_;
  std::int64_t symbols_ = 0;
  struct Bounds {
    std::int32_t begin;
    std::int32_t end;
  };
  std::vector<Bounds> bounds_;                   // [node / symbols_]
  std::vector<std::uint8_t> derivable_;          // [node]
  std::vector<std::vector<std::int32_t>> ends_;  // [begin][symbol], ascending
};

}  // namespace rna
