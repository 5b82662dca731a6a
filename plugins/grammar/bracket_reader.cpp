#include "bracket_reader.hpp"

#include <algorithm>

namespace grammar {

namespace {
constexpr std::string_view blanks = " \t";
}

std::optional<BracketText> BracketReader::next() {
  BracketText text;
  while (true) {
    const bool behind_tree = in_line_;
    in_line_ = false;
    if (!behind_tree) {
      if (!reader_.next()) break;
      at_ = 0;
    }
    at_ = std::min(reader_.line().find_first_not_of(blanks, at_), reader_.line().size());
    if (at_ == reader_.line().size()) continue;
    if (behind_tree && reader_.line()[at_] != '(') {
      throw reader_.error(at_, reader_.line()[at_] == ')' ? "there is no bracket to close here"
                                                          : "a word behind the end of a tree");
    }
    text.labelled = text.labelled || reader_.line()[at_] == '(';
    if (read_line(text.marks)) return text;
  }
  if (!open_.empty()) {
    const BracketToken& mark = text.marks[open_.back()];
    throw error(mark, "this bracket is never closed; the file ends with " +
                          std::to_string(open_.size()) + " open");
  }
  return std::nullopt;
}

bool BracketReader::read_line(std::vector<BracketToken>& marks) {
  const std::string_view line = reader_.line();
  const bool tree = !open_.empty() || line[at_] == '(';
  while ((at_ = line.find_first_not_of(blanks, at_)) < line.size()) {
    const std::size_t from = at_;
    const auto end_of_word = [&](std::size_t begin) {
      return std::min(line.find_first_of(" \t()", begin), line.size());
    };
    if (line[at_] == '(') {
      if (!tree) throw reader_.error(at_, "a bracket in a sentence; a tree begins with one");
      const std::size_t symbol = std::min(line.find_first_not_of(blanks, at_ + 1), line.size());
      at_ = end_of_word(symbol);
      open_.push_back(marks.size());
      marks.push_back({BracketToken::open, std::string(line.substr(symbol, at_ - symbol)),
                       reader_.number(), from});
    } else if (line[at_] == ')') {
      if (open_.empty()) throw reader_.error(at_, "there is no bracket to close here");
      ++at_;
      marks.push_back({BracketToken::close, "", reader_.number(), from});
      open_.pop_back();
      if (open_.empty()) {
        in_line_ = true;
        return true;
      }
    } else {
      at_ = end_of_word(at_);
      marks.push_back(
          {BracketToken::word, std::string(line.substr(from, at_ - from)), reader_.number(), from});
    }
  }
  return !tree;
}

}  // namespace grammar
