// tree.hpp - a tree over a sentence, as an output and as a list of nodes.
//
//   y: the tree in preorder. Opening a node with symbol k is k + 2, a word is 1, closing is 0:
//   (ROOT (NP the cat))  ->  2 3 1 1 0 0    with the symbols ROOT = 0, NP = 1
//
// Each number of y is a token. Equal trees are equal arrays. The root symbol has number 0 and
// occurs only at the top. Used by the dataset trees (trees.hpp) and by the features grammar
// (derivation.hpp).
#pragma once

#include <cstdint>
#include <sculpt/cpp/views.hpp>
#include <vector>

namespace grammar {

inline constexpr std::int32_t close_token = 0;
inline constexpr std::int32_t word_token = 1;
inline constexpr std::int32_t first_open_token = 2;
inline constexpr std::int32_t root_symbol = 0;

struct Node {
  std::int32_t symbol;
  std::int32_t start;  // the words start .. end - 1
  std::int32_t end;
  // The children in order: the index of a node, or -1 for a word.
  std::vector<std::int32_t> children;

  // True if the only child is a word. evalb does not count these nodes.
  bool is_preterminal() const { return children.size() == 1 && children[0] < 0; }
};

// Returns the nodes of y in preorder, the root first. Throws unless y is a tree over `words` words
// with symbols below `symbols`. No recursion, because trees may be deep.
std::vector<Node> nodes_of(sculpt::Labels y, std::int64_t words, std::int64_t symbols);

}  // namespace grammar
