// pairs_fasta.hpp - the dataset of pairs of sequences, with or without their alignment.
//
// path.hpp defines the outputs. Decoys are rows that the first row might be aligned with instead of
// the second. With decoys, an output begins with the number of the candidate: 0, 1, ... for the
// decoys, and the last number for the second row. So a tie never favours the second row. The
// letters are those of the alphabet, or learned from the split "train". The symbols of tracks are
// learned too. The model contains all of them. Called by the host (alignment.cpp).
#pragma once

#include <map>
#include <sculpt/cpp/example_places.hpp>
#include <sculpt/sculpt.hpp>

#include "pair_file.hpp"
#include "path.hpp"
#include "sequence.hpp"
#include "track_symbols.hpp"

namespace alignment {

class PairsFasta {
 public:
  static constexpr sculpt::About about{"org.sculpt.pairs_fasta", "1.2.0",
                                       "pairs of sequences as gapped rows; output: their alignment",
                                       "Pearson and Lipman, PNAS 85 (1988), for the file format"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("alphabet", R"("learned")", "protein|dna|learned",
                     "the letters that sequences may have; learned: those of the training data"),
      sculpt::boolean("trim_ends", "false",
                      "leaves the gaps before the first pair of letters and after the last out of "
                      "an alignment, as local alignments need it"),
      sculpt::boolean("decoys", "false",
                      "further rows of a block are decoys; an output begins with the number of the "
                      "row that it aligns with the first; for the features homolog"),
      sculpt::list_of(sculpt::text(
          "tracks", "[]",
          "names of the tracks of symbols beside the letters, such as secondary structure; after "
          "each row, in this order, come lines such as `=structure HHEC`, a symbol a letter")),
      sculpt::integer("profile", "0", 0, 10000,
                      "numbers that each letter of a row may have, in lines such as `@ 0.1 2`",
                      "numbers"),
      sculpt::choice("output", R"("line")", "line|fasta",
                     "what predict prints; line: both rows in one line; fasta: both rows with "
                     "their names, which can be read again")};
  static constexpr const char* experiments[] = {R"({
    "name": "pairs_fasta_two_pairs",
    "dataset": {"use": "pairs_fasta", "train": {"text":
      ">a\nAC-GTa\n>b\nACCG-a\n\n>a\nGA-\n>b\n-AT\n"}, "test": {"text": ">a\nACG\n>b\nTG\n"}},
    "features": "alignment", "loss": "q", "oracle": "alignment",
    "solver": {"use": "n_slack", "C": 10}})"};

  explicit PairsFasta(const sculpt::Parameters& given);

  // Adds a split. The first one must be "train" if letters or symbols are learned. Throws E_DATA.
  void load(std::string_view split, const sculpt::Source& source);
  std::int64_t count() const { return static_cast<std::int64_t>(examples_.size()); }
  sculpt::Range split(std::string_view name) const;
  sculpt::Labels truth(std::int64_t example) const;
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return places_.of(example); }

  // As in alignment_text.hpp, in one line. With decoys, the number of the row comes first. For the
  // split "predict" perhaps as the rows of a file, which parse() does not read.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  // The parts that losses compare: aligned pairs of letters, both of them scored.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

  // Returns the pairs of the first row with each of its candidates; without decoys, one pair.
  std::span<const SequencePair> candidates(std::int64_t example) const {
    const Example& stored = at(example);
    return std::span<const SequencePair>(pairs_).subspan(stored.first_pair, stored.candidates);
  }
  const SequencePair& pair(std::int64_t example) const { return candidates(example).back(); }
  // The pair that an output aligns, and its alignment.
  struct Chosen {
    std::size_t candidate;
    const SequencePair& pair;
    sculpt::Labels alignment;
  };
  Chosen chosen(std::int64_t example, sculpt::Labels y) const;
  // Returns the letters, then the other tracks. Sequence::symbols refers to them.
  std::vector<Track> tracks() const;
  std::int64_t profile_columns() const { return annotations_.profile; }
  bool has_decoys() const { return has_decoys_; }

 private:
  struct Example {
    std::size_t first_pair;  // in pairs_
    std::size_t candidates;
    bool is_labelled;
    std::vector<std::int32_t> truth;
  };
  // Throws E_INVALID if there is no such example.
  const Example& at(std::int64_t example) const;
  // Adds the letters and symbols of a block to those that are learned.
  void learn(const RowBlock& block);
  // Returns the sequence of a row, or the numbers of a track. Throws at an unknown letter or
  // symbol.
  Sequence numbered(const Row& row, const sculpt::LineReader& reader) const;
  std::vector<std::int32_t> numbered_track(std::size_t track, const PlacedText& symbols,
                                           const sculpt::LineReader& reader) const;

  Alphabet alphabet_;
  bool learns_letters_;
  bool trims_ends_;
  bool has_decoys_;
  bool prints_fasta_;
  std::int64_t first_predicted_ = -1;  // the first example of the split predict; -1: none
  Annotations annotations_;
  std::vector<TrackSymbols> track_symbols_;  // [tracks]
  bool has_learned_ = false;                 // letters and symbols are learned
  std::vector<SequencePair> pairs_;
  std::vector<Example> examples_;
  sculpt::ExamplePlaces places_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
};

}  // namespace alignment
