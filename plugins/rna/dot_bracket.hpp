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
#include "pair_table_reader.hpp"
#include "structure_record.hpp"

namespace rna {

class DotBracket {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.dot_bracket", "1.1.0",
      "RNA sequences and their secondary structures: dots and brackets, ct or bpseq",
      "the notation: Hofacker et al., Monatshefte fuer Chemie 125 (1994)"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("ambiguous", R"("refuse")", "refuse|single",
                     "letters that stand for several, such as N, R, Y; refuse: they are errors; "
                     "single: they are bases that pair with none"),
      sculpt::choice("format", R"("auto")", "auto|dot_bracket|ct|bpseq",
                     "of the files; auto: what their first lines look like; dot_bracket: `>name`, "
                     "letters, dots and brackets; ct and bpseq: one base a row with its partner"),
      sculpt::choice("pseudoknots", R"("refuse")", "refuse|remove",
                     "pairs that cross; refuse: they are errors; remove: they are left out, those "
                     "that begin later or have other brackets than ( and )"),
      sculpt::choice("output", R"("record")", "record|structure",
                     "what predict prints; record: the name, the sequence and the structure, which "
                     "can be read again; structure: only dots and brackets")};
  static constexpr const char* experiments[] = {R"({
    "name": "dot_bracket_three",
    "dataset": {"use": "dot_bracket", "ambiguous": "single",
                "train": {"text": ">one\nGGAACC\n((..))\n>two\nacnTuga\n(.....)\n>three\nGAAAC\n.....\n"}},
    "features": "rna", "loss": "zero_one", "oracle": "rna",
    "solver": {"use": "n_slack", "C": 10}})"};

  DotBracket(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        accepted_{given.choice("ambiguous") == "single", given.choice("pseudoknots") == "remove"},
        format_(given.choice("format")),
        prints_records_(given.choice("output") == "record") {}

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

  // Text is dots and brackets. For the split "predict" the name and the sequence come before, in
  // lines of their own. parse() reads both forms.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  // The parts that losses compare: pairs i < j of n bases, as i * n + j.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;

 private:
  struct Example {
    std::vector<Letter> letters;         // [bases]
    std::vector<std::int32_t> partners;  // [bases], or empty if unlabelled
    bool is_labelled = false;
    std::string header;  // of the split predict: the name and the sequence, with line ends
  };

  StructureFormat format_of_file(const std::vector<PlacedLine>& lines) const;
  // Adds the example of a record. `is_printed`: keeps its name and sequence.
  void append(const StructureRecord& record, bool is_printed);
  void report(const std::string& path, const LeftOut& left_out) const;
  const Example& at(std::int64_t example) const {
    return examples_[static_cast<std::size_t>(example)];
  }

  const sculpt::Host host_;
  const AcceptedRecords accepted_;
  const std::string format_;
  const bool prints_records_;
  std::vector<Example> examples_;
  sculpt::ExamplePlaces places_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
};

}  // namespace rna
