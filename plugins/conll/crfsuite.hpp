// crfsuite.hpp - the dataset of CRFsuite's files: a row has a label and the attributes of a token.
//
// A token is a site, a sequence is an example. Attributes are input features with the values of the
// file. Labels and attributes are learned from the split "train" and saved in the model. Source:
// the manual of CRFsuite, Okazaki, 2007. Listed in conll.cpp.
#pragma once

#include "counted_texts.hpp"
#include "crfsuite_reader.hpp"
#include "token_sequences.hpp"

class CrfSuite : public TokenSequences {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.crfsuite", "1.0.0",
      "rows `label attribute[:value] ...` with tabs, blank lines between sequences, as CRFsuite "
      "reads them",
      "CRFsuite, Okazaki 2007"};
  static constexpr sculpt_parameter parameters[] = {cutoff_parameter(), sculpt::unseen_labels()};
  using drafts = sculpt::Drafts<sculpt::PartsEndWithBlankLines, sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "crfsuite_three_sequences",
    "dataset": {"use": "crfsuite", "train": {"text":
      "B-NP\tw=the\tsize:3\nI-NP\tw=cat\tsize:3\nB-VP\tw=eats\tsize:4\n\nB-NP\tw=it\nB-VP\tw=eats\tend:0.5\n\nB-NP\tw=cats\nO\tw=\\:\n"},
                "test": {"text": "B-NP\tw=the\nI-NP\tw=dog\tsize:3\nB-VP\tw=eats\tend\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})",
                                                R"({
    "name": "crfsuite_weights",
    "dataset": {"use": "crfsuite",
                "train": {"text": "@weight:2\nA\tx\ty:-1\tx\nB\n\nB\ty\n\n@weight:0.5\nA\tx\n"},
                "test": {"text": "\tx\n\ty\tz\n\n\ty\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "crf", "C": 1}})"};

  CrfSuite(const sculpt::Parameters& given, sculpt::Host host)
      : TokenSequences(given, host, {"\t", "leave the first field of all rows empty"}) {}

  void load(std::string_view split, const sculpt::Source& source);
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }
  double example_weight(std::int64_t example) const;
  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    TokenSequences::cached(cache);
    cache(weights_, first_weight_);
  }

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  static constexpr std::int64_t state_version = 1;

  struct Entry {
    std::int32_t attribute;
    double value;
  };

  void learn_label_of(CrfsuiteReader& reader);
  void add_token(const CrfsuiteReader& reader, CountedTexts* learned, AttributeCounts& counts);
  void add_entries(const CrfsuiteReader& reader);
  void keep_frequent(const CountedTexts& learned, const std::string& path);

  std::vector<double> weights_;  // [examples of train], or empty
  std::int64_t first_weight_ = 0;
  std::vector<Entry> entries_;  // scratch: the attributes of a token
};
