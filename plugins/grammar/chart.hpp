// chart.hpp - all trees of a sentence under a grammar, as a hypergraph.
//
// Algorithm of Cocke, Kasami and Younger, in three passes over the spans of the sentence:
//   up    the nodes that are derivable, as bit sets
//   down  those of them that a tree of the whole sentence uses
//   up    the edges between these
// So nothing is stored that no tree has. The first pass takes time O(n^3 g), where g is the number
// of steps of the grammar for two neighbours, 64 at a time. Younger, Information and Control 10
// (1967). Called by grammar_session.cpp.
#pragma once

#include <sculpt/cpp/host.hpp>
#include <sculpt/program/hypergraph.hpp>

#include "grammar.hpp"

namespace grammar {

class Chart {
 public:
  using Graph = sculpt::program::Hypergraph<2>;

  // Throws for sentences with more than `max_edges` edges, which would fill the memory.
  Chart(const Grammar& grammar, std::int64_t max_edges, const sculpt::Host& host)
      : grammar_(grammar), max_edges_(max_edges), host_(host) {}

  // Terminals may be -1, which occurs in no rule.
  void build(const std::vector<std::int32_t>& terminals);

  // For the last sentence. The name of an edge is its number.
  const std::vector<std::int32_t>& terminals() const { return *terminals_; }
  const Graph& graph() const { return graph_; }
  // The packed EdgeName of each edge, [edges].
  const std::vector<std::int64_t>& names() const { return names_; }

 private:
  using BitSetWord = std::uint64_t;
  struct Span {
    std::int32_t start;
    std::int32_t end;
    std::size_t number;  // by length, then by start
  };
  // For each span a set of symbols, or of nodes of the trie.
  class Sets {
   public:
    void reset(std::size_t spans, std::size_t members) {
      words_ = (members + 63) / 64;
      bits_.assign(spans * words_, 0);
    }
    bool has(std::size_t span, std::int32_t member) const {
      return (of(span)[word(member)] & bit(member)) != 0;
    }
    // Adds a member. Returns true if it is new.
    bool add(std::size_t span, std::int32_t member) {
      BitSetWord& bits = bits_[span * words_ + word(member)];
      const BitSetWord previous = bits;
      bits |= bit(member);
      return bits != previous;
    }
    const BitSetWord* of(std::size_t span) const { return bits_.data() + span * words_; }
    template <class Visit>
    void each(std::size_t span, Visit visit) const {
      for (std::size_t w = 0; w < words_; ++w) {
        for (BitSetWord rest = of(span)[w]; rest != 0; rest &= rest - 1) {
          visit(static_cast<std::int32_t>(w * 64) + __builtin_ctzll(rest));
        }
      }
    }
    std::size_t words() const { return words_; }
    static std::size_t word(std::int32_t member) { return static_cast<std::size_t>(member) / 64; }
    static BitSetWord bit(std::int32_t member) {
      return BitSetWord{1} << (static_cast<unsigned>(member) % 64);
    }

   private:
    std::size_t words_ = 0;
    std::vector<BitSetWord> bits_;
  };

  std::int32_t length() const { return static_cast<std::int32_t>(terminals_->size()); }
  Span span(std::int32_t start, std::int32_t end) const {
    return {start, end,
            span_begin_[static_cast<std::size_t>(end - start)] + static_cast<std::size_t>(start)};
  }
  template <class Visit>
  void each_span(Visit visit) const;  // shorter ones first

  // Returns the memory of the tables with an entry for each span, independent of the trees.
  double table_bytes(std::size_t spans) const;
  void check_memory(double bytes) const;
  [[noreturn]] void refuse_edges() const;
  // The first pass: the derivable nodes of a span.
  void find_derivable(const Span& span);
  void add_trie_node(const Span& span, std::int32_t node);
  // The second pass: the nodes of a span that a tree of the whole sentence uses.
  void find_useful(const Span& span);
  void add_useful_splits(const Span& span, std::int32_t node);
  // The third pass: the edges of a span.
  void add_edges(const Span& span);
  void add_trie_node_edges(const Span& span);
  void add_base_edges(const Span& span);
  void add_top_edges(const Span& span);
  void add_edges_of_top(const Span& span, std::int32_t symbol);

  // Calls visit(k) for each split of trie node p into its parent and its last item, both derivable.
  template <class Visit>
  void each_split(const Span& span, std::int32_t node, Visit visit) const;
  void add_edge(EdgeName name, std::span<const std::int64_t> tails);
  std::int64_t trie_node_number(const Span& span, std::int32_t node) const;
  std::int64_t& top_node_number(const Span& span, std::int32_t symbol) {
    return top_nodes_[span.number * static_cast<std::size_t>(grammar_.symbol_count) +
                      static_cast<std::size_t>(symbol)];
  }

  const Grammar& grammar_;
  std::int64_t max_edges_;
  const sculpt::Host& host_;
  const std::vector<std::int32_t>* terminals_ = nullptr;
  std::vector<std::size_t> span_begin_;  // first span of each length, [length + 1]

  Sets tops_, bases_, trie_;  // derivable; tops are the nodes with a prime
  Sets useful_tops_, useful_bases_, useful_trie_;
  std::vector<std::int32_t> nodes_;            // Derivable nodes of the trie, span by span.
  std::vector<std::size_t> nodes_begin_;       // Offsets into nodes_, [spans + 1].
  std::vector<std::int32_t> extendable_;       // Those of nodes_ with children.
  std::vector<std::size_t> extendable_begin_;  // Offsets into extendable_, [spans + 1].
  // The numbers of the graph's nodes:
  std::vector<std::int64_t> top_nodes_;        // [spans][symbols]
  std::vector<std::int64_t> base_nodes_;       // Of the current span, [symbols].
  std::vector<std::int64_t> first_trie_node_;  // The first node of the trie in each span, [spans].
  std::vector<std::int32_t> trie_rank_;        // The number of useful nodes before each word of a
                                               // set, [spans][words of a set].
  // The steps of the trees, grouped by node.
  struct Step {
    std::int32_t node;  // of the trie
    std::int32_t split;
  };
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Step> steps_;
  std::vector<Range> step_ranges_;  // [spans]
  struct Completion {
    std::int32_t rule;
    std::int64_t tail;  // -1: a word
  };
  std::vector<std::vector<Completion>> completions_;  // of the current span, [symbols]

  Graph graph_;
  std::vector<std::int64_t> names_;
};

}  // namespace grammar
