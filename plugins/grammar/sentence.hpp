// sentence.hpp - what a bracketed tree says once the habits of treebanks are taken off it.
//
// Functional tags (NP-SBJ, NP=2) are cut off, empty words (-NONE-) are dropped with the nodes that
// they leave empty, the tree gets one root. Where tags are parsed, a tag and its word become one
// leaf. Called by the dataset trees, for its files and for outputs that are read back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bracket_reader.hpp"

namespace grammar {

struct Sentence {
  struct Piece {
    Mark::Kind kind;
    std::string symbol;  // of an opening bracket
  };
  std::vector<std::string> words;
  std::vector<std::string> tags;  // where tags are parsed, as many as words
  std::vector<Piece> pieces;      // the tree in preorder, under the root; empty without a tree
  std::int64_t line = 0;          // where it begins in its file, from 1
};

struct TreebankHabits {
  bool tags;             // the leaves are tags above words, not the words themselves
  bool keep_functional;  // NP-SBJ stays NP-SBJ
  std::string root;      // the symbol at the top
};

// Refuses empty trees and nodes, nodes without a symbol, the root symbol below the root and, where
// tags are parsed, words without a tag of their own.
Sentence read_sentence(const BracketReader& reader, const BracketText& text,
                       const TreebankHabits& habits);

}  // namespace grammar
