#include "grammar_features.hpp"

namespace grammar {

namespace {
constexpr std::int64_t state_version = 1;
}

GrammarFeatures::GrammarFeatures(const sculpt::Parameters& given, sculpt::Host host)
    : host_(host),
      held_(given, "rows"),
      unary_depth_(given.integer("unary_depth")),
      max_edges_(given.integer("max_edges")),
      anchors_(given.texts("anchors")) {}

void GrammarFeatures::bind(const sculpt::Bindings& bindings) {
  if (bindings.dataset.component() != &sculpt::Dataset<Trees>::component) {
    throw sculpt::unsupported_error("reads bracketed trees; set dataset.use to trees");
  }
  trees_ = &sculpt::component_of<Trees>(bindings.dataset.self());
  if (held_.present()) {
    const std::int64_t passed_over = grammar_.rules.read(held_.source(), *trees_);
    if (passed_over > 0 && !learned_) {
      host_.warn(std::to_string(passed_over) +
                 " rules have a terminal that the training trees have not; they are passed over");
    }
  }
  if (!learned_) learn();
  if (!grammar_.rules.fits(*trees_) || !anchors_.fits(*trees_, grammar_.rules)) {
    throw sculpt::data_error("the grammar of the model is not of these trees");
  }
  compile();
}

void GrammarFeatures::learn() {
  const sculpt::Range train = trees_->split("train");
  std::vector<Item> rule;
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    const sculpt::Labels truth = trees_->truth(example);
    if (!truth.known()) continue;
    const std::vector<Node> nodes = trees_->nodes(example, truth);
    if (!held_.present()) {
      for (const Node& node : nodes) {
        if (RuleSet::rule_of(nodes, node, trees_->terminals(example), rule)) {
          grammar_.rules.add(rule);
        }
      }
    }
    if (!anchors_.any()) continue;
    each_rule(example, nodes, [&](std::int32_t number, const Node& node) {
      each_anchor(example, nodes, node, number, [&](std::int64_t key) { anchors_.learn(key); });
    });
  }
  learned_ = true;
}

void GrammarFeatures::compile() {
  const RuleSet& rules = grammar_.rules;
  grammar_.symbol_count = trees_->symbol_count();
  grammar_.chains = Chains(rules, grammar_.symbol_count, unary_depth_);
  grammar_.trie = RuleTrie(rules, grammar_.symbol_count, !anchors_.at_splits());
  grammar_.of_terminal.assign(static_cast<std::size_t>(trees_->terminal_count()), {});
  for (std::int32_t rule = 0; rule < rules.size(); ++rule) {
    const std::span<const Item> right = rules.right(rule);
    if (right.size() > 1 || !is_terminal(right[0])) continue;
    grammar_.of_terminal[static_cast<std::size_t>(terminal_of(right[0]))].push_back(rule);
  }
  grammar_.trie_end.assign(static_cast<std::size_t>(rules.size()), -1);
  for (std::int32_t node = 0; node < grammar_.trie.size(); ++node) {
    for (const std::int32_t rule : grammar_.trie.rules(node)) {
      grammar_.trie_end[static_cast<std::size_t>(rule)] = node;
    }
  }
  if (!anchors_.at_splits()) return;
  grammar_.rule_of_node.assign(static_cast<std::size_t>(grammar_.trie.size()), -1);
  for (std::int32_t rule = 0; rule < rules.size(); ++rule) {
    std::int32_t node = grammar_.trie_end[static_cast<std::size_t>(rule)];
    for (; node >= 0 && grammar_.trie.depth(node) > 1; node = grammar_.trie.parent(node)) {
      grammar_.rule_of_node[static_cast<std::size_t>(node)] = rule;
    }
  }
}

template <class Visit>
void GrammarFeatures::each_rule(std::int64_t example, const std::vector<Node>& nodes,
                                Visit visit) const {
  std::vector<Item> key;
  for (const Node& node : nodes) {
    if (!RuleSet::rule_of(nodes, node, trees_->terminals(example), key)) continue;
    const std::int32_t rule = grammar_.rules.find(key);
    if (rule >= 0) visit(rule, node);
  }
}

template <class Visit>
void GrammarFeatures::each_anchor(std::int64_t example, const std::vector<Node>& nodes,
                                  const Node& node, std::int32_t rule, Visit visit) const {
  const std::vector<std::int32_t>& terminals = trees_->terminals(example);
  anchors_.each_of_span(rule, terminals, node.start, node.end, visit);
  std::int32_t place = node.start;
  for (std::size_t k = 0; k + 1 < node.children.size(); ++k) {
    const std::int32_t child = node.children[k];
    place = child < 0 ? place + 1 : nodes[static_cast<std::size_t>(child)].end;
    anchors_.each_of_split(rule, static_cast<std::int32_t>(k) + 1, terminals, place, visit);
  }
}

void GrammarFeatures::features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
  const std::vector<Node> nodes = trees_->nodes(example, y);
  each_rule(example, nodes, [&](std::int32_t rule, const Node& node) {
    sum.add(rule, 1);
    if (!anchors_.any()) return;
    each_anchor(example, nodes, node, rule, [&](std::int64_t key) {
      const std::int64_t number = anchors_.find(key);
      if (number >= 0) sum.add(grammar_.rules.size() + number, 1);
    });
  });
}

void GrammarFeatures::weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
  const std::int64_t rules = grammar_.rules.size();
  if (weight < rules) return grammar_.rules.write(static_cast<std::int32_t>(weight), *trees_, out);
  grammar_.rules.write(Anchors::rule_of(anchors_.key_of(weight - rules)), *trees_, out);
  out << ", ";
  anchors_.write(weight - rules, *trees_, out);
}

void GrammarFeatures::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  held_.save(writer);
  if (!held_.present()) grammar_.rules.save(writer);
  anchors_.save(writer);
}

void GrammarFeatures::restore(sculpt::StateReader& reader) {
  if (reader.integer() != state_version) reader.damaged();
  held_.restore(reader);
  if (!held_.present()) grammar_.rules.restore(reader);
  anchors_.restore(reader);
  learned_ = true;
}

const GrammarFeatures::Session::Program& GrammarFeatures::Session::program(
    std::int64_t example, std::span<const double> w) {
  if (example != example_) {
    example_ = -1;  // in case it throws
    chart_.build(owner_.trees_->terminals(example));
    if (owner_.anchors_.any()) find_anchors();
    example_ = example;
  }
  scores_.resize(chart_.names().size());
  for (std::size_t e = 0; e < scores_.size(); ++e) {
    double score = 0;
    each_feature(static_cast<std::int64_t>(e),
                 [&](std::int64_t weight) { score += w[static_cast<std::size_t>(weight)]; });
    scores_[e] = score;
  }
  return program_.emplace(chart_.graph().scored(scores_));
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
  if (!owner_.anchors_.any()) return;
  for (std::int64_t k = anchor_from_[e]; k < anchor_from_[e + 1]; ++k) {
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
  const auto keep = [&](std::int64_t key) {
    const std::int64_t number = owner_.anchors_.find(key);
    if (number >= 0) anchors_.push_back(grammar.rules.size() + number);
  };
  anchors_.clear();
  anchor_from_.assign(1, 0);
  for (const std::int64_t packed : chart_.names()) {
    const EdgeName name = EdgeName::unpacked(packed);
    const auto of_rule = [&](std::int32_t rule) {
      owner_.anchors_.each_of_span(rule, terminals, name.start, name.end, keep);
    };
    if (name.kind == EdgeName::complete) of_rule(name.id);
    if (name.kind == EdgeName::chain) {
      for (const std::int32_t rule : grammar.chains[name.id].rules) of_rule(rule);
    }
    if (name.kind == EdgeName::step && owner_.anchors_.at_splits()) {
      // the trie is not shared then: its nodes know their rule
      owner_.anchors_.each_of_split(grammar.rule_of_node[static_cast<std::size_t>(name.id)],
                                    grammar.trie.depth(name.id) - 1, terminals, name.split, keep);
    }
    anchor_from_.push_back(static_cast<std::int64_t>(anchors_.size()));
  }
}

bool GrammarFeatures::Session::covers(std::int64_t example, sculpt::Labels y) {
  std::vector<std::int64_t> edges;
  return derive(owner_.grammar_, owner_.trees_->nodes(example, y),
                owner_.trees_->terminals(example), edges);
}

// Edges come heads before their tails, so that of the brackets that open at a word the outer ones
// come first.
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
    for (const std::int32_t symbol : opening_[k]) y.push_back(first_open_mark + symbol);
    y.push_back(word_mark);
    y.insert(y.end(), static_cast<std::size_t>(closing_[k]), close_mark);
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
    if (!above_word || owner_.trees_->counts_above_word()) bracket(grammar.rules.left(name.id));
  } else if (name.kind == EdgeName::chain) {
    for (const std::int32_t rule : grammar.chains[name.id].rules) bracket(grammar.rules.left(rule));
  }
}

void GrammarFeatures::Session::begin_counts(std::int64_t example, sculpt::Labels truth,
                                            std::span<const sculpt_count> counts) {
  const Trees& trees = *owner_.trees_;
  const std::vector<std::int32_t>& terminals = trees.terminals(example);
  const auto n = static_cast<std::int64_t>(terminals.size());
  std::vector<std::int64_t> right_edges;
  derive(owner_.grammar_, trees.nodes(example, truth), terminals, right_edges);
  std::vector<std::int64_t> right_brackets;
  trees.items(example, truth, right_brackets);
  std::sort(right_brackets.begin(), right_brackets.end());
  const auto has = [](const std::vector<std::int64_t>& sorted, std::int64_t one) {
    return std::binary_search(sorted.begin(), sorted.end(), one);
  };
  const auto count = [&](std::string_view what, std::int64_t packed) -> std::int64_t {
    const EdgeName name = EdgeName::unpacked(packed);
    if (what == "errors") return name.kind != EdgeName::pass && !has(right_edges, packed) ? 1 : 0;
    std::int64_t sum = 0;
    each_bracket(name, [&](std::int32_t symbol) {
      const std::int64_t item = Trees::item(symbol, name.start, name.end, n);
      sum += what == "predicted" || has(right_brackets, item) ? 1 : 0;
    });
    return sum;
  };
  counts_.assign(chart_.names().size(), {0, 0});
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (std::size_t e = 0; e < counts_.size(); ++e) {
      counts_[e][k] = count(counts[k].name, chart_.names()[e]);
    }
  }
}

}  // namespace grammar
