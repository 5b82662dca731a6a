#include "bracket_reader.hpp"

#include <algorithm>

namespace grammar {

namespace {

constexpr std::string_view blanks = " \t";

// Brackets as words are the reason of most faults here, so messages name the way out.
constexpr const char* words_for_brackets =
    "write -LRB- for the word ( and -RRB- for the word ), which no reader could tell from the "
    "brackets of the tree";

// True if nothing but brackets without a symbol are open: the beginning of () and (()).
bool has_only_bare_brackets(const std::vector<BracketToken>& tokens) {
  return std::all_of(tokens.begin(), tokens.end(), [](const BracketToken& token) {
    return token.kind != BracketToken::word && token.text.empty();
  });
}

}  // namespace

bool BracketText::is_no_parse() const {
  return is_tree() && has_only_bare_brackets(tokens) && tokens.size() <= 4;
}

std::optional<BracketText> BracketReader::next() {
  BracketText text;
  const auto is_inside = [&] { return !open_brackets_.empty(); };
  while (true) {
    const bool after_tree = line_has_more_;
    line_has_more_ = false;
    if (!after_tree) {
      if (!reader_.next()) break;
      column_ = 0;
    }
    column_ = std::min(reader_.line().find_first_not_of(blanks, column_), reader_.line().size());
    if (column_ == reader_.line().size()) {
      if (after_tree || is_inside()) continue;
      text.kind = BracketText::empty_line;
      text.line = reader_.number();
      return text;
    }
    if (after_tree && reader_.line()[column_] != '(') {
      throw reader_.error(column_,
                          reader_.line()[column_] == ')'
                              ? "there is no bracket to close here"
                              : "there is a word outside of a tree; put it inside the brackets");
    }
    if (!is_inside()) {
      text.line = reader_.number();
      text.kind = kind_of_line();
      text.is_alone = !after_tree;
    }
    if (text.kind == BracketText::comment) return text;
    const std::int64_t first_line = text.line;
    if (!read_line(text.tokens)) continue;
    text.is_alone = text.is_alone && reader_.number() == first_line && !line_has_more();
    return text;
  }
  if (!open_brackets_.empty()) {
    const BracketToken& token = text.tokens[open_brackets_.back()];
    throw error(token, "this bracket is never closed; the file ends with " +
                           std::to_string(open_brackets_.size()) + " open");
  }
  return std::nullopt;
}

BracketText::Kind BracketReader::kind_of_line() const {
  const std::string_view line = reader_.line().substr(column_);
  if (line.front() == '(') return BracketText::tree;
  if (line.starts_with("##")) return BracketText::comment;
  // A sentence may begin with the tag #, but it has no brackets.
  const bool is_mark = line.starts_with("# ") || line.starts_with("#\t");
  if (is_mark && line.find_first_of("()") != std::string_view::npos) return BracketText::comment;
  return is_mark ? BracketText::marked_sentence : BracketText::sentence;
}

bool BracketReader::line_has_more() const {
  return line_has_more_ &&
         reader_.line().find_first_not_of(blanks, column_) != std::string_view::npos;
}

void BracketReader::refuse_empty_node(const std::vector<BracketToken>& tokens) const {
  if (tokens.back().kind != BracketToken::open || has_only_bare_brackets(tokens)) return;
  const BracketToken& node = tokens.back();
  const BracketToken* const above = tokens.size() > 1 ? &tokens[tokens.size() - 2] : nullptr;
  const bool is_word = above != nullptr && above->kind == BracketToken::open;
  if (node.text.empty() && is_word && !above->text.empty()) {
    throw error(node, "the tag " + sculpt::shown(above->text) + " has the bracket ( as its word; " +
                          words_for_brackets);
  }
  if (node.text.empty()) {
    throw error(node, std::string("this bracket has no symbol; write one after it; if it is a "
                                  "word, ") +
                          words_for_brackets);
  }
  if (tokens.size() == 1) return;  // an empty tree
  throw error(node, "the node " + sculpt::shown(node.text) +
                        " is empty; write a word or a node inside it; if a bracket is its word, " +
                        words_for_brackets);
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
            "there is a bracket inside a sentence; begin the line with a bracket if it is a tree, "
            "and write -LRB- or -RRB- for a bracket that is a word");
      }
      const std::size_t symbol = std::min(line.find_first_not_of(blanks, column_ + 1), line.size());
      column_ = end_of_word(symbol);
      open_brackets_.push_back(tokens.size());
      tokens.push_back({BracketToken::open, std::string(line.substr(symbol, column_ - symbol)),
                        reader_.number(), start});
    } else if (line[column_] == ')') {
      if (open_brackets_.empty()) throw reader_.error(column_, "there is no bracket to close here");
      refuse_empty_node(tokens);
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
