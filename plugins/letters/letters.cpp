// letters.cpp - the dataset "word fold position letter more inputs...": words of letter images.
//
// A letter is a site. An example is a word, or with `unit: letter` a single letter. The alphabet
// and the number of inputs are learned from the split "train" and saved in the model. The format is
// that of the OCR data of Kassel, 1995, as arranged by Taskar, Guestrin & Koller, NIPS 2003.
#include "fold_choice.hpp"
#include "letter_file.hpp"

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include <limits>
#include <set>

namespace {

class Letters {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.letters", "1.0.0",
      "rows `word fold position letter more inputs...`: words of letter images",
      "Kassel, PhD thesis, MIT 1995; Taskar, Guestrin and Koller, NIPS 2003"};
  static constexpr double max_fold = 9007199254740992;  // largest exact JSON integer
  static constexpr sculpt_parameter parameters[] = {
      sculpt::list_of(sculpt::integer("train_folds", "null", -max_fold, max_fold,
                                      "folds of the file under `train` that make the split train; "
                                      "without it all folds that are in no other list")),
      sculpt::list_of(sculpt::integer("validation_folds", "null", -max_fold, max_fold,
                                      "folds of the same file that make the split validation")),
      sculpt::list_of(sculpt::integer("test_folds", "null", -max_fold, max_fold,
                                      "folds of the same file that make the split test")),
      sculpt::choice("unit", R"("word")", "word|letter",
                     "what an example is: a word, or a single letter")};
  using drafts = sculpt::Drafts<sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "letters_two_folds",
    "dataset": {"use": "letters", "train_folds": [0], "test_folds": [1], "train": {"text":
      "1 0 0 a 1 100\n1 0 1 b 0 010\n2 0 0 b 1 110\n2 0 1 a 0 001\n3 1 0 b 1 010\n3 1 1 b 0 010\n4 0 0 a 1 011\n4 0 1 b 1 110\n4 0 2 a 0 001\n5 0 0 b 0 011\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};

  Letters(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host), folds_(given), by_letter_(given.choice("unit") == "letter") {}

  void load(std::string_view split, const sculpt::Source& source) {
    if (split != "train" && store_.has_split(split)) {
      throw sculpt::parameter_error("makes the split '" + std::string(split) +
                                    "' from the file under `train` already; set " +
                                    std::string(split) + "_folds or a file, not both");
    }
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    const LetterFile file = read_letter_file(reader);
    if (file.words.empty()) {
      throw sculpt::data_error(source.path() +
                               ":1:1: no words; write rows `word fold position letter more "
                               "inputs...`");
    }
    if (split == "train") {
      load_folds(file, reader, source);
    } else {
      append(split, file, std::vector<bool>(file.words.size(), true), reader);
    }
  }

  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return input_count_; }
  std::int32_t state_count() const { return static_cast<std::int32_t>(alphabet_.size()); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << letter(state); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "pixel " << feature;
  }

  // Text is the word: all letters, concatenated.
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    for (const std::int32_t state : y) out << letter(state);
  }
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    std::vector<std::int32_t> y;
    while (!text.empty()) {
      const std::string character(text.substr(0, sculpt::character_size(text)));
      const std::int32_t state = state_of(character);
      if (state < 0) {
        throw sculpt::data_error(sculpt::shown(character) +
                                 " is not in the alphabet of the training data, " +
                                 sculpt::shortened(alphabet_text()));
      }
      y.push_back(state);
      text.remove_prefix(character.size());
    }
    out.assign(y);
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    writer.integer(input_count_);
    writer.texts(alphabet_);
  }
  void restore(sculpt::StateReader& reader) {
    if (reader.integer() != state_version) reader.damaged();
    input_count_ = reader.integer();
    alphabet_ = reader.texts();
    const auto unsorted =
        std::adjacent_find(alphabet_.begin(), alphabet_.end(), std::greater_equal<std::string>());
    const bool plausible = input_count_ >= 0 && input_count_ <= max_inputs;
    if (!plausible || alphabet_.empty() || unsorted != alphabet_.end()) reader.damaged();
  }

 private:
  static constexpr std::int64_t state_version = 1;
  static constexpr std::int64_t max_inputs = std::numeric_limits<std::int32_t>::max();

  // Loads the file under `train`: all splits that the parameters make from it.
  void load_folds(const LetterFile& file, const sculpt::LineReader& reader,
                  const sculpt::Source& source) {
    std::size_t used = 0;
    for (std::size_t s = 0; s < FoldChoice::split_count; ++s) {
      if (!folds_.has_split(s)) continue;
      std::vector<bool> chosen(file.words.size());
      for (std::size_t w = 0; w < chosen.size(); ++w) {
        chosen[w] = folds_.contains(s, file.words[w].fold);
      }
      const auto words = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true));
      if (words == 0) throw no_words(FoldChoice::splits[s], file, reader);
      if (s == 0 && alphabet_.empty()) learn(file, chosen, reader);
      append(FoldChoice::splits[s], file, chosen, reader);
      used += words;
    }
    if (used < file.words.size()) {
      const std::size_t left_out = file.words.size() - used;
      host_.log(source.path() + ": left out " + std::to_string(left_out) +
                (left_out == 1 ? " word, because no parameter lists its fold"
                               : " words, because no parameter lists their folds"));
    }
  }

  static sculpt::Error no_words(const std::string& split, const LetterFile& file,
                                const sculpt::LineReader& reader) {
    std::set<std::int64_t> folds;
    for (const Word& word : file.words) folds.insert(word.fold);
    std::string list;
    for (const std::int64_t fold : folds) {
      list += (list.empty() ? "" : ", ") + std::to_string(fold);
    }
    return reader.error_at(1, 0,
                           "no word belongs to the split '" + split +
                               "'; list some of the folds of this file, " + list);
  }

  void learn(const LetterFile& file, const std::vector<bool>& chosen,
             const sculpt::LineReader& reader) {
    std::set<std::string> letters;
    for (std::size_t w = 0; w < chosen.size(); ++w) {
      const Word& word = file.words[w];
      if (!chosen[w]) continue;
      for (std::size_t t = word.begin; t < word.end; ++t) {
        if (is_labelled(word, file.letters[t])) letters.insert(file.letters[t].text);
      }
    }
    if (letters.empty()) {
      throw reader.error_at(1, 0,
                            "every word to train on has a letter `?`, so there is nothing to "
                            "learn; write the letters of some words");
    }
    alphabet_.assign(letters.begin(), letters.end());
    input_count_ = file.input_count;
  }

  // For training. A word with an unknown letter is unlabelled.
  bool is_labelled(const Word& word, const Letter& letter) const {
    return by_letter_ ? letter.text != "?" : word.is_labelled;
  }

  // Adds the chosen words as another split.
  void append(std::string_view split, const LetterFile& file, const std::vector<bool>& chosen,
              const sculpt::LineReader& reader) {
    if (alphabet_.empty()) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no letters before the split 'train' is loaded; load it first");
    }
    if (file.input_count != input_count_) {
      throw reader.error_at(file.letters.front().line, 0,
                            "has " + std::to_string(file.input_count) +
                                " inputs, but the training data has " +
                                std::to_string(input_count_) + "; give every row the same number");
    }
    store_.begin_split(split, reader.path());
    const bool keeps_known = split != "train";  // training needs whole words
    std::vector<std::int32_t> truth;
    for (std::size_t w = 0; w < file.words.size(); ++w) {
      if (!chosen[w]) continue;
      const Word& word = file.words[w];
      truth.clear();
      for (std::size_t t = word.begin; t < word.end; ++t) {
        const Letter& letter = file.letters[t];
        for (std::size_t j = t > 0 ? file.letters[t - 1].input_end : 0; j < letter.input_end; ++j) {
          store_.add(file.index[j], file.value[j]);
        }
        store_.end_site();
        const bool is_known = letter.text != "?";
        truth.push_back(is_known && (keeps_known || is_labelled(word, letter))
                            ? known_state(letter, reader)
                            : -1);
        if (!by_letter_ && t + 1 < word.end) continue;
        const bool has_truth =
            std::any_of(truth.begin(), truth.end(), [](std::int32_t state) { return state >= 0; });
        store_.end_example(has_truth ? sculpt::Labels(truth) : sculpt::Labels(),
                           by_letter_ ? letter.line : file.letters[word.begin].line);
        truth.clear();
      }
    }
  }

  // Returns the state of a letter. Throws E_DATA for a letter outside the alphabet.
  std::int32_t known_state(const Letter& letter, const sculpt::LineReader& reader) const {
    const std::int32_t state = state_of(letter.text);
    if (state >= 0) return state;
    throw reader.error_at(
        letter.line, letter.column,
        sculpt::shown(letter.text) + " is not in the alphabet of the training data, " +
            sculpt::shortened(alphabet_text()) + "; remove the word, or write ? to predict it");
  }

  // Returns -1 for a character outside the alphabet.
  std::int32_t state_of(const std::string& character) const {
    const auto found = std::lower_bound(alphabet_.begin(), alphabet_.end(), character);
    if (found == alphabet_.end() || *found != character) return -1;
    return static_cast<std::int32_t>(found - alphabet_.begin());
  }

  const std::string& letter(std::int32_t state) const {
    if (state < 0 || state >= state_count()) {
      throw sculpt::Error(SCULPT_E_INVALID, "there is no letter " + std::to_string(state));
    }
    return alphabet_[static_cast<std::size_t>(state)];
  }

  std::string alphabet_text() const {
    std::string text;
    for (const std::string& character : alphabet_) text += character;
    return text;
  }

  const sculpt::Host host_;
  const FoldChoice folds_;
  const bool by_letter_;
  sculpt::SiteStore store_;
  std::vector<std::string> alphabet_;  // [states], sorted
  std::int64_t input_count_ = 0;
};

}  // namespace

SCULPT_PLUGIN("letters", "1.0.0", "Apache-2.0", sculpt::Dataset<Letters>)
