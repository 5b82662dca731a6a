#include "example_lines.hpp"

#include <algorithm>

namespace grammar {

namespace {

using Texts = std::vector<BracketText>;

bool is_example(const BracketText& text) {
  return text.kind == BracketText::tree || text.kind == BracketText::sentence;
}

// A line that begins with the word # is a comment if a tree follows it, else a sentence.
void decide_marked_lines(Texts& texts) {
  bool is_before_tree = false;
  for (std::size_t k = texts.size(); k-- > 0;) {
    BracketText& text = texts[k];
    if (text.kind == BracketText::marked_sentence) {
      text.kind = is_before_tree ? BracketText::comment : BracketText::sentence;
    }
    if (text.kind != BracketText::comment) is_before_tree = text.kind == BracketText::tree;
  }
}

// True if exactly one empty line stands between each two of at least three examples.
bool are_separated(const Texts& texts) {
  std::int64_t examples = 0;
  std::int64_t empty = 0;  // since the last example
  for (const BracketText& text : texts) {
    if (text.kind == BracketText::empty_line) ++empty;
    if (!is_example(text)) continue;
    if (examples > 0 && empty != 1) return false;
    ++examples;
    empty = 0;
  }
  return examples >= 3;
}

bool has_one_tree_a_line(const Texts& texts) {
  return std::all_of(texts.begin(), texts.end(),
                     [](const BracketText& text) { return text.is_alone; });
}

// True if the empty line k ends an example, and a comment of the next one follows.
bool is_before_comment(const Texts& texts, std::size_t k) {
  const auto has = [&](std::size_t index, BracketText::Kind kind) {
    return index < texts.size() && texts[index].kind == kind;
  };
  if (!has(k + 1, BracketText::comment) || k == 0) return false;
  const bool ends_empty_example =
      has(k - 1, BracketText::empty_line) && k > 1 && has(k - 2, BracketText::comment);
  return is_example(texts[k - 1]) || ends_empty_example;
}

}  // namespace

OtherLines keep_examples(Texts& texts, EmptyLines empty_lines, bool is_training) {
  OtherLines lines;
  decide_marked_lines(texts);
  const auto last = std::find_if(texts.rbegin(), texts.rend(), is_example);
  const std::int64_t at_end = std::count_if(last.base(), texts.end(), [](const BracketText& text) {
    return text.kind == BracketText::empty_line;
  });
  texts.erase(last.base(), texts.end());
  const bool is_automatic = empty_lines == EmptyLines::automatic;
  const bool are_examples = is_automatic ? has_one_tree_a_line(texts) && !are_separated(texts)
                                         : empty_lines == EmptyLines::sentence;
  if (are_examples && !is_training) lines.at_end = at_end;
  Texts kept;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    BracketText& text = texts[k];
    if (text.kind == BracketText::comment) {
      ++lines.comments;
      continue;
    }
    const bool is_no_parse = text.is_no_parse() && !is_training;
    if (text.kind == BracketText::empty_line) {
      if (!are_examples || is_before_comment(texts, k)) continue;
      if (is_training && is_automatic) {
        ++lines.left_out;
        continue;
      }
    }
    if (is_no_parse) text = {BracketText::empty_line, {}, text.line, true};
    if (text.kind == BracketText::empty_line) lines.unparsed.push_back(text.line);
    kept.push_back(std::move(text));
  }
  texts = std::move(kept);
  return lines;
}

}  // namespace grammar
