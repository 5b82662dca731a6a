#include "grammar_features.hpp"

#include <map>

namespace grammar {

namespace {
constexpr std::int64_t features_state_version = 1;
}

GrammarFeatures::GrammarFeatures(const sculpt::Parameters& given, sculpt::Host host)
    : host_(host),
      rule_text_(given, "rows"),
      unary_depth_(given.integer("unary_depth")),
      max_edges_(given.integer("max_edges")),
      anchors_(given.texts("anchors")) {}

void GrammarFeatures::bind(const sculpt::Bindings& bindings) {
  if (bindings.dataset.component() != &sculpt::Dataset<Trees>::component) {
    throw sculpt::unsupported_error("needs bracketed trees; set dataset.use to trees");
  }
  trees_ = &sculpt::component_of<Trees>(bindings.dataset.self());
  if (rule_text_.present()) {
    const RuleSet::SkippedRules skipped = grammar_.rules.read(rule_text_.source(), *trees_);
    if (skipped.rules > 0 && !has_learned_) {
      host_.warn(std::to_string(skipped.rules) +
                 (skipped.rules == 1 ? " of the rules is skipped: "
                                     : " of the rules are skipped; the first: ") +
                 skipped.first);
    }
  }
  if (!has_learned_) learn();
  if (!grammar_.rules.has_valid_ids(*trees_) || !anchors_.has_valid_ids(*trees_, grammar_.rules)) {
    throw sculpt::data_error("the grammar of the model does not belong to these trees");
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
    if (!rule_text_.present()) {
      for (const Node& node : nodes) {
        if (RuleSet::write_rule_of(nodes, node, trees_->terminals(example), rule)) {
          grammar_.rules.add(rule);
        }
      }
    }
    if (!anchors_.has_features()) continue;
    each_rule(example, nodes, [&](std::int32_t number, const Node& node) {
      each_anchor(example, nodes, node, number, [&](std::int64_t key) { anchors_.learn(key); });
    });
  }
  has_learned_ = true;
}

void GrammarFeatures::compile() {
  const RuleSet& rules = grammar_.rules;
  grammar_.symbol_count = trees_->symbol_count();
  grammar_.chains = Chains(rules, grammar_.symbol_count, unary_depth_);
  grammar_.trie = RuleTrie(rules, grammar_.symbol_count, !anchors_.has_split_features());
  grammar_.terminal_rules.assign(static_cast<std::size_t>(trees_->terminal_count()), {});
  for (std::int32_t rule = 0; rule < rules.size(); ++rule) {
    const std::span<const Item> right = rules.right(rule);
    if (right.size() > 1 || !is_terminal(right[0])) continue;
    grammar_.terminal_rules[static_cast<std::size_t>(terminal_of(right[0]))].push_back(rule);
  }
  grammar_.trie_end.assign(static_cast<std::size_t>(rules.size()), -1);
  for (std::int32_t node = 0; node < grammar_.trie.size(); ++node) {
    for (const std::int32_t rule : grammar_.trie.rules(node)) {
      grammar_.trie_end[static_cast<std::size_t>(rule)] = node;
    }
  }
  if (!anchors_.has_split_features()) return;
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
    if (!RuleSet::write_rule_of(nodes, node, trees_->terminals(example), key)) continue;
    const std::int32_t rule = grammar_.rules.find(key);
    if (rule >= 0) visit(rule, node);
  }
}

template <class Visit>
void GrammarFeatures::each_anchor(std::int64_t example, const std::vector<Node>& nodes,
                                  const Node& node, std::int32_t rule, Visit visit) const {
  const std::vector<std::int32_t>& terminals = trees_->terminals(example);
  anchors_.each_of_span(rule, terminals, node.start, node.end, visit);
  std::int32_t position = node.start;
  for (std::size_t k = 0; k + 1 < node.children.size(); ++k) {
    const std::int32_t child = node.children[k];
    position = child < 0 ? position + 1 : nodes[static_cast<std::size_t>(child)].end;
    anchors_.each_of_split(rule, static_cast<std::int32_t>(k) + 1, terminals, position, visit);
  }
}

void GrammarFeatures::features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
  const std::vector<Node> nodes = trees_->nodes(example, y);
  each_rule(example, nodes, [&](std::int32_t rule, const Node& node) {
    sum.add(rule, 1);
    if (!anchors_.has_features()) return;
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

void GrammarFeatures::weight_groups(std::span<std::int32_t> group) const {
  std::map<std::int32_t, std::int32_t> first;  // first rule of a symbol
  for (std::int32_t rule = 0; rule < grammar_.rules.size(); ++rule) {
    group[static_cast<std::size_t>(rule)] =
        first.try_emplace(grammar_.rules.left(rule), rule).first->second;
  }
}

void GrammarFeatures::save(sculpt::StateWriter& writer) const {
  writer.integer(features_state_version);
  rule_text_.save(writer);
  if (!rule_text_.present()) grammar_.rules.save(writer);
  anchors_.save(writer);
}

void GrammarFeatures::restore(sculpt::StateReader& reader) {
  if (reader.integer() != features_state_version) reader.damaged();
  rule_text_.restore(reader);
  if (!rule_text_.present()) grammar_.rules.restore(reader);
  anchors_.restore(reader);
  has_learned_ = true;
}

}  // namespace grammar
