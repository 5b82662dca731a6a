// bracket_reader.hpp - reads bracketed trees: (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))).
//
// A line that begins with a bracket begins a tree, which may continue on further lines. A line that
// begins with ## is a comment. Any other nonblank line is a sentence without a tree. Called by the
// dataset trees. Messages begin with path:line:column. No recursion, because brackets may be deep.
#pragma once

#include <cstdint>
#include <optional>
#include <sculpt/cpp/reading.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace grammar {

// A token of a tree, in the order of the text.
struct BracketToken {
  enum Kind { open, word, close };
  Kind kind;
  std::string text;        // symbol or word; may be empty after an opening bracket
  std::int64_t line = 0;   // from 1
  std::size_t column = 0;  // from 0
};

// One tree, or one line outside of trees.
struct BracketText {
  enum Kind {
    tree,
    sentence,         // without a tree
    marked_sentence,  // a sentence that begins with the word #, or a comment
    comment,
    empty_line
  };
  Kind kind = sentence;
  std::vector<BracketToken> tokens;  // one balanced tree, or only words
  std::int64_t line = 0;             // its first line, from 1
  bool is_alone = true;              // it fills one line, where nothing else stands

  bool is_tree() const { return kind == tree; }
  // True for `()` and `(())`, which parsers print for a sentence that they cannot parse.
  bool is_no_parse() const;
};

class BracketReader {
 public:
  explicit BracketReader(const sculpt::Source& source)
      : reader_(source, sculpt::LineLife::until_next) {}

  // Returns the next tree or line, or nullopt at the end. Throws for unbalanced brackets, for empty
  // nodes, and for words outside of a tree.
  std::optional<BracketText> next();

  sculpt::Error error(const BracketToken& token, const std::string& what) const {
    return reader_.error_at(token.line, token.column, what);
  }
  sculpt::Error error_at_file_start(const std::string& what) const {
    return reader_.error_at(1, 0, what);
  }

 private:
  // What the line is that begins outside of a tree.
  BracketText::Kind kind_of_line() const;
  // True if a tree ended in the line and something follows it.
  bool line_has_more() const;
  // Throws if the innermost bracket, which the line closes, has nothing inside. Allows empty trees.
  void refuse_empty_node(const std::vector<BracketToken>& tokens) const;
  // Appends the tokens of the current line. Returns false if brackets are still open.
  bool read_line(std::vector<BracketToken>& tokens);

  sculpt::LineReader reader_;
  std::vector<std::size_t> open_brackets_;  // open brackets, as indices of tokens
  bool line_has_more_ = false;              // a part of the line is not read yet
  std::size_t column_ = 0;                  // where that part begins
};

}  // namespace grammar
