#include "chart.hpp"

#include <algorithm>

namespace grammar {

namespace {

constexpr double bytes_each_trie_node = 8;  // nodes_ and extendable_: 4 each

std::size_t to_index(std::int64_t number) {
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
    span_begin_.push_back(span_begin_.back() + to_index(length() - size + 1));
  }
  const std::size_t spans = span_begin_.back();
  const std::size_t symbols = to_index(grammar_.symbol_count);
  const double tables = table_bytes(spans);
  check_memory(tables);
  for (Sets* sets : {&tops_, &bases_, &useful_tops_, &useful_bases_}) sets->reset(spans, symbols);
  for (Sets* sets : {&trie_, &useful_trie_}) sets->reset(spans, to_index(grammar_.trie.size()));
  top_nodes_.resize(spans * symbols);
  base_nodes_.resize(symbols);
  completions_.assign(symbols, {});  // not empty if the last sentence was interrupted
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
    check_memory(tables + bytes_each_trie_node * static_cast<double>(nodes_.size()));
    nodes_begin_.push_back(nodes_.size());
    extendable_begin_.push_back(extendable_.size());
  });
  graph_.begin();
  names_.clear();
  if (length() == 0 || !tops_.has(span(0, length()).number, root_symbol)) {
    graph_.end_node();  // the goal, without edges: the sentence has no tree
    return;
  }
  useful_tops_.add(span(0, length()).number, root_symbol);
  for (std::int32_t size = length(); size > 0; --size) {
    for (std::int32_t start = 0; start + size <= length(); ++start) {
      host_.throw_if_cancelled();
      find_useful(span(start, start + size));
    }
  }
  each_span([&](const Span& span) { add_edges(span); });
}

double Chart::table_bytes(std::size_t spans) const {
  const auto symbols = static_cast<double>(grammar_.symbol_count);
  const auto trie_nodes = static_cast<double>(grammar_.trie.size());
  constexpr double bytes_each_trie_word = 20;    // trie_, useful_trie_: 8 each; trie_rank_: 4
  constexpr double bytes_each_symbol_word = 32;  // tops_, bases_ and the useful ones: 8 each
  constexpr double bytes_each_symbol = 8;        // top_nodes_
  // step_ranges_: 16; nodes_begin_, extendable_begin_, first_trie_node_: 8 each.
  constexpr double bytes_each_span = 40;
  return static_cast<double>(spans) * (bytes_each_trie_word * (trie_nodes / 64 + 1) +
                                       bytes_each_symbol_word * (symbols / 64 + 1) +
                                       bytes_each_symbol * symbols + bytes_each_span);
}

void Chart::check_memory(double bytes) const {
  constexpr double bytes_each_edge = 70;
  constexpr double always_allowed_bytes = 1 << 26;
  const double allowed = always_allowed_bytes + bytes_each_edge * static_cast<double>(max_edges_);
  if (bytes <= allowed) return;
  const auto megabytes = [](double count) {
    return std::to_string(static_cast<std::int64_t>(count / 1e6)) + " MB";
  };
  throw sculpt::data_error(
      "a sentence of " + std::to_string(length()) + " words needs " + megabytes(bytes) +
      " for its chart; max_edges = " + std::to_string(max_edges_) + " allows " +
      megabytes(allowed) + "; raise features.max_edges, or remove the sentence");
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
    const BitSetWord* right = tops_.of(this->span(split, span.end).number);
    const std::int32_t terminal = split + 1 == span.end ? (*terminals_)[to_index(split)] : -1;
    for (std::size_t k = extendable_begin_[left]; k < extendable_begin_[left + 1]; ++k) {
      const std::int32_t node = extendable_[k];
      grammar_.trie.each_by_symbol(node, right, add);
      if (terminal < 0) continue;
      for (const std::int32_t child : grammar_.trie.by_terminal(node, terminal)) add(child);
    }
  }
  if (span.start + 1 == span.end && (*terminals_)[to_index(span.start)] >= 0) {
    const std::int32_t terminal = (*terminals_)[to_index(span.start)];
    for (const std::int32_t node : grammar_.trie.by_terminal(0, terminal)) add(node);
    for (const std::int32_t rule : grammar_.terminal_rules[to_index(terminal)]) {
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
    if ((*terminals_)[to_index(split)] == terminal_of(last) &&
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
  throw sculpt::data_error("the trees of a sentence of " + std::to_string(length()) +
                           " words have more than max_edges = " + std::to_string(max_edges_) +
                           " edges together; raise features.max_edges, or remove the sentence");
}

void Chart::add_edge(EdgeName name, std::span<const std::int64_t> tails) {
  const auto number = static_cast<std::int64_t>(names_.size());
  if (number == max_edges_) refuse_edges();
  names_.push_back(name.packed());
  graph_.add_edge(number, tails);
}

void Chart::add_edges(const Span& span) {
  add_trie_node_edges(span);
  add_base_edges(span);
  add_top_edges(span);
}

std::int64_t Chart::trie_node_number(const Span& span, std::int32_t node) const {
  const BitSetWord smaller = useful_trie_.of(span.number)[Sets::word(node)] & (Sets::bit(node) - 1);
  return first_trie_node_[span.number] +
         trie_rank_[span.number * trie_.words() + Sets::word(node)] + __builtin_popcountll(smaller);
}

void Chart::add_trie_node_edges(const Span& span) {
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

void Chart::add_base_edges(const Span& span) {
  const auto complete = [&](std::int32_t rule, std::int64_t tail) {
    const std::int32_t symbol = grammar_.rules.left(rule);
    if (!useful_bases_.has(span.number, symbol)) return;
    completions_[to_index(symbol)].push_back({rule, tail});
  };
  if (span.start + 1 == span.end && (*terminals_)[to_index(span.start)] >= 0) {
    const std::int32_t terminal = (*terminals_)[to_index(span.start)];
    for (const std::int32_t rule : grammar_.terminal_rules[to_index(terminal)]) {
      complete(rule, -1);
    }
  }
  useful_trie_.each(span.number, [&](std::int32_t node) {
    for (const std::int32_t rule : grammar_.trie.rules(node)) {
      complete(rule, trie_node_number(span, node));
    }
  });
  useful_bases_.each(span.number, [&](std::int32_t symbol) {
    for (const Completion& completion : completions_[to_index(symbol)]) {
      add_edge({EdgeName::complete, completion.rule, span.start, 0, span.end},
               {&completion.tail, completion.tail < 0 ? std::size_t{0} : std::size_t{1}});
    }
    completions_[to_index(symbol)].clear();
    base_nodes_[to_index(symbol)] = graph_.end_node();
  });
}

void Chart::add_top_edges(const Span& span) {
  // The goal must be the last node. It is the root over the whole sentence, so the root comes last.
  useful_tops_.each(span.number, [&](std::int32_t symbol) {
    if (symbol != root_symbol) add_edges_of_top(span, symbol);
  });
  if (useful_tops_.has(span.number, root_symbol)) add_edges_of_top(span, root_symbol);
}

// If no chain leads to this symbol here, its top is the same node as its base.
void Chart::add_edges_of_top(const Span& span, std::int32_t symbol) {
  const bool base = bases_.has(span.number, symbol);
  const std::vector<std::int32_t>& chains = grammar_.chains.with_top(symbol);
  const auto possible = [&](std::int32_t chain) {
    return bases_.has(span.number, grammar_.chains[chain].base);
  };
  if (base && std::none_of(chains.begin(), chains.end(), possible)) {
    top_node_number(span, symbol) = base_nodes_[to_index(symbol)];
    return;
  }
  if (base) {
    add_edge({EdgeName::no_chain, symbol, span.start, 0, span.end},
             {&base_nodes_[to_index(symbol)], 1});
  }
  for (const std::int32_t chain : chains) {
    if (!possible(chain)) continue;
    add_edge({EdgeName::chain, chain, span.start, 0, span.end},
             {&base_nodes_[to_index(grammar_.chains[chain].base)], 1});
  }
  top_node_number(span, symbol) = graph_.end_node();
}

}  // namespace grammar
