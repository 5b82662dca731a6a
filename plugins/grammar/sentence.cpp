#include "sentence.hpp"

namespace grammar {

namespace {

constexpr std::string_view empty_word = "-NONE-";

class SentenceMaker {
 public:
  SentenceMaker(const BracketReader& reader, const TreebankOptions& options)
      : reader_(reader), options_(options) {}

  Sentence make(const BracketText& text) {
    for (std::size_t k = 0; k < text.tokens.size(); ++k) {
      const BracketToken& token = text.tokens[k];
      if (!text.is_tree()) {
        add_bare_word(token.text);
      } else if (token.kind == BracketToken::open) {
        const bool above_word = k + 2 < text.tokens.size() &&
                                text.tokens[k + 1].kind == BracketToken::word &&
                                text.tokens[k + 2].kind == BracketToken::close;
        open(token, above_word);
      } else if (token.kind == BracketToken::word) {
        add_word(token);
      } else {
        close();
      }
    }
    if (text.is_tree() && sentence_.words.empty()) {
      throw reader_.error(text.tokens.front(), "this tree is empty; remove it");
    }
    if (root_is_added_) sentence_.tree.push_back({BracketToken::close, ""});
    return std::move(sentence_);
  }

 private:
  struct Open {
    const BracketToken* token;
    bool leaf;                 // a tag above its word
    std::size_t begin;         // index of its first token in the tree
    bool has_content = false;  // something is below it, also an empty word
  };

  // Opens a node. Adds the root above the first node if that has another symbol.
  void open(const BracketToken& token, bool above_word) {
    if (!open_.empty()) open_.back().has_content = true;
    std::string symbol = symbol_of(token.text);
    const bool top = open_.empty();
    const bool has_root_of_file = top && symbol == options_.root_of_file;  // or no symbol
    const bool root = symbol == options_.root || has_root_of_file || (top && symbol.empty());
    if (top && !root) {
      sentence_.tree.push_back({BracketToken::open, options_.root});
      root_is_added_ = true;
    }
    if (!top && root) {
      throw reader_.error(
          token,
          "the root symbol " + sculpt::shown(options_.root) +
              " occurs below the top of a tree; name another root: --set dataset.root=SYMBOL");
    }
    if (!top && symbol.empty()) {
      throw reader_.error(token, "this bracket has no symbol; write one after it");
    }
    const bool leaf = options_.parses_tags && above_word && !root;
    open_.push_back({&token, leaf, sentence_.tree.size()});
    if (leaf) {
      if (symbol != empty_word) tag_ = std::move(symbol);
    } else {
      sentence_.tree.push_back({BracketToken::open, root ? options_.root : symbol});
    }
  }

  void add_word(const BracketToken& token) {
    Open& parent = open_.back();
    parent.has_content = true;
    if (parent.token->text == empty_word) return;
    if (options_.parses_tags && !parent.leaf) {
      throw reader_.error(token, "word " + sculpt::shown(token.text) +
                                     " has no tag; write (TAG word), or add --set "
                                     "dataset.terminals=words");
    }
    sentence_.words.push_back(token.text);
    if (options_.parses_tags) sentence_.tags.push_back(tag_);
    sentence_.tree.push_back({BracketToken::word, ""});
  }

  // Closes a node. Drops it if only empty words were below.
  void close() {
    const Open node = open_.back();
    open_.pop_back();
    if (!node.has_content) {
      throw reader_.error(*node.token, open_.empty() ? "this tree is empty; remove it"
                                                     : "this node is empty; write a word or a node "
                                                       "inside it");
    }
    if (node.leaf) return;
    if (sentence_.tree.size() == node.begin + 1) {
      sentence_.tree.pop_back();
    } else {
      sentence_.tree.push_back({BracketToken::close, ""});
    }
  }

  // Adds a word of a sentence without a tree. If tags are parsed, it is TAG or word/TAG.
  void add_bare_word(const std::string& text) {
    const std::size_t slash = text.rfind('/');
    const bool has_both =
        options_.parses_tags && slash != std::string::npos && slash > 0 && slash + 1 < text.size();
    sentence_.words.push_back(has_both ? text.substr(0, slash) : text);
    if (!options_.parses_tags) return;
    sentence_.tags.push_back(symbol_of(has_both ? text.substr(slash + 1) : text));
    sentence_.is_bare.push_back(!has_both);
  }

  // Names that begin with a dash, such as -LRB-, have no functional tag.
  std::string symbol_of(const std::string& text) const {
    if (options_.keeps_functional_tags || text.starts_with('-')) return text;
    return text.substr(0, text.find_first_of("-=", 1));
  }

  const BracketReader& reader_;
  const TreebankOptions& options_;
  Sentence sentence_;
  std::vector<Open> open_;
  std::string tag_;  // of the current leaf
  bool root_is_added_ = false;
};

}  // namespace

Sentence read_sentence(const BracketReader& reader, const BracketText& text,
                       const TreebankOptions& options) {
  return SentenceMaker(reader, options).make(text);
}

}  // namespace grammar
