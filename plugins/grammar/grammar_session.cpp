// grammar_session.cpp - the session of the grammar features, which ProgramOracle uses.
#include "grammar_features.hpp"

namespace grammar {

namespace {
// Time for an edge of the chart, in nanoseconds: to score or count it, and to look up its anchored
// features.
constexpr std::int64_t nanoseconds_per_edge = 32;
constexpr std::int64_t nanoseconds_per_anchor_lookup = 256;
}  // namespace

const GrammarFeatures::Session::Program& GrammarFeatures::Session::program(
    std::int64_t example, std::span<const double> w) {
  if (example != example_) {
    example_ = -1;  // in case of an exception
    build_chart(example);
    if (owner_.anchors_.has_features()) find_anchors();
    example_ = example;
  }
  scores_.resize(chart_.names().size());
  for (std::size_t e = 0; e < scores_.size(); ++e) {
    double score = 0;
    each_feature(static_cast<std::int64_t>(e),
                 [&](std::int64_t weight) { score += w[static_cast<std::size_t>(weight)]; });
    scores_[e] = score;
    polls_.add(owner_.host_, nanoseconds_per_edge);
  }
  return program_.emplace(chart_.graph().scored(scores_));
}

// A sentence that is too long for the limits is named by its place.
void GrammarFeatures::Session::build_chart(std::int64_t example) {
  try {
    chart_.build(owner_.trees_->terminals(example));
  } catch (const sculpt::Error& error) {
    const std::string place = owner_.trees_->place(example);
    if (error.status() != SCULPT_E_DATA || place.empty()) throw;
    throw sculpt::data_error(place + ": " + error.what());
  }
}

template <class Visit>
void GrammarFeatures::Session::each_feature(std::int64_t edge, Visit visit) const {
  const auto e = static_cast<std::size_t>(edge);
  const EdgeName name = EdgeName::unpacked(chart_.names()[e]);
  if (name.kind == EdgeName::complete) {
    visit(std::int64_t{name.id});
  } else if (name.kind == EdgeName::chain) {
    for (const std::int32_t rule : owner_.grammar_.chains[name.id].rules) {
      visit(std::int64_t{rule});
    }
  }
  if (!owner_.anchors_.has_features()) return;
  for (std::int64_t k = anchor_begin_[e]; k < anchor_begin_[e + 1]; ++k) {
    visit(anchors_[static_cast<std::size_t>(k)]);
  }
}

void GrammarFeatures::Session::add(std::int64_t, const Program::Edge& edge, double factor,
                                   sculpt::Sum& sum) const {
  each_feature(edge.name, [&](std::int64_t weight) { sum.add(weight, factor); });
}

void GrammarFeatures::Session::find_anchors() {
  const Grammar& grammar = owner_.grammar_;
  const std::vector<std::int32_t>& terminals = chart_.terminals();
  const auto add_weight = [&](std::int64_t key) {
    const std::int64_t number = owner_.anchors_.find(key);
    if (number >= 0) anchors_.push_back(grammar.rules.size() + number);
  };
  anchors_.clear();
  anchor_begin_.assign(1, 0);
  for (const std::int64_t packed : chart_.names()) {
    const EdgeName name = EdgeName::unpacked(packed);
    const auto add_anchors = [&](std::int32_t rule) {
      owner_.anchors_.each_of_span(rule, terminals, name.start, name.end, add_weight);
    };
    if (name.kind == EdgeName::complete) add_anchors(name.id);
    if (name.kind == EdgeName::chain) {
      for (const std::int32_t rule : grammar.chains[name.id].rules) add_anchors(rule);
    }
    if (name.kind == EdgeName::step && owner_.anchors_.has_split_features()) {
      // The trie is then not shared, so its nodes know their rule.
      owner_.anchors_.each_of_split(grammar.rule_of_node[static_cast<std::size_t>(name.id)],
                                    grammar.trie.depth(name.id) - 1, terminals, name.split,
                                    add_weight);
    }
    anchor_begin_.push_back(static_cast<std::int64_t>(anchors_.size()));
    polls_.add(owner_.host_, nanoseconds_per_anchor_lookup);
  }
}

bool GrammarFeatures::Session::covers(std::int64_t example, sculpt::Labels y) {
  std::vector<std::int64_t> edges;
  return derive(owner_.grammar_, owner_.trees_->nodes(example, y),
                owner_.trees_->terminals(example), edges);
}

// Edges come heads before their tails, so of several brackets before a word the outer ones come
// first.
void GrammarFeatures::Session::output(std::int64_t example, const Derivation& derivation,
                                      std::vector<std::int32_t>& y) {
  const Grammar& grammar = owner_.grammar_;
  const std::size_t words = owner_.trees_->terminals(example).size();
  opening_.resize(std::max(opening_.size(), words));
  closing_.assign(words, 0);
  for (std::size_t k = 0; k < words; ++k) opening_[k].clear();
  const auto open = [&](const EdgeName& name, std::int32_t symbol) {
    opening_[static_cast<std::size_t>(name.start)].push_back(symbol);
    ++closing_[static_cast<std::size_t>(name.end) - 1];
  };
  for (const Program::Edge& edge : derivation) {
    const EdgeName name = EdgeName::unpacked(chart_.names()[static_cast<std::size_t>(edge.name)]);
    if (name.kind == EdgeName::complete) open(name, grammar.rules.left(name.id));
    if (name.kind != EdgeName::chain) continue;
    for (const std::int32_t rule : grammar.chains[name.id].rules) {
      open(name, grammar.rules.left(rule));
    }
  }
  y.clear();
  for (std::size_t k = 0; k < words; ++k) {
    for (const std::int32_t symbol : opening_[k]) y.push_back(first_open_token + symbol);
    y.push_back(word_token);
    y.insert(y.end(), static_cast<std::size_t>(closing_[k]), close_token);
  }
}

template <class Visit>
void GrammarFeatures::Session::each_bracket(const EdgeName& name, Visit visit) const {
  const Grammar& grammar = owner_.grammar_;
  const auto bracket = [&](std::int32_t symbol) {
    if (symbol != root_symbol) visit(symbol);
  };
  if (name.kind == EdgeName::complete) {
    const std::span<const Item> right = grammar.rules.right(name.id);
    const bool above_word = right.size() == 1;
    if (!above_word || owner_.trees_->counts_preterminals()) bracket(grammar.rules.left(name.id));
  } else if (name.kind == EdgeName::chain) {
    for (const std::int32_t rule : grammar.chains[name.id].rules) bracket(grammar.rules.left(rule));
  }
}

void GrammarFeatures::Session::begin_counts(std::int64_t example, sculpt::Labels truth,
                                            std::span<const sculpt_count> counts) {
  const Trees& trees = *owner_.trees_;
  const std::vector<std::int32_t>& terminals = trees.terminals(example);
  const auto n = static_cast<std::int64_t>(terminals.size());
  std::vector<std::int64_t> true_edges;
  derive(owner_.grammar_, trees.nodes(example, truth), terminals, true_edges);
  std::vector<std::int64_t> true_brackets;
  trees.items(example, truth, true_brackets);
  std::sort(true_brackets.begin(), true_brackets.end());
  const auto contains = [](const std::vector<std::int64_t>& sorted, std::int64_t value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
  };
  const auto count = [&](std::string_view count_name, std::int64_t packed) -> std::int64_t {
    const EdgeName name = EdgeName::unpacked(packed);
    if (count_name == "errors") {
      return name.kind != EdgeName::no_chain && !contains(true_edges, packed) ? 1 : 0;
    }
    std::int64_t sum = 0;
    each_bracket(name, [&](std::int32_t symbol) {
      const std::int64_t item = Trees::item(symbol, name.start, name.end, n);
      sum += count_name == "predicted" || contains(true_brackets, item) ? 1 : 0;
    });
    return sum;
  };
  counts_.assign(chart_.names().size(), {0, 0});
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (std::size_t e = 0; e < counts_.size(); ++e) {
      counts_[e][k] = count(counts[k].name, chart_.names()[e]);
      polls_.add(owner_.host_, nanoseconds_per_edge);
    }
  }
}

}  // namespace grammar
