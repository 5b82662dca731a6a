#include "sentence.hpp"

namespace grammar {

namespace {

constexpr std::string_view empty_word = "-NONE-";

class SentenceMaker {
 public:
  SentenceMaker(const BracketReader& reader, const TreebankOptions& habits)
      : reader_(reader), options_(habits) {}

  Sentence make(const BracketText& text) {
    for (std::size_t k = 0; k < text.marks.size(); ++k) {
      const BracketToken& mark = text.marks[k];
      if (!text.labelled) {
        add_bare_word(mark.text);
      } else if (mark.kind == BracketToken::open) {
        const bool above_word = k + 2 < text.marks.size() &&
                                text.marks[k + 1].kind == BracketToken::word &&
                                text.marks[k + 2].kind == BracketToken::close;
        open(mark, above_word);
      } else if (mark.kind == BracketToken::word) {
        add_word(mark);
      } else {
        close();
      }
    }
    if (text.labelled && sentence_.words.empty()) {
      throw reader_.error(text.marks.front(), "an empty tree; take it out");
    }
    if (wrapped_) sentence_.pieces.push_back({BracketToken::close, ""});
    return std::move(sentence_);
  }

 private:
  struct Open {
    const BracketToken* mark;
    bool leaf;            // a tag above its word
    std::size_t piece;    // begin of its pieces
    bool filled = false;  // something is below it, also an empty word
  };

  void open(const BracketToken& mark, bool above_word) {
    if (!open_.empty()) open_.back().filled = true;
    std::string symbol = symbol_of(mark.text);
    const bool top = open_.empty();
    const bool root = symbol == options_.root || (top && symbol.empty());
    if (top && !root) {
      sentence_.pieces.push_back({BracketToken::open, options_.root});
      wrapped_ = true;
    }
    if (!top && root) {
      throw reader_.error(mark, "the root symbol " + sculpt::shown(options_.root) +
                                    " below the top of a tree; set `root` to another");
    }
    if (!top && symbol.empty()) throw reader_.error(mark, "a bracket without a symbol");
    const bool leaf = options_.tags && above_word && !root;
    open_.push_back({&mark, leaf, sentence_.pieces.size()});
    if (leaf) {
      if (symbol != empty_word) tag_ = std::move(symbol);
    } else {
      sentence_.pieces.push_back({BracketToken::open, root ? options_.root : symbol});
    }
  }

  void add_word(const BracketToken& mark) {
    Open& above = open_.back();
    above.filled = true;
    if (above.mark->text == empty_word) return;
    if (options_.tags && !above.leaf) {
      throw reader_.error(mark, "word " + sculpt::shown(mark.text) +
                                    " has no tag of its own; write (TAG word), or set `terminals` "
                                    "to words");
    }
    sentence_.words.push_back(mark.text);
    if (options_.tags) sentence_.tags.push_back(tag_);
    sentence_.pieces.push_back({BracketToken::word, ""});
  }

  void close() {
    const Open node = open_.back();
    open_.pop_back();
    if (!node.filled) {
      throw reader_.error(*node.mark, open_.empty() ? "an empty tree; take it out"
                                                    : "nothing stands below this node");
    }
    if (node.leaf) return;
    if (sentence_.pieces.size() == node.piece + 1) {
      sentence_.pieces.pop_back();
    } else {
      sentence_.pieces.push_back({BracketToken::close, ""});
    }
  }

  // Adds a word of a sentence without a tree. If tags are parsed, it is TAG or word/TAG.
  void add_bare_word(const std::string& text) {
    const std::size_t slash = text.rfind('/');
    const bool both =
        options_.tags && slash != std::string::npos && slash > 0 && slash + 1 < text.size();
    sentence_.words.push_back(both ? text.substr(0, slash) : text);
    if (options_.tags) sentence_.tags.push_back(both ? text.substr(slash + 1) : text);
  }

  // Names that begin with a dash, such as -LRB-, have no functional tag.
  std::string symbol_of(const std::string& text) const {
    if (options_.keep_functional || text.starts_with('-')) return text;
    return text.substr(0, text.find_first_of("-=", 1));
  }

  const BracketReader& reader_;
  const TreebankOptions& options_;
  Sentence sentence_;
  std::vector<Open> open_;
  std::string tag_;  // of the current leaf
  bool wrapped_ = false;
};

}  // namespace

Sentence read_sentence(const BracketReader& reader, const BracketText& text,
                       const TreebankOptions& habits) {
  return SentenceMaker(reader, habits).make(text);
}

}  // namespace grammar
