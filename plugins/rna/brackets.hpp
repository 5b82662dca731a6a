// brackets.hpp - secondary structures as dots and brackets, and as partners: y_i is the partner of
// base i, or i itself for a single base.
//
// Called by the dataset dot_bracket, for its files and for texts of predictions.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rna {

// The error in a text and its position, from 0. An empty message: no error.
struct BracketError {
  std::string message;
  std::size_t position = 0;
};

// Returns the partners that `text` gives to this number of bases. `error` is set for brackets
// without a partner, another length, and characters other than . ( ). Pseudoknot brackets have
// their own message. The result is then meaningless.
std::vector<std::int32_t> read_brackets(std::string_view text, std::size_t bases,
                                        BracketError& error);

// Replaces the signs of pseudoknots by dots. Returns how many pairs these were.
std::int64_t remove_pseudoknots(std::string& text);

// Requires check_partners().
void write_brackets(sculpt::Labels y, sculpt::ByteOutput& out);

// Throws unless y is the partners of a nested structure of this length.
void check_partners(sculpt::Labels y, std::size_t length);

}  // namespace rna
