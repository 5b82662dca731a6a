// brackets.hpp - secondary structures as dots and brackets, and as partners: y_i is the place that
// base i pairs with, i itself when it stays single.
//
// Called by the dataset dot_bracket, for its files and for texts of predictions.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rna {

// What is wrong with a text, and where it lies, from 0. Empty: nothing.
struct BracketFault {
  std::string what;
  std::size_t at = 0;
};

// The partners that `text` says of so many bases. Refuses brackets without a partner, another
// length, all but . ( ) and with a reason of their own the signs of pseudoknots; then the result
// means nothing.
std::vector<std::int32_t> read_brackets(std::string_view text, std::size_t bases,
                                        BracketFault& fault);

// Requires check_partners().
void write_brackets(sculpt::Labels y, sculpt::ByteOutput& out);

// Refuses what are not the partners of a nested structure of this length.
void check_partners(sculpt::Labels y, std::size_t length);

}  // namespace rna
