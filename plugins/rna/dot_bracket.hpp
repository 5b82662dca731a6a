// dot_bracket.hpp - the dataset of RNA sequences with their secondary structures.
//
// The features rna (rna_features.hpp) are bound to it and read its letters. Called by the host
// (rna.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <sculpt/cpp/example_places.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <string>
#include <vector>

#include "letters.hpp"

namespace rna {

class DotBracket {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.dot_bracket", "1.0.0",
      "RNA sequences and their secondary structures: `>name`, letters, dots and brackets",
      "the notation: Hofacker et al., Monatshefte fuer Chemie 125 (1994)"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("ambiguous", R"("refuse")", "refuse|single",
                     "letters that stand for several, such as N, R, Y; refuse: they are errors; "
                     "single: they are bases that pair with none")};
  static constexpr const char* experiments[] = {R"({
    "name": "dot_bracket_three",
    "dataset": {"use": "dot_bracket", "ambiguous": "single",
                "train": {"text": ">one\nGGAACC\n((..))\n>two\nacnTuga\n(.....)\n>three\nGAAAC\n.....\n"}},
    "features": "rna", "loss": "zero_one", "oracle": "rna",
    "solver": {"use": "n_slack", "C": 10}})"};

  explicit DotBracket(const sculpt::Parameters& given)
      : accepts_ambiguous_(given.choice("ambiguous") == "single") {}

  void load(std::string_view split, const sculpt::Source& source);
  std::int64_t count() const { return static_cast<std::int64_t>(examples_.size()); }
  sculpt::Range split(std::string_view name) const;
  sculpt::Labels truth(std::int64_t example) const {
    const Example& stored = at(example);
    return stored.is_labelled ? sculpt::Labels(stored.partners) : sculpt::Labels();
  }

  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return places_.of(example); }

  std::span<const Letter> letters(std::int64_t example) const { return at(example).letters; }

  // Text is dots and brackets, as in the file.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  // The parts that losses compare: pairs i < j of n bases, as i * n + j.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;

 private:
  struct Example {
    std::vector<Letter> letters;         // [bases]
    std::vector<std::int32_t> partners;  // [bases], or empty if unlabelled
    bool is_labelled = false;
  };
  struct Record;

  void read_line(sculpt::LineReader& reader, std::string_view line, std::size_t column,
                 Record& record) const;
  Letter read_letter(const sculpt::LineReader& reader, char c, std::size_t column) const;
  // Adds the example of a record. Throws if its letters or brackets are wrong.
  void finish_record(const sculpt::LineReader& reader, const Record& record);
  const Example& at(std::int64_t example) const {
    return examples_[static_cast<std::size_t>(example)];
  }

  bool accepts_ambiguous_;
  std::vector<Example> examples_;
  sculpt::ExamplePlaces places_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
};

}  // namespace rna
