// sentence.hpp - the words and the tree of a bracketed tree, without the conventions of treebanks.
//
// Functional tags (NP-SBJ, NP=2) are cut off. Empty words (-NONE-) are dropped, with the nodes that
// become empty. The tree gets one root. If tags are parsed, a tag and its word become one leaf.
// Called by the dataset trees, for its files and for outputs read back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bracket_reader.hpp"

namespace grammar {

struct Sentence {
  struct TreeToken {
    BracketToken::Kind kind;
    std::string symbol;  // of an opening bracket
  };
  std::vector<std::string> words;
  std::vector<std::string> tags;  // as many as words, if tags are parsed
  std::vector<bool> is_bare;    // [words] it was a tag alone; only if tags are parsed, without tree
  std::vector<TreeToken> tree;  // in preorder; empty if the sentence has no tree
  std::int64_t line = 0;        // its first line, from 1
};

struct TreebankOptions {
  bool parses_tags;            // leaves are the tags above the words, not the words
  bool keeps_functional_tags;  // NP-SBJ stays NP-SBJ
  std::string root;            // the symbol at the top
  std::string root_of_file;    // what a file has in its place; "": nothing else
};

// Throws for empty trees and nodes, nodes without a symbol, and the root symbol below the root. If
// tags are parsed, also for words without their own tag.
Sentence read_sentence(const BracketReader& reader, const BracketText& text,
                       const TreebankOptions& options);

}  // namespace grammar
