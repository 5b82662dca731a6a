// example_lines.hpp - which lines of a file of trees are examples, where lines are empty or
// comments.
//
// Called by the dataset trees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bracket_reader.hpp"

namespace grammar {

// What an empty line outside of trees is.
enum class EmptyLines {
  automatic,  // a sentence without a parse in files with one tree a line, else nothing
  sentence,   // a sentence without a parse, except at the end of the file
  skip        // nothing
};

// The lines that are no trees and no sentences.
struct OtherLines {
  std::int64_t comments = 0;
  std::int64_t left_out = 0;  // those that would be examples except for training
  std::int64_t at_end = 0;    // empty lines behind the last example, if others are examples
  std::vector<std::int64_t> unparsed;  // the lines of sentences without a parse, from 1
};

// Removes the comments, and the empty lines that are no examples. The empty lines that remain are
// sentences without a parse. `()` and `(())` become empty lines too, except for training.
// An empty line is no example if it is one of the last. It is none if it ends an example in front
// of the comment of the next one. It is none if such lines separate all examples, at least three.
// For training it is none if empty lines are `automatic`.
OtherLines keep_examples(std::vector<BracketText>& texts, EmptyLines empty_lines, bool is_training);

}  // namespace grammar
