#include "bracket_reader.hpp"

#include <algorithm>

namespace grammar {

namespace {
constexpr std::string_view blanks = " \t";
}

std::optional<BracketText> BracketReader::next() {
  BracketText text;
  while (true) {
    const bool after_tree = line_has_more_;
    line_has_more_ = false;
    if (!after_tree) {
      if (!reader_.next()) break;
      column_ = 0;
    }
    column_ = std::min(reader_.line().find_first_not_of(blanks, column_), reader_.line().size());
    if (column_ == reader_.line().size()) continue;
    if (after_tree && reader_.line()[column_] != '(') {
      throw reader_.error(column_,
                          reader_.line()[column_] == ')'
                              ? "there is no bracket to close here"
                              : "there is a word outside of a tree; put it inside the brackets");
    }
    text.is_tree = text.is_tree || reader_.line()[column_] == '(';
    if (read_line(text.tokens)) return text;
  }
  if (!open_brackets_.empty()) {
    const BracketToken& token = text.tokens[open_brackets_.back()];
    throw error(token, "this bracket is never closed; the file ends with " +
                           std::to_string(open_brackets_.size()) + " open");
  }
  return std::nullopt;
}

bool BracketReader::read_line(std::vector<BracketToken>& tokens) {
  const std::string_view line = reader_.line();
  const bool is_tree = !open_brackets_.empty() || line[column_] == '(';
  while ((column_ = line.find_first_not_of(blanks, column_)) < line.size()) {
    const std::size_t start = column_;
    const auto end_of_word = [&](std::size_t begin) {
      return std::min(line.find_first_of(" \t()", begin), line.size());
    };
    if (line[column_] == '(') {
      if (!is_tree) {
        throw reader_.error(
            column_,
            "there is a bracket inside a sentence; begin the line with a bracket if it is a tree");
      }
      const std::size_t symbol = std::min(line.find_first_not_of(blanks, column_ + 1), line.size());
      column_ = end_of_word(symbol);
      open_brackets_.push_back(tokens.size());
      tokens.push_back({BracketToken::open, std::string(line.substr(symbol, column_ - symbol)),
                        reader_.number(), start});
    } else if (line[column_] == ')') {
      if (open_brackets_.empty()) throw reader_.error(column_, "there is no bracket to close here");
      ++column_;
      tokens.push_back({BracketToken::close, "", reader_.number(), start});
      open_brackets_.pop_back();
      if (open_brackets_.empty()) {
        line_has_more_ = true;
        return true;
      }
    } else {
      column_ = end_of_word(column_);
      tokens.push_back({BracketToken::word, std::string(line.substr(start, column_ - start)),
                        reader_.number(), start});
    }
  }
  return !is_tree;
}

}  // namespace grammar
