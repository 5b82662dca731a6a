#include "trees.hpp"

#include <algorithm>
#include <limits>

#include "shared_root.hpp"
#include "unknown_terminals.hpp"
#include "word_class.hpp"

namespace grammar {

namespace {

constexpr std::int64_t trees_state_version = 2;
constexpr std::size_t max_words = 8000;  // edge names have 13 bits for a position

EmptyLines empty_lines_of(const std::string& choice) {
  if (choice == "sentence") return EmptyLines::sentence;
  return choice == "skip" ? EmptyLines::skip : EmptyLines::automatic;
}

}  // namespace

Trees::Trees(const sculpt::Parameters& given, sculpt::Host host)
    : host_(host),
      options_{given.choice("terminals") == "tags", given.boolean("functional"),
               given.text("root").empty() ? "ROOT" : given.text("root"), ""},
      empty_lines_(empty_lines_of(given.choice("empty_lines"))),
      is_root_given_(!given.text("root").empty()),
      rare_count_(given.integer("rare")),
      further_symbols_(given.texts("symbols")) {
  if (options_.root.find_first_of(" \t()") != std::string::npos) {
    throw sculpt::parameter_error("root is " + sculpt::shown(options_.root) +
                                  "; write a symbol without blanks and brackets");
  }
}

void Trees::load(std::string_view split, const sculpt::Source& source) {
  BracketReader reader(source);
  const std::vector<Sentence> sentences = read(reader, source.path(), split == "train");
  if (sentences.empty()) {
    throw reader.error_at_file_start(
        "no trees; write one on each line: (S (NP (N cats)) (VP (V sleep)))");
  }
  if (!has_learned_) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no symbols before the split 'train' is loaded; load it first");
    }
    learn(sentences, reader);
  }
  const std::int64_t begin = count();
  places_.begin_file(source.path());
  const std::size_t symbols_before = unseen_symbols_.size();
  UnknownTerminals unknown;
  for (const Sentence& sentence : sentences) {
    append(sentence);
    places_.add(sentence.line);
    unknown.add(sentence, examples_.back().terminals);
  }
  splits_.insert_or_assign(std::string(split), sculpt::Range{begin, count()});
  const std::string warning = unknown.warning(source.path(), terminals_, options_.parses_tags);
  if (!warning.empty()) host_.warn(warning);
  if (unseen_symbols_.size() > symbols_before) {
    host_.warn(source.path() + ": symbols that do not occur in training, such as " +
               sculpt::shown(unseen_symbols_[symbols_before]) + "; they never occur in a guess");
  }
}

std::vector<BracketText> Trees::read_texts(BracketReader& reader, const std::string& path,
                                           bool is_training) const {
  std::vector<BracketText> texts;
  while (std::optional<BracketText> text = reader.next()) texts.push_back(std::move(*text));
  const OtherLines lines = keep_examples(texts, empty_lines_, is_training);
  if (lines.comments > 0) {
    host_.log(path + ": left out " + std::to_string(lines.comments) +
              (lines.comments == 1 ? " comment, a line" : " comments, lines") +
              " in front of a tree with # or ##");
  }
  if (lines.at_end > 0) {
    host_.log(path + ": ends with " + std::to_string(lines.at_end) +
              (lines.at_end == 1 ? " empty line, which is" : " empty lines, which are") +
              " no sentence; write (()) for a sentence without a parse at the end");
  }
  if (lines.left_out > 0) {
    host_.warn(path + ": left out " + std::to_string(lines.left_out) +
               (lines.left_out == 1 ? " empty line" : " empty lines") +
               ", because a sentence without a parse teaches nothing");
  }
  if (!lines.unparsed.empty()) {
    const std::size_t count = lines.unparsed.size();
    host_.warn(path + ":" + std::to_string(lines.unparsed.front()) + ": " +
               (count == 1 ? "this line is"
                           : "this line and " + std::to_string(count - 1) +
                                 (count == 2 ? " other are" : " others are")) +
               " empty: a sentence without a parse, which is kept in its place, without output "
               "and unlabelled; set empty_lines to skip if empty lines only separate trees");
  }
  return texts;
}

// The root of the training data becomes that of all trees. Another file may have another one.
std::vector<Sentence> Trees::read(BracketReader& reader, const std::string& path,
                                  bool is_training) {
  const std::vector<BracketText> texts = read_texts(reader, path, is_training);
  if (!is_root_given_) {
    const std::string root = shared_root(texts);
    if (!root.empty() && !has_learned_ && root != options_.root) {
      options_.root = root;
      host_.log(path + ": all trees have the top " + root +
                ", so it is their root and counts as no bracket; --set dataset.root=SYMBOL "
                "changes that");
    }
    const bool is_symbol = find_symbol(root) > root_symbol;
    options_.root_of_file = has_learned_ && !is_symbol ? root : "";
  }
  std::vector<Sentence> sentences;
  for (const BracketText& text : texts) {
    sentences.push_back(read_sentence(reader, text, options_));
    sentences.back().line = text.line;
    if (sentences.back().words.size() <= max_words) continue;
    throw reader.error(text.tokens.front(), "this sentence has more than " +
                                                std::to_string(max_words) + " words; split it");
  }
  return sentences;
}

void Trees::learn(const std::vector<Sentence>& sentences, const BracketReader& reader) {
  std::unordered_map<std::string, std::int64_t> word_counts;
  bool has_tree = false;
  for (const Sentence& sentence : sentences) {
    has_tree = has_tree || !sentence.tree.empty();
    for (const Sentence::TreeToken& token : sentence.tree) {
      if (token.kind == BracketToken::open && token.symbol != options_.root)
        symbols_.add(token.symbol);
    }
    for (const std::string& tag : sentence.tags) terminals_.add(tag);
    if (!options_.parses_tags) {
      for (const std::string& word : sentence.words) ++word_counts[word];
    }
  }
  if (!has_tree) {
    throw reader.error_at_file_start(
        "no sentence has a tree, so there is nothing to learn; write trees in brackets");
  }
  for (const auto& [word, count] : word_counts) {
    terminals_.add(count > rare_count_ ? word : word_class(word));
  }
  for (const std::string& symbol : further_symbols_) {
    if (symbol != options_.root) symbols_.add(symbol);
  }
  symbols_.finish();
  terminals_.finish();
  has_learned_ = true;
}

std::int32_t Trees::terminal_of(const Sentence& sentence, std::size_t position) const {
  if (options_.parses_tags) return terminals_.find(sentence.tags[position]);
  const std::string& word = sentence.words[position];
  std::int32_t found = terminals_.find(word);
  if (found < 0) found = terminals_.find(word_class(word));
  if (found < 0) found = terminals_.find(word_class(word, false));
  return found;
}

std::int32_t Trees::find_symbol(std::string_view name) const {
  if (name == options_.root) return root_symbol;
  const std::int32_t number = symbols_.find(name);
  return number < 0 ? -1 : number + 1;
}

const std::string& Trees::symbol_name(std::int32_t symbol) const {
  if (symbol == root_symbol) return options_.root;
  if (symbol < symbol_count()) return symbols_.name(symbol - 1);
  return unseen_symbols_.at(static_cast<std::size_t>(symbol - symbol_count()));
}

std::int32_t Trees::find_any_symbol(const std::string& name) const {
  const std::int32_t learned = find_symbol(name);
  if (learned >= 0) return learned;
  const auto unseen = number_of_unseen_.find(name);
  return unseen == number_of_unseen_.end() ? -1 : symbol_count() + unseen->second;
}

std::int32_t Trees::find_or_add_symbol(const std::string& name) {
  const std::int32_t known = find_any_symbol(name);
  if (known >= 0) return known;
  number_of_unseen_.emplace(name, static_cast<std::int32_t>(unseen_symbols_.size()));
  unseen_symbols_.push_back(name);
  return all_symbols() - 1;
}

void Trees::append(const Sentence& sentence) {
  Example example{sentence.words, sentence.tags, {}, !sentence.tree.empty(), {}};
  for (std::size_t k = 0; k < sentence.words.size(); ++k) {
    example.terminals.push_back(terminal_of(sentence, k));
  }
  for (const Sentence::TreeToken& token : sentence.tree) {
    switch (token.kind) {
      case BracketToken::open:
        example.y.push_back(first_open_token + find_or_add_symbol(token.symbol));
        break;
      case BracketToken::word:
        example.y.push_back(word_token);
        break;
      case BracketToken::close:
        example.y.push_back(close_token);
    }
  }
  examples_.push_back(std::move(example));
}

sculpt::Range Trees::split(std::string_view name) const {
  const auto found = splits_.find(name);
  return found == splits_.end() ? sculpt::Range() : found->second;
}

sculpt::Labels Trees::truth(std::int64_t example) const {
  return at(example).is_labelled ? sculpt::Labels(at(example).y) : sculpt::Labels();
}

std::vector<Node> Trees::nodes(std::int64_t example, sculpt::Labels y) const {
  return nodes_of(y, static_cast<std::int64_t>(at(example).words.size()), all_symbols());
}

void Trees::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  nodes(example, y);  // throws if y is no tree
  const Example& stored = at(example);
  std::size_t position = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (y[k] == close_token) {
      out << ")";
      continue;
    }
    if (k > 0) out << " ";
    if (y[k] >= first_open_token) {
      out << "(" << symbol_name(y[k] - first_open_token);
    } else if (options_.parses_tags) {
      out << "(" << stored.tags[position] << " " << stored.words[position] << ")";
      ++position;
    } else {
      out << stored.words[position++];
    }
  }
}

void Trees::parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
  const sculpt_source raw{sizeof raw, 0, "output", text.data(),
                          static_cast<std::int64_t>(text.size())};
  BracketReader reader{sculpt::Source(raw)};
  std::vector<BracketText> texts;
  while (std::optional<BracketText> next = reader.next()) {
    if (next->kind != BracketText::empty_line) texts.push_back(std::move(*next));
  }
  if (texts.size() != 1 || !texts.front().is_tree()) {
    throw sculpt::data_error("this is not one tree; write one tree in brackets");
  }
  const Sentence sentence = read_sentence(reader, texts.front(), options_);
  const Example& stored = at(example);
  if (sentence.words != stored.words || sentence.tags != stored.tags) {
    throw sculpt::data_error(
        "the words of the tree are not those of the sentence; write the same words");
  }
  std::vector<std::int32_t> y;
  for (const Sentence::TreeToken& token : sentence.tree) {
    if (token.kind != BracketToken::open) {
      y.push_back(token.kind == BracketToken::word ? word_token : close_token);
      continue;
    }
    const std::int32_t symbol = find_any_symbol(token.symbol);
    if (symbol < 0) {
      throw sculpt::data_error("symbol " + sculpt::shown(token.symbol) +
                               " does not occur in the data");
    }
    y.push_back(first_open_token + symbol);
  }
  out.assign(y);
}

void Trees::items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const {
  const auto n = static_cast<std::int64_t>(at(example).words.size());
  for (const Node& node : nodes(example, y)) {
    if (node.symbol == root_symbol || (!counts_preterminals() && node.is_preterminal())) continue;
    items.push_back(item(node.symbol, node.start, node.end, n));
  }
}

void Trees::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                        std::span<double> sums) const {
  std::vector<std::int64_t> true_items;
  std::vector<std::int64_t> guessed_items;
  items(example, truth, true_items);
  if (guess.known()) items(example, guess, guessed_items);
  std::sort(true_items.begin(), true_items.end());
  std::sort(guessed_items.begin(), guessed_items.end());
  sums[0] += static_cast<double>(sculpt::matched_items(guessed_items, true_items));
  sums[1] += static_cast<double>(guessed_items.size());
  sums[2] += static_cast<double>(true_items.size());
  sums[3] += guess.known() && true_items == guessed_items ? 1 : 0;
  sums[4] += 1;
}

void Trees::finish_metrics(std::span<const double> sums, std::span<double> values) const {
  const auto share = [](double part, double whole) {
    return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
  };
  values[0] = share(2 * sums[0], sums[1] + sums[2]);
  values[1] = share(sums[0], sums[1]);
  values[2] = share(sums[0], sums[2]);
  values[3] = share(sums[3], sums[4]);
}

void Trees::save(sculpt::StateWriter& writer) const {
  writer.integer(trees_state_version);
  symbols_.save(writer);
  terminals_.save(writer);
  writer.text(options_.root);
}

void Trees::restore_root(sculpt::StateReader& reader) {
  std::string root = reader.text();
  if (root.empty() || root.find_first_of(" \t()") != std::string::npos) reader.damaged();
  if (is_root_given_ && root != options_.root) {
    throw sculpt::parameter_error("root is " + options_.root + ", but the model was trained with " +
                                  root + "; remove it, or train again");
  }
  options_.root = std::move(root);
}

void Trees::restore(sculpt::StateReader& reader) {
  const std::int64_t version = reader.integer();
  if (version < 1 || version > trees_state_version) reader.damaged();
  symbols_.restore(reader);
  terminals_.restore(reader);
  if (version >= 2) restore_root(reader);
  has_learned_ = true;
}

}  // namespace grammar
