// Trees in bracketed text, drawn from the root down.

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_leaves = 60;
constexpr int max_depth = 60;
constexpr std::size_t max_label = 14;
constexpr double level_height = 34;
constexpr double label_letter_width = 7;
constexpr double leaf_gap = 12;

struct Node {
  std::string label;  // a symbol, or the word of a leaf
  std::vector<Node> children;
  std::size_t first_leaf = 0;
  std::size_t end_leaf = 0;
  double x = 0;
  int depth = 0;
};

// Reads "(S (NP the dog) (VP barks))". Nothing if the text is no tree, or a very large one.
class TreeReader {
 public:
  explicit TreeReader(const std::string& text) : text_(text) {}

  std::optional<Node> read() {
    std::optional<Node> root = read_node(0);
    skip_blanks();
    if (!root || at_ != text_.size() || root->children.empty()) return std::nullopt;
    return root;
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  std::string read_word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n()", at_), text_.size());
    std::string word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  std::optional<Node> read_node(int depth) {
    skip_blanks();
    if (depth > max_depth || at_ == text_.size()) return std::nullopt;
    Node node;
    node.depth = depth;
    node.first_leaf = leaves_;
    if (text_[at_] != '(') {
      node.label = read_word();
      if (depth == 0 || node.label.empty() || ++leaves_ > max_leaves) return std::nullopt;
      node.end_leaf = leaves_;
      return node;
    }
    ++at_;
    skip_blanks();
    node.label = read_word();
    if (node.label.empty()) return std::nullopt;
    for (;;) {
      skip_blanks();
      if (at_ < text_.size() && text_[at_] == ')') break;
      std::optional<Node> child = read_node(depth + 1);
      if (!child) return std::nullopt;
      node.children.push_back(std::move(*child));
    }
    ++at_;
    node.end_leaf = leaves_;
    return node;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t leaves_ = 0;
};

using Bracket = std::tuple<std::string, std::size_t, std::size_t>;
using Brackets = std::map<Bracket, int>;

Bracket bracket_of(const Node& node) {
  return {node.label, node.first_leaf, node.end_leaf};
}

void count_brackets(const Node& node, Brackets& brackets) {
  if (node.children.empty()) return;
  ++brackets[bracket_of(node)];
  for (const Node& child : node.children) count_brackets(child, brackets);
}

double label_width(const Node& node) {
  const std::size_t length = characters_of(shortened_text(node.label, max_label)).size();
  return label_letter_width * static_cast<double>(length);
}

// Sets x of all nodes: leaves one after the other, others in the middle of their children. Returns
// the depth of the deepest node.
int place(Node& node, double& right) {
  if (node.children.empty()) {
    const double width = std::max(18.0, label_width(node));
    node.x = right + width / 2;
    right += width + leaf_gap;
    return node.depth;
  }
  int deepest = node.depth;
  const double left = right;
  for (Node& child : node.children) deepest = std::max(deepest, place(child, right));
  node.x = (node.children.front().x + node.children.back().x) / 2;
  // A long symbol over a short word needs its own space.
  const double missing = label_width(node) + leaf_gap / 2 - (right - left);
  if (missing > 0) right += missing;
  return deepest;
}

double y_of(const Node& node) {
  return 16 + level_height * node.depth;
}

void draw_edges(Markup& out, const Node& node) {
  for (const Node& child : node.children) {
    out << "M" << Length{node.x} << " " << Length{y_of(node) + 5} << "L" << Length{child.x} << " "
        << Length{y_of(child) - 12};
    draw_edges(out, child);
  }
}

// `known`: how often each bracket may still be found in the other tree.
void draw_labels(Markup& out, const Node& node, Brackets& known) {
  const bool is_leaf = node.children.empty();
  const bool is_wrong = !is_leaf && --known[bracket_of(node)] < 0;
  out << "<text x=\"" << Length{node.x} << "\" y=\"" << Length{y_of(node)} << "\" class=\"";
  if (is_leaf) {
    out << "word";
  } else if (is_wrong) {
    out << "wrong";
  } else {
    out << "symbol";
  }
  out << "\">" << shortened_text(node.label, max_label) << "</text>";
  for (const Node& child : node.children) draw_labels(out, child, known);
}

// `other`: the tree to compare with, or nullptr.
void write_tree(Markup& out, const std::string& id, const std::string& name, Node tree,
                const Node* other) {
  double right = 6;
  const int deepest = place(tree, right);
  const double height = 16 + level_height * deepest + 10;
  Brackets known;
  count_brackets(other == nullptr ? tree : *other, known);
  out << "<figure class=\"plain\"><figcaption>" << name
      << "</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" << name
      << "\"><svg class=\"tree\" role=\"img\" aria-labelledby=\"" << id << "-t " << id
      << "-d\" width=\"" << Length{right} << "\" height=\"" << Length{height} << "\" viewBox=\"0 0 "
      << Length{right} << " " << Length{height} << "\"><title id=\"" << id << "-t\">" << name
      << " as a tree</title><desc id=\"" << id << "-d\">";
  out << static_cast<std::int64_t>(tree.end_leaf)
      << " words. Symbols that the other tree does not have are underlined.</desc>"
         "<path class=\"edges\" d=\"";
  draw_edges(out, tree);
  out << "\"/><g text-anchor=\"middle\">";
  draw_labels(out, tree, known);
  out << "</g></svg></div></figure>\n";
}

}  // namespace

bool write_trees(Markup& out, const std::string& id, const ExampleRecord& example) {
  const std::optional<Node> truth = TreeReader(example.truth.text).read();
  const std::optional<Node> guess = TreeReader(example.guess.text).read();
  if ((example.truth.is_known && !truth) || (example.guess.is_known && !guess)) return false;
  if (!truth && !guess) return false;
  out << "<div class=\"pair\">";
  if (truth && guess && example.truth.text == example.guess.text) {
    write_tree(out, id + "a", "truth, and also the guess", *truth, nullptr);
  } else {
    if (truth) write_tree(out, id + "a", "truth", *truth, guess ? &*guess : nullptr);
    if (guess) write_tree(out, id + "b", "guess", *guess, truth ? &*truth : nullptr);
  }
  out << "</div>\n";
  write_output_texts(out, "trees", example);
  return true;
}

}  // namespace sculpt::core
