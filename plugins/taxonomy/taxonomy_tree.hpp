// taxonomy_tree.hpp - a taxonomy: the parents of each node. A tree, or a graph without cycles.
//
// Read from rows `node parent [name]`. The features (taxonomy_features.hpp) and the loss
// (tree_loss.hpp) own one. They keep its text in their states, because a model contains no paths.
// Called by both in bind().
#pragma once

#include <cstdint>
#include <map>
#include <sculpt/cpp/reading.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <string>
#include <vector>

namespace taxonomy {

// A node above a class, or the node of the class itself.
struct Ancestor {
  std::int32_t node;
  std::int32_t steps;  // smallest number of edges up to it
};

class Tree {
 public:
  Tree() = default;  // without nodes
  // Throws an error with its place in `source` for two roots, cycles, and repeated rows.
  explicit Tree(const sculpt::Source& source);

  std::int32_t node_count() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::int32_t root() const { return root_; }
  // Returns the largest number of edges on a path down to a leaf.
  std::int32_t height(std::int32_t node) const { return at(node).height; }
  // Returns the name in its row, or its token.
  const std::string& name(std::int32_t node) const;

  // Makes the states of `input` the classes of the tree. Throws if a state is no node.
  void set_classes(const sculpt::SiteInput& input);
  std::int32_t class_count() const { return static_cast<std::int32_t>(ancestors_.size()); }
  // Returns the nodes from a class up to the root, both included, sorted by number.
  const std::vector<Ancestor>& ancestors(std::int32_t class_number) const {
    return ancestors_[static_cast<std::size_t>(class_number)];
  }

 private:
  struct Node {
    std::string token;
    std::string name;
    std::int64_t line = 0;   // its first line
    std::size_t column = 0;  // from 0
    std::vector<std::int32_t> parents;
    std::int32_t height = 0;
  };

  void read_row(sculpt::LineReader& reader);
  std::int32_t find_or_add(const sculpt::Field& field, const sculpt::LineReader& reader);
  void find_root(const sculpt::LineReader& reader);
  void find_heights(const sculpt::LineReader& reader);
  // Returns where a class first occurs, for messages.
  static std::string first_example(const sculpt::SiteInput& input, std::int64_t state);
  std::vector<Ancestor> ancestors_of(std::int32_t node) const;
  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& at(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }

  std::string path_;
  std::vector<Node> nodes_;  // by first appearance
  std::map<std::string, std::int32_t, std::less<>> numbers_;
  std::int32_t root_ = -1;
  std::vector<std::vector<Ancestor>> ancestors_;  // [classes]
};

}  // namespace taxonomy
