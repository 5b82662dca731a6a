#include "brackets.hpp"

#include <sculpt/cpp/ascii.hpp>

namespace rna {

namespace {

// Pseudoknots: [ ] { } < >, or letters in pairs of upper and lower case, are pairs that cross round
// brackets.
bool is_pseudoknot(char c) {
  return std::string_view("[]{}<>").find(c) != std::string_view::npos || sculpt::is_letter(c);
}

// Returns the message for a character that is not . ( or ).
std::string not_a_bracket(char c) {
  const std::string quoted = sculpt::shown(std::string_view(&c, 1));
  if (is_pseudoknot(c)) {
    return quoted +
           " marks a pseudoknot, which grammars of nested pairs cannot have; write a dot "
           "instead, set pseudoknots to remove, or remove the structure";
  }
  return quoted + " is neither a dot nor a bracket; write . for a single base, ( and ) for a pair";
}

}  // namespace

std::vector<std::int32_t> read_brackets(std::string_view text, std::size_t bases,
                                        BracketError& error) {
  std::vector<std::int32_t> y(text.size());
  std::vector<std::int32_t> open;
  error = {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto base = static_cast<std::int32_t>(i);
    y[i] = base;
    if (text[i] == '(') {
      open.push_back(base);
    } else if (text[i] == ')') {
      if (open.empty()) {
        error = {"this bracket has no opening bracket; write ( where its partner is, or a dot here",
                 i};
        return y;
      }
      y[i] = open.back();
      y[static_cast<std::size_t>(open.back())] = base;
      open.pop_back();
    } else if (text[i] != '.') {
      error = {not_a_bracket(text[i]), i};
      return y;
    }
  }
  if (!open.empty()) {
    error = {"this bracket has no closing bracket; write ) where its partner is, or a dot here",
             static_cast<std::size_t>(open.back())};
  } else if (text.size() != bases) {
    error = {"there are " + std::to_string(text.size()) + " dots and brackets for " +
                 std::to_string(bases) + " letters; write one for each",
             std::min(text.size(), bases)};
  }
  return y;
}

std::int64_t remove_pseudoknots(std::string& text) {
  std::int64_t pairs = 0;
  for (char& c : text) {
    if (!is_pseudoknot(c)) continue;
    const bool opens =
        std::string_view("[{<").find(c) != std::string_view::npos || sculpt::is_upper(c);
    pairs += opens ? 1 : 0;
    c = '.';
  }
  return pairs;
}

void write_brackets(sculpt::Labels y, sculpt::ByteOutput& out) {
  std::string text(y.size(), '.');
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto partner = static_cast<std::size_t>(y[i]);
    if (partner != i) text[i] = i < partner ? '(' : ')';
  }
  out << text;
}

void check_partners(sculpt::Labels y, std::size_t length) {
  if (y.size() != length) {
    throw sculpt::Error(SCULPT_E_INVALID, "a structure of this sequence has " +
                                              std::to_string(length) + " partners, not " +
                                              std::to_string(y.size()));
  }
  std::vector<std::int32_t> open;
  for (std::size_t i = 0; i < length; ++i) {
    const auto base = static_cast<std::int32_t>(i);
    const std::int32_t partner = y[i];
    bool valid = partner >= 0 && static_cast<std::size_t>(partner) < length &&
                 y[static_cast<std::size_t>(partner)] == base;
    if (valid && partner > base) open.push_back(base);
    if (valid && partner < base) {
      valid = open.back() == partner;
      open.pop_back();
    }
    if (!valid) {
      throw sculpt::Error(SCULPT_E_INVALID, "base " + std::to_string(i) + " has the partner " +
                                                std::to_string(partner) +
                                                ", which no nested structure allows");
    }
  }
}

}  // namespace rna
