#include "derivation.hpp"

namespace grammar {

namespace {

class Deriver {
 public:
  Deriver(const Grammar& grammar, const std::vector<Node>& nodes,
          const std::vector<std::int32_t>& terminals, std::vector<std::int64_t>& edges)
      : grammar_(grammar), nodes_(nodes), terminals_(terminals), edges_(edges) {}

  bool run() {
    for (std::size_t k = 0; k < nodes_.size();) {
      std::vector<std::int32_t> chain;
      std::int32_t rule = rule_of(nodes_[k]);
      const Node& top = nodes_[k];
      // The child of a node with one child is next in preorder.
      while (rule >= 0 && grammar_.rules.is_unary(rule)) {
        chain.push_back(rule);
        rule = rule_of(nodes_[++k]);
      }
      if (rule < 0) return false;
      const Node& base = nodes_[k++];
      if (!chain.empty()) {
        const std::int32_t number = grammar_.chains.find(chain);
        if (number < 0) return false;
        edges_.push_back(EdgeName{EdgeName::chain, number, top.start, 0, top.end}.packed());
      }
      add_base(rule, base);
    }
    return true;
  }

 private:
  // Returns the rule of a node, or -1 if it is unknown.
  std::int32_t rule_of(const Node& node) {
    return RuleSet::write_rule_of(nodes_, node, terminals_, rule_) ? grammar_.rules.find(rule_)
                                                                   : -1;
  }

  // Adds the edges of a base: complete, and the steps of the trie.
  void add_base(std::int32_t rule, const Node& node) {
    edges_.push_back(EdgeName{EdgeName::complete, rule, node.start, 0, node.end}.packed());
    if (node.children.size() == 1) return;
    // Walks up the trie from the end of the rule, because the children give the splits.
    std::vector<std::int32_t> ends;
    std::int32_t position = node.start;
    for (const std::int32_t child : node.children) {
      position = child < 0 ? position + 1 : nodes_[static_cast<std::size_t>(child)].end;
      ends.push_back(position);
    }
    std::int32_t trie_node = grammar_.trie_end[static_cast<std::size_t>(rule)];
    for (std::size_t k = ends.size(); k-- > 1;) {
      edges_.push_back(
          EdgeName{EdgeName::step, trie_node, node.start, ends[k - 1], ends[k]}.packed());
      trie_node = grammar_.trie.parent(trie_node);
    }
  }

  const Grammar& grammar_;
  const std::vector<Node>& nodes_;
  const std::vector<std::int32_t>& terminals_;
  std::vector<std::int64_t>& edges_;
  std::vector<Item> rule_;  // scratch
};

}  // namespace

bool derive(const Grammar& grammar, const std::vector<Node>& nodes,
            const std::vector<std::int32_t>& terminals, std::vector<std::int64_t>& edges) {
  edges.clear();
  const bool derivable = Deriver(grammar, nodes, terminals, edges).run();
  if (!derivable) edges.clear();
  std::sort(edges.begin(), edges.end());
  return derivable;
}

}  // namespace grammar
