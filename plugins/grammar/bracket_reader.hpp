// bracket_reader.hpp - bracketed trees as text: (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))).
//
// A line that begins with a bracket begins a tree, which may go on over several lines; any other
// line that is not blank is a sentence without a tree. Called by the dataset trees. Messages begin
// with path:line:column. No recursion: brackets may be deep.
#pragma once

#include <cstdint>
#include <optional>
#include <sculpt/cpp/reading.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace grammar {

// A piece of a tree, in the order of the text.
struct Mark {
  enum Kind { open, word, close };
  Kind kind;
  std::string text;        // the symbol or the word; may be empty behind an opening bracket
  std::int64_t line = 0;   // from 1
  std::size_t column = 0;  // from 0
};

// What stands between two examples.
struct BracketText {
  bool labelled = false;
  std::vector<Mark> marks;  // balanced, one tree; or only words
};

class BracketReader {
 public:
  explicit BracketReader(const sculpt::Source& source) : reader_(source) {}

  // The next tree or sentence; nothing at the end. Refuses brackets that are not balanced and words
  // outside of them.
  std::optional<BracketText> next();

  sculpt::Error error(const Mark& mark, const std::string& what) const {
    return reader_.error_at(mark.line, mark.column, what);
  }
  sculpt::Error error_at_start(const std::string& what) const {
    return reader_.error_at(1, 0, what);
  }

 private:
  // The pieces of the line under way, behind `marks`; returns false when brackets stay open.
  bool read_line(std::vector<Mark>& marks);

  sculpt::LineReader reader_;
  std::vector<std::size_t> open_;  // brackets, as numbers of marks
  bool in_line_ = false;           // a part of the line is left
  std::size_t at_ = 0;             // where it begins
};

}  // namespace grammar
