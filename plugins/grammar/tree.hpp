// tree.hpp - a tree over a sentence, as an output and as nodes.
//
//   y: the tree in preorder. Opening a node with symbol k is k + 2, a word is 1, closing is 0:
//   (ROOT (NP the cat))  ->  2 3 1 1 0 0    with the symbols ROOT = 0, NP = 1
//
// Equal trees have equal arrays. The root symbol is number 0, and stands at the top alone. Used by
// the dataset trees (trees.hpp) and by the features grammar (derivation.hpp).
#pragma once

#include <cstdint>
#include <sculpt/cpp/views.hpp>
#include <vector>

namespace grammar {

inline constexpr std::int32_t close_mark = 0;
inline constexpr std::int32_t word_mark = 1;
inline constexpr std::int32_t first_open_mark = 2;
inline constexpr std::int32_t root_symbol = 0;

struct Node {
  std::int32_t symbol;
  std::int32_t start;  // the words start .. end - 1
  std::int32_t end;
  // What is below, in order: the number of a node, or -1 for a word.
  std::vector<std::int32_t> children;

  // Right above one word and nothing else: what evalb does not count.
  bool is_preterminal() const { return children.size() == 1 && children[0] < 0; }
};

// The nodes of y in preorder, the root first. Throws for an array that is no tree over `words`
// words with symbols below `symbols`. No recursion: trees may be deep.
std::vector<Node> nodes_of(sculpt::Labels y, std::int64_t words, std::int64_t symbols);

}  // namespace grammar
