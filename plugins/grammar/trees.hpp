// trees.hpp - the dataset of bracketed trees, in the format of treebanks.
//
// Symbols and terminals are learned from the split "train" and kept in the model. The features
// grammar (grammar_features.hpp) read the terminals of examples from it. Losses compare brackets.
// Called by the host (grammar.cpp) and by the features.
#pragma once

#include <map>
#include <sculpt/cpp/example_places.hpp>
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "example_lines.hpp"
#include "sentence.hpp"
#include "tree.hpp"

namespace grammar {

class Trees {
 public:
  static constexpr sculpt::About about{"org.sculpt.trees", "1.1.0",
                                       "bracketed trees: (S (NP (DT the) (NN cat)) ...)",
                                       "Marcus, Santorini and Marcinkiewicz 1993; metrics: evalb, "
                                       "Sekine and Collins 1997"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("terminals", R"("tags")", "tags|words",
                     "what is parsed: the tags right above the words, or the words themselves"),
      sculpt::text("root", "null",
                   "the symbol at the top of each tree; it is added to trees with another top, and "
                   "is no bracket; unset: that of all trees of the training data, such as TOP or "
                   "S1, else ROOT"),
      sculpt::choice("empty_lines", R"("auto")", "auto|sentence|skip",
                     "sentence: an empty line is a sentence without a parse, so lines keep their "
                     "places; skip: it is nothing; auto: sentence in files with one tree a line, "
                     "else skip"),
      sculpt::boolean("functional", "false", "keeps functional tags: NP-SBJ, NP=2"),
      sculpt::integer(
          "rare", "1", 0, 2147483647,
          "words that occur at most this many times in training are replaced by their class"),
      sculpt::list_of(sculpt::text("symbols", "null",
                                   "further symbols, which occur only in a grammar from a file"))};
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("bracket_f1",
                               "harmonic mean of bracket_precision and bracket_recall"),
      sculpt::higher_is_better("bracket_precision",
                               "share of the guessed brackets that their truths have"),
      sculpt::higher_is_better("bracket_recall",
                               "share of the true brackets that their guesses have"),
      sculpt::higher_is_better("complete_match",
                               "share of the sentences whose guess has exactly the true brackets")};
  static constexpr std::int64_t sum_count = 5;  // matched, predicted, true; complete, sentences
  static constexpr const char* experiments[] = {R"({
    "name": "trees_of_words",
    "dataset": {"use": "trees", "terminals": "words", "rare": 0, "train": {"text":
      "(S (NP (D the) (N cat)) (V sleeps))\n(S (NP (N cats)) (VP (V see) (NP (N cats))))\n"},
      "test": {"text": "(S (NP (D the) (N cats)) (V sleeps))\nthe cat sleeps\n"}},
    "features": "grammar", "loss": "zero_one", "oracle": "grammar",
    "solver": {"use": "n_slack", "C": 10}})"};

  Trees(const sculpt::Parameters& given, sculpt::Host host);

  void load(std::string_view split, const sculpt::Source& source);
  std::int64_t count() const { return static_cast<std::int64_t>(examples_.size()); }
  sculpt::Range split(std::string_view name) const;
  sculpt::Labels truth(std::int64_t example) const;
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return places_.of(example); }

  // Text is a tree in brackets. Text for parse() may lack the root.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  // The parts that losses compare: (symbol, start, end) of each node, except the root and nodes
  // directly above one word.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;
  // Returns the number of a part. n: the words of the sentence.
  static std::int64_t item(std::int64_t symbol, std::int64_t start, std::int64_t end,
                           std::int64_t n) {
    return (symbol * (n + 1) + start) * (n + 1) + end;
  }

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

  // For the features. Terminals are -1 if training has no such terminal.
  const std::vector<std::int32_t>& terminals(std::int64_t example) const {
    return at(example).terminals;
  }
  std::vector<Node> nodes(std::int64_t example, sculpt::Labels y) const;
  // True if a node directly above one terminal counts as a bracket.
  bool counts_preterminals() const { return options_.parses_tags; }
  std::int32_t symbol_count() const { return 1 + symbols_.size(); }  // learned symbols and the root
  std::int32_t terminal_count() const { return terminals_.size(); }
  std::int32_t find_symbol(std::string_view name) const;  // -1: no learned symbol
  std::int32_t find_terminal(std::string_view name) const { return terminals_.find(name); }
  const std::string& symbol_name(std::int32_t symbol) const;  // also for unseen symbols
  const std::string& terminal_name(std::int32_t terminal) const {
    return terminals_.name(terminal);
  }

 private:
  struct Example {
    std::vector<std::string> words;
    std::vector<std::string> tags;  // if tags are parsed
    std::vector<std::int32_t> terminals;
    bool is_labelled;
    std::vector<std::int32_t> y;
  };
  void restore_root(sculpt::StateReader& reader);
  const Example& at(std::int64_t example) const {
    return examples_[static_cast<std::size_t>(example)];
  }

  std::vector<Sentence> read(BracketReader& reader, const std::string& path, bool is_training);
  // Reads the trees and sentences of a file. Reports lines that are none.
  std::vector<BracketText> read_texts(BracketReader& reader, const std::string& path,
                                      bool is_training) const;
  void learn(const std::vector<Sentence>& sentences, const BracketReader& reader);
  std::int32_t terminal_of(const Sentence& sentence, std::size_t position) const;
  std::int32_t find_any_symbol(const std::string& name) const;  // -1: not in any data
  std::int32_t find_or_add_symbol(const std::string& name);
  std::int32_t all_symbols() const {
    return symbol_count() + static_cast<std::int32_t>(unseen_symbols_.size());
  }
  void append(const Sentence& sentence);

  const sculpt::Host host_;
  TreebankOptions options_;
  EmptyLines empty_lines_;
  bool is_root_given_;  // by the experiment
  std::int64_t rare_count_;
  std::vector<std::string> further_symbols_;
  bool has_learned_ = false;
  sculpt::NameList symbols_;  // number - 1: the root is 0
  sculpt::NameList terminals_;
  // Symbols of other data, numbered after the learned ones. They occur in truths, but in no rule.
  std::vector<std::string> unseen_symbols_;
  std::unordered_map<std::string, std::int32_t> number_of_unseen_;  // index into unseen_symbols_
  std::vector<Example> examples_;
  sculpt::ExamplePlaces places_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
};

}  // namespace grammar
