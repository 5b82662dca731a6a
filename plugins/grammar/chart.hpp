// chart.hpp - all trees of a sentence under a grammar, as a hypergraph.
//
// Cocke, Kasami and Younger's algorithm in three walks over the spans of the sentence, words first:
//   up    which nodes can be derived, as sets of bits
//   down  which of them a tree of the whole sentence uses
//   up    the edges between these
// so that nothing is stored that no tree has. The first walk takes time O(n^3 g), g the steps that
// the grammar allows for two neighbours, 64 of them at a time. Owned by a session of the features.
#pragma once

#include <sculpt/cpp/host.hpp>
#include <sculpt/program/hypergraph.hpp>

#include "grammar.hpp"

namespace grammar {

class Chart {
 public:
  using Graph = sculpt::program::Hypergraph<2>;

  // Refuses sentences with more than `most_edges` edges, which would fill the memory.
  Chart(const Grammar& grammar, std::int64_t most_edges, const sculpt::Host& host)
      : grammar_(grammar), most_edges_(most_edges), host_(host) {}

  // Terminals may be -1, which no rule has.
  void build(const std::vector<std::int32_t>& terminals);

  // Of the last sentence. Edges are named by their numbers.
  const std::vector<std::int32_t>& terminals() const { return *terminals_; }
  const Graph& graph() const { return graph_; }
  // [edges] packed
  const std::vector<std::int64_t>& names() const { return names_; }

 private:
  using Word = std::uint64_t;
  struct Span {
    std::int32_t start;
    std::int32_t end;
    std::size_t number;  // by length, then by start
  };
  // A set of symbols, or of nodes of the trie, for each span.
  class Sets {
   public:
    void begin(std::size_t spans, std::size_t members) {
      words_ = (members + 63) / 64;
      bits_.assign(spans * words_, 0);
    }
    bool has(std::size_t span, std::int32_t member) const {
      return (of(span)[word(member)] & bit(member)) != 0;
    }
    // Whether it is new.
    bool add(std::size_t span, std::int32_t member) {
      Word& place = bits_[span * words_ + word(member)];
      const Word before = place;
      place |= bit(member);
      return place != before;
    }
    const Word* of(std::size_t span) const { return bits_.data() + span * words_; }
    template <class Visit>
    void each(std::size_t span, Visit visit) const {
      for (std::size_t w = 0; w < words_; ++w) {
        for (Word rest = of(span)[w]; rest != 0; rest &= rest - 1) {
          visit(static_cast<std::int32_t>(w * 64) + __builtin_ctzll(rest));
        }
      }
    }
    std::size_t words() const { return words_; }
    static std::size_t word(std::int32_t member) { return static_cast<std::size_t>(member) / 64; }
    static Word bit(std::int32_t member) { return Word{1} << (static_cast<unsigned>(member) % 64); }

   private:
    std::size_t words_ = 0;
    std::vector<Word> bits_;
  };

  std::int32_t length() const { return static_cast<std::int32_t>(terminals_->size()); }
  Span span(std::int32_t start, std::int32_t end) const {
    return {start, end,
            span_from_[static_cast<std::size_t>(end - start)] + static_cast<std::size_t>(start)};
  }
  template <class Visit>
  void each_span(Visit visit) const;  // shorter ones first

  // What the tables take that have a place for each span, whatever the trees.
  double table_bytes(std::size_t spans) const;
  void check_memory(double bytes) const;
  [[noreturn]] void refuse_edges() const;
  void find_derivable(const Span& span);
  void add_trie_node(const Span& span, std::int32_t node);
  void find_useful(const Span& span);
  void mark_splits(const Span& span, std::int32_t node);
  void emit(const Span& span);
  void emit_trie_nodes(const Span& span);
  void emit_bases(const Span& span);
  void emit_tops(const Span& span);
  void emit_top(const Span& span, std::int32_t symbol);

  // Calls visit(k) for each place where node p of the trie splits into its parent and its last
  // item, both derivable.
  template <class Visit>
  void each_split(const Span& span, std::int32_t node, Visit visit) const;
  void add_edge(EdgeName name, std::span<const std::int64_t> tails);
  std::int64_t trie_place(const Span& span, std::int32_t node) const;
  std::int64_t& top_place(const Span& span, std::int32_t symbol) {
    return top_places_[span.number * static_cast<std::size_t>(grammar_.symbol_count) +
                       static_cast<std::size_t>(symbol)];
  }

  const Grammar& grammar_;
  std::int64_t most_edges_;
  const sculpt::Host& host_;
  const std::vector<std::int32_t>* terminals_ = nullptr;
  std::vector<std::size_t> span_from_;  // [length + 1] the first span of so many words

  Sets tops_, bases_, trie_;  // derivable; tops are those with a prime above
  Sets useful_tops_, useful_bases_, useful_trie_;
  std::vector<std::int32_t> nodes_;      // of the trie, derivable, span by span
  std::vector<std::size_t> nodes_from_;  // [spans + 1]
  std::vector<std::int32_t> open_;       // those of them that have children
  std::vector<std::size_t> open_from_;   // [spans + 1]
  // Numbers of the graph's nodes.
  std::vector<std::int64_t> top_places_;   // [spans][symbols]
  std::vector<std::int64_t> base_places_;  // [symbols] of the span under way
  std::vector<std::int64_t> trie_first_;   // [spans] the first node of the trie there
  std::vector<std::int32_t> trie_before_;  // [spans][words of a set] useful ones in front
  // The steps of the trees, those of a node together.
  struct Step {
    std::int32_t node;  // of the trie
    std::int32_t split;
  };
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Step> steps_;
  std::vector<Range> steps_of_;  // [spans]
  struct Completion {
    std::int32_t rule;
    std::int64_t tail;  // -1: a word
  };
  std::vector<std::vector<Completion>> completions_;  // [symbols] of the span under way

  Graph graph_;
  std::vector<std::int64_t> names_;
};

}  // namespace grammar
