#include "chart.hpp"

#include <algorithm>

namespace grammar {

namespace {
std::size_t at(std::int64_t number) {
  return static_cast<std::size_t>(number);
}
}  // namespace

template <class Visit>
void Chart::each_span(Visit visit) const {
  for (std::int32_t size = 1; size <= length(); ++size) {
    for (std::int32_t start = 0; start + size <= length(); ++start) {
      host_.throw_if_cancelled();
      visit(span(start, start + size));
    }
  }
}

void Chart::build(const std::vector<std::int32_t>& terminals) {
  terminals_ = &terminals;
  span_begin_.assign(2, 0);
  for (std::int32_t size = 1; size <= length(); ++size) {
    span_begin_.push_back(span_begin_.back() + at(length() - size + 1));
  }
  const std::size_t spans = span_begin_.back();
  const std::size_t symbols = at(grammar_.symbol_count);
  const double tables = table_bytes(spans);
  check_memory(tables);
  for (Sets* sets : {&tops_, &bases_, &useful_tops_, &useful_bases_}) sets->begin(spans, symbols);
  for (Sets* sets : {&trie_, &useful_trie_}) sets->begin(spans, at(grammar_.trie.size()));
  top_nodes_.resize(spans * symbols);
  base_nodes_.resize(symbols);
  completions_.assign(symbols, {});  // the last sentence may have been stopped
  steps_.clear();
  step_ranges_.resize(spans);
  first_trie_node_.resize(spans);
  trie_rank_.resize(spans * trie_.words());
  nodes_.clear();
  nodes_begin_.assign(1, 0);
  extendable_.clear();
  extendable_begin_.assign(1, 0);
  each_span([&](const Span& span) {
    find_derivable(span);
    check_memory(tables + 8 * static_cast<double>(nodes_.size()));  // extendable_ too
    nodes_begin_.push_back(nodes_.size());
    extendable_begin_.push_back(extendable_.size());
  });
  graph_.begin();
  names_.clear();
  const Span whole = span(0, length());
  if (!tops_.has(whole.number, root_symbol)) {
    graph_.end_node();  // a goal without derivation
    return;
  }
  useful_tops_.add(whole.number, root_symbol);
  for (std::int32_t size = length(); size > 0; --size) {
    for (std::int32_t start = 0; start + size <= length(); ++start) {
      host_.throw_if_cancelled();
      find_useful(span(start, start + size));
    }
  }
  each_span([&](const Span& span) { emit(span); });
}

double Chart::table_bytes(std::size_t spans) const {
  const auto symbols = static_cast<double>(grammar_.symbol_count);
  return static_cast<double>(spans) * (20 * (static_cast<double>(grammar_.trie.size()) / 64 + 1) +
                                       32 * (symbols / 64 + 1) + 8 * symbols + 40);
}

void Chart::check_memory(double bytes) const {
  constexpr double bytes_each_edge = 70;
  constexpr double always_allowed = 1 << 26;
  if (bytes <= always_allowed + bytes_each_edge * static_cast<double>(max_edges_)) return;
  throw sculpt::data_error("a sentence of " + std::to_string(length()) +
                           " words needs a chart of " +
                           std::to_string(static_cast<std::int64_t>(bytes / 1e6)) +
                           " MB, more than features.max_edges allows at 70 bytes an edge; raise "
                           "features.max_edges, or remove the sentence");
}

void Chart::add_trie_node(const Span& span, std::int32_t node) {
  if (!trie_.add(span.number, node)) return;
  nodes_.push_back(node);
  if (grammar_.trie.has_children(node)) extendable_.push_back(node);
  for (const std::int32_t rule : grammar_.trie.rules(node)) {
    bases_.add(span.number, grammar_.rules.left(rule));
  }
}

void Chart::find_derivable(const Span& span) {
  const auto add = [&](std::int32_t node) { add_trie_node(span, node); };
  for (std::int32_t split = span.start + 1; split < span.end; ++split) {
    const std::size_t left = this->span(span.start, split).number;
    const Word* right = tops_.of(this->span(split, span.end).number);
    const std::int32_t terminal = split + 1 == span.end ? (*terminals_)[at(split)] : -1;
    for (std::size_t k = extendable_begin_[left]; k < extendable_begin_[left + 1]; ++k) {
      const std::int32_t node = extendable_[k];
      grammar_.trie.each_by_symbol(node, right, add);
      if (terminal < 0) continue;
      for (const std::int32_t child : grammar_.trie.by_terminal(node, terminal)) add(child);
    }
  }
  if (span.start + 1 == span.end && (*terminals_)[at(span.start)] >= 0) {
    const std::int32_t terminal = (*terminals_)[at(span.start)];
    for (const std::int32_t node : grammar_.trie.by_terminal(0, terminal)) add(node);
    for (const std::int32_t rule : grammar_.terminal_rules[at(terminal)]) {
      bases_.add(span.number, grammar_.rules.left(rule));
    }
  }
  bases_.each(span.number, [&](std::int32_t base) {
    tops_.add(span.number, base);
    for (const std::int32_t top : grammar_.chains.tops(base)) tops_.add(span.number, top);
  });
  grammar_.trie.each_by_symbol(0, tops_.of(span.number), add);
}

template <class Visit>
void Chart::each_split(const Span& span, std::int32_t node, Visit visit) const {
  const std::int32_t parent = grammar_.trie.parent(node);
  const Item last = grammar_.trie.last(node);
  if (is_terminal(last)) {
    const std::int32_t split = span.end - 1;
    if ((*terminals_)[at(split)] == terminal_of(last) &&
        trie_.has(this->span(span.start, split).number, parent)) {
      visit(split);
    }
    return;
  }
  const std::int32_t first = grammar_.trie.last(parent);
  // A word has length one, so only the first split can have it on the left.
  const bool first_is_word = grammar_.trie.depth(parent) == 1 && is_terminal(first);
  const std::int32_t end = first_is_word ? std::min(span.end, span.start + 2) : span.end;
  for (std::int32_t split = span.start + 1; split < end; ++split) {
    if (trie_.has(this->span(span.start, split).number, parent) &&
        tops_.has(this->span(split, span.end).number, last)) {
      visit(split);
    }
  }
}

void Chart::find_useful(const Span& span) {
  const std::size_t s = span.number;
  useful_tops_.each(s, [&](std::int32_t top) {
    if (bases_.has(s, top)) useful_bases_.add(s, top);
    for (const std::int32_t chain : grammar_.chains.with_top(top)) {
      const std::int32_t base = grammar_.chains[chain].base;
      if (bases_.has(s, base)) useful_bases_.add(s, base);
    }
  });
  for (std::size_t k = nodes_begin_[s]; k < nodes_begin_[s + 1]; ++k) {
    const std::int32_t node = nodes_[k];
    for (const std::int32_t rule : grammar_.trie.rules(node)) {
      if (useful_bases_.has(s, grammar_.rules.left(rule))) useful_trie_.add(s, node);
    }
  }
  step_ranges_[s].begin = steps_.size();
  useful_trie_.each(s, [&](std::int32_t node) { add_useful_splits(span, node); });
  step_ranges_[s].end = steps_.size();
}

void Chart::add_useful_splits(const Span& span, std::int32_t node) {
  const std::int32_t parent = grammar_.trie.parent(node);
  const Item first = grammar_.trie.last(parent);
  const Item last = grammar_.trie.last(node);
  each_split(span, node, [&](std::int32_t split) {
    if (std::ssize(steps_) == max_edges_) refuse_edges();  // each step becomes an edge
    steps_.push_back({node, split});
    const std::size_t left = this->span(span.start, split).number;
    if (grammar_.trie.depth(parent) > 1) {
      useful_trie_.add(left, parent);
    } else if (!is_terminal(first)) {
      useful_tops_.add(left, first);
    }
    if (!is_terminal(last)) useful_tops_.add(this->span(split, span.end).number, last);
  });
}

void Chart::refuse_edges() const {
  throw sculpt::data_error("a sentence of " + std::to_string(length()) +
                           " words has trees of more than " + std::to_string(max_edges_) +
                           " edges in all; raise features.max_edges, or remove the sentence");
}

void Chart::add_edge(EdgeName name, std::span<const std::int64_t> tails) {
  const auto number = static_cast<std::int64_t>(names_.size());
  if (number == max_edges_) refuse_edges();
  names_.push_back(name.packed());
  graph_.add_edge(number, tails);
}

void Chart::emit(const Span& span) {
  emit_trie_nodes(span);
  emit_bases(span);
  emit_tops(span);
}

std::int64_t Chart::trie_node_number(const Span& span, std::int32_t node) const {
  const Word smaller = useful_trie_.of(span.number)[Sets::word(node)] & (Sets::bit(node) - 1);
  return first_trie_node_[span.number] +
         trie_rank_[span.number * trie_.words() + Sets::word(node)] + __builtin_popcountll(smaller);
}

void Chart::emit_trie_nodes(const Span& span) {
  first_trie_node_[span.number] = graph_.node_count();
  std::int32_t rank = 0;
  for (std::size_t w = 0; w < trie_.words(); ++w) {
    trie_rank_[span.number * trie_.words() + w] = rank;
    rank += __builtin_popcountll(useful_trie_.of(span.number)[w]);
  }
  const Range range = step_ranges_[span.number];
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Step& step = steps_[k];
    const std::int32_t parent = grammar_.trie.parent(step.node);
    const Item first = grammar_.trie.last(parent);
    const Item last = grammar_.trie.last(step.node);
    std::array<std::int64_t, 2> tails;
    std::size_t count = 0;
    const Span left = this->span(span.start, step.split);
    if (grammar_.trie.depth(parent) > 1) {
      tails[count++] = trie_node_number(left, parent);
    } else if (!is_terminal(first)) {
      tails[count++] = top_node_number(left, first);
    }
    if (!is_terminal(last)) {
      tails[count++] = top_node_number(this->span(step.split, span.end), last);
    }
    add_edge({EdgeName::step, step.node, span.start, step.split, span.end},
             std::span<const std::int64_t>(tails).first(count));
    if (k + 1 == range.end || steps_[k + 1].node != step.node) graph_.end_node();
  }
}

void Chart::emit_bases(const Span& span) {
  const auto complete = [&](std::int32_t rule, std::int64_t tail) {
    const std::int32_t symbol = grammar_.rules.left(rule);
    if (useful_bases_.has(span.number, symbol)) completions_[at(symbol)].push_back({rule, tail});
  };
  if (span.start + 1 == span.end && (*terminals_)[at(span.start)] >= 0) {
    for (const std::int32_t rule : grammar_.terminal_rules[at((*terminals_)[at(span.start)])]) {
      complete(rule, -1);
    }
  }
  useful_trie_.each(span.number, [&](std::int32_t node) {
    for (const std::int32_t rule : grammar_.trie.rules(node)) {
      complete(rule, trie_node_number(span, node));
    }
  });
  useful_bases_.each(span.number, [&](std::int32_t symbol) {
    for (const Completion& completion : completions_[at(symbol)]) {
      add_edge({EdgeName::complete, completion.rule, span.start, 0, span.end},
               {&completion.tail, completion.tail < 0 ? std::size_t{0} : std::size_t{1}});
    }
    completions_[at(symbol)].clear();
    base_nodes_[at(symbol)] = graph_.end_node();
  });
}

void Chart::emit_tops(const Span& span) {
  // The root comes last: above the whole sentence it is the goal.
  useful_tops_.each(span.number, [&](std::int32_t symbol) {
    if (symbol != root_symbol) emit_top(span, symbol);
  });
  if (useful_tops_.has(span.number, root_symbol)) emit_top(span, root_symbol);
}

// Without chains to this symbol, the top equals the base.
void Chart::emit_top(const Span& span, std::int32_t symbol) {
  const bool base = bases_.has(span.number, symbol);
  const std::vector<std::int32_t>& chains = grammar_.chains.with_top(symbol);
  const auto possible = [&](std::int32_t chain) {
    return bases_.has(span.number, grammar_.chains[chain].base);
  };
  if (base && std::none_of(chains.begin(), chains.end(), possible)) {
    top_node_number(span, symbol) = base_nodes_[at(symbol)];
    return;
  }
  if (base) {
    add_edge({EdgeName::pass, symbol, span.start, 0, span.end}, {&base_nodes_[at(symbol)], 1});
  }
  for (const std::int32_t chain : chains) {
    if (!possible(chain)) continue;
    add_edge({EdgeName::chain, chain, span.start, 0, span.end},
             {&base_nodes_[at(grammar_.chains[chain].base)], 1});
  }
  top_node_number(span, symbol) = graph_.end_node();
}

}  // namespace grammar
