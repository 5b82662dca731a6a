// token_sequences.hpp - sequences of tokens with a label each: what the datasets conll and crfsuite
// share.
//
// A token is a site, a sequence is an example. The base class keeps the examples and the labels,
// computes the metrics, and reads and prints labels. A dataset fills it in load():
//   begin_split(split, path);
//   add_value(attribute, value) ...; end_token(); add_label(label, ...);   for each token
//   end_sequence(is_labelled, line);
#pragma once

#include "label_set.hpp"

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/cpp/text_parts.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

#include <array>
#include <map>

// What a file has of the attributes of training. Reported once a file.
struct AttributeCounts {
  std::int64_t known = 0;         // attributes that occur in training
  std::int64_t unseen = 0;        // attributes that do not
  std::int64_t words = 0;         // tokens
  std::int64_t unseen_words = 0;  // those whose word does not occur, if the words are known
};

// The text that `sculpt predict` prints for a sequence. Guesses are inserted at `places`.
struct PredictedRows {
  std::string text;
  std::vector<std::size_t> places;  // one for each token, increasing offsets into `text`
};

class TokenSequences {
 public:
  static constexpr std::array metrics{
      sculpt::lower_is_better("token_error", "share of the tokens with a wrong label"),
      sculpt::higher_is_better("chunk_precision",
                               "share of the guessed chunks that are right, as conlleval counts"),
      sculpt::higher_is_better("chunk_recall",
                               "share of the true chunks that are found, as conlleval counts"),
      sculpt::higher_is_better("chunk_f1", "harmonic mean of chunk_precision and chunk_recall")};
  // wrong tokens, tokens, chunks: right, guessed, true
  static constexpr std::int64_t sum_count = 5;

  // What load() fills (sculpt/cpp/cached_arrays.hpp). Not the split "predict".
  template <class Cache>
  void cached(Cache& cache) {
    require_no_predicted_rows();
    std::vector<std::int64_t> examples;  // one for each unseen label
    std::vector<std::size_t> positions;
    std::vector<std::int32_t> numbers;
    for (const auto& [place, number] : unseen_labels_) {
      examples.push_back(place.first);
      positions.push_back(place.second);
      numbers.push_back(number);
    }
    cache(store_, labels_, examples, positions, numbers);
    if constexpr (Cache::reads) {
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        unseen_labels_[{examples[k], positions[k]}] = numbers[k];
      }
    }
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }

  std::int32_t state_count() const { return labels_.size(); }
  std::int64_t feature_count() const { return attributes_.size(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << labels_.text(state); }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const;

  // Writes the rows of the sequence with the labels inserted. For examples outside the split
  // "predict", it writes the labels in one line.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  // Parses labels in one line or, if there are line ends, the last field of each line. Tabs alone
  // separate the fields of a line that has one.
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  // A share without guessed or true chunks is 0, as in conlleval.
  void finish_metrics(std::span<const double> sums, std::span<double> values) const;

 protected:
  // How the fields of a row are separated, and how a user marks a file as unlabelled.
  struct Format {
    std::string separators;  // all that separate fields; a printed text has the first of them
    std::string to_unlabel;  // "remove the labels of all rows"
  };

  static constexpr sculpt_parameter cutoff_parameter() {
    constexpr double max_count = 2147483647;
    return sculpt::integer("cutoff", "1", 1, max_count,
                           "drops attributes that occur less often than this in the training data");
  }

  TokenSequences(const sculpt::Parameters& given, sculpt::Host host, Format format);
  ~TokenSequences() = default;

  // Throws if there is nothing learned before this split.
  void require_learned(std::string_view split) const;
  // Logs how many of the attributes `found` are kept, if `cutoff` may drop some.
  void report_learned(const std::string& path, std::int64_t found) const;

  // Learns the label of a token of train. Throws E_DATA for ? if unseen labels stand for none.
  void learn_label(std::string_view label, const sculpt::LineReader& reader, std::int64_t line,
                   std::size_t column);

  void begin_split(std::string_view split, const std::string& path);
  void add_value(std::int32_t attribute, double value) { store_.add(attribute, value); }
  void end_token() { store_.end_site(); }
  // Adds the label of the next token of a sequence. Throws E_DATA for an unseen label, unless those
  // count as wrong.
  void add_label(std::string_view label, const sculpt::LineReader& reader, std::int64_t line,
                 std::size_t column);
  // `line`: where the sequence begins.
  void end_sequence(bool is_labelled, std::int64_t line);
  // The same for a sequence of the split "predict".
  void end_predicted(bool is_labelled, std::int64_t line, PredictedRows rows);
  // Warns about attributes and labels of the split that training does not have. `counts_words`:
  // whether counts.unseen_words is known.
  void warn_of_unseen(const std::string& path, const AttributeCounts& counts,
                      bool counts_words) const;

  const sculpt::Host host_;
  const std::int64_t cutoff_;
  LabelSet labels_;
  Dictionary attributes_;  // Of the training data. One input feature each.
  sculpt::SiteStore store_;

 private:
  void require_no_predicted_rows() const;
  std::int32_t number_of_unseen(std::int64_t example, std::size_t position) const;
  char one_line_separator(sculpt::Labels y) const;
  std::int32_t parse_label(std::string_view text) const;

  const Format format_;
  const sculpt::UnseenLabels on_unseen_label_;
  std::vector<std::int32_t> truth_;  // of the sequence that is being filled
  std::map<std::pair<std::int64_t, std::size_t>, std::int32_t>
      unseen_labels_;                          // that count as wrong, by example and position
  std::int64_t unseen_in_split_ = 0;           // tokens with unseen labels in this split
  std::int64_t first_predicted_ = 0;           // first example of the split predict
  std::vector<PredictedRows> predicted_rows_;  // [examples of the split predict]
};
