// alignment_features.hpp - psi of alignments, and their dynamic program for ProgramOracle.
#pragma once

#include <array>
#include <optional>
#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>

#include "counted_truth.hpp"
#include "gapped_paths.hpp"
#include "pair_weights.hpp"
#include "pairs_fasta.hpp"

namespace alignment {

// The score of two letters, from tables of one call.
class PairScore {
 public:
  // letters_a, letters_b: with the window's wildcards before and behind; table:
  // PairWeights::fill().
  PairScore(const PairWeights& weights, const std::vector<std::uint8_t>& letters_a,
            const std::vector<std::uint8_t>& letters_b, const std::vector<double>& table)
      : a_(letters_a.data()),
        b_(letters_b.data()),
        table_(table.data()),
        numbers_(weights.numbers()),
        cells_(weights.cells()),
        offsets_(static_cast<std::size_t>(weights.offsets())) {}
  double operator()(std::int64_t i, std::int64_t j) const {
    double score = 0;
    const double* table = table_;
    for (std::size_t o = 0; o < offsets_; ++o, table += cells_) {
      score += table[a_[static_cast<std::size_t>(i) + o] * numbers_ +
                     b_[static_cast<std::size_t>(j) + o]];
    }
    return score;
  }

 private:
  const std::uint8_t* a_;
  const std::uint8_t* b_;
  const double* table_;
  std::size_t numbers_;
  std::size_t cells_;
  std::size_t offsets_;
};

// psi(x, y): how often each pair of letters is aligned, how many letters face a gap and, where gaps
// are affine, how many gaps are opened.
class AlignmentFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.alignment", "1.0.0",
      "counts of aligned pairs of letters and of gaps, in global or local alignments",
      "Tsochantaridis et al., ICML 2004, section 4.3; Gotoh, J. Mol. Biol. 162 (1982)"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("mode", R"("global")", "global|local",
                     "global: all of both sequences; local: a part of each, from a pair to a pair, "
                     "or nothing"),
      sculpt::choice("gaps", R"("affine")", "linear|affine",
                     "linear: a weight for each letter that faces a gap; affine: one more for each "
                     "gap"),
      sculpt::choice("model", R"("substitution")", "simple|substitution",
                     "simple: a weight for equal letters and one for different ones; substitution: "
                     "one for each two letters"),
      sculpt::boolean("symmetric", "true",
                      "of substitution: A over R and R over A are the same pair"),
      sculpt::integer("window", "0", 0, 20,
                      "pairs of letters this far before and behind an aligned pair count as well, "
                      "with weights of their own for each offset",
                      "letters"),
      sculpt::choice("gap_order", R"("fixed")", "fixed|any",
                     "fixed: of adjacent gaps, those in b come first; any: all orders are "
                     "different outputs")};
  static constexpr const char* experiments[] = {R"({
    "name": "alignment_global",
    "dataset": {"use": "pairs_fasta", "train": {"text":
      ">a\nAC-GT\n>b\nACCG-\n\n>a\nGA-\n>b\n-AT\n\n>a\nTTCa\n>b\nT-Ga\n"}},
    "features": "alignment", "loss": "q", "oracle": "alignment",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "alignment_local",
    "dataset": {"use": "pairs_fasta", "trim_ends": true, "train": {"text":
      ">a\nAC-G\n>b\n-CGG\n\n>a\nGA\n>b\nAA\n\n>a\nA--\n>b\n-CG\n"}},
    "features": {"use": "alignment", "mode": "local", "window": 1, "gap_order": "any"},
    "loss": "f1", "oracle": "alignment",
    "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})"};
  static constexpr std::array<std::string_view, 4> counts{"errors", "matched", "predicted",
                                                          "within_#"};

  explicit AlignmentFeatures(const sculpt::Parameters& given);
  // How many errors there are depends on whom one asks; whether there is one does not.
  void check_counts(std::span<const sculpt_count> counts) const;

  void bind(const sculpt::Bindings& bindings);
  std::int64_t dimension() const { return weights_.dimension(); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const;
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    weights_.name(weight, out);
  }

  class Session {
   public:
    using Paths = GappedPaths<PairScore>;
    explicit Session(const AlignmentFeatures& owner) : owner_(owner) {}

    const Paths& program(std::int64_t example, std::span<const double> w);
    bool covers(std::int64_t example, sculpt::Labels y) const;
    void output(std::int64_t example, const sculpt::program::Derivation<Paths>& derivation,
                std::vector<std::int32_t>& y) const;
    void add(std::int64_t example, const Paths::Edge& edge, double factor, sculpt::Sum& sum) const;

    void begin_counts(std::int64_t example, sculpt::Labels truth,
                      std::span<const sculpt_count> counts) {
      truth_.begin(owner_.dataset_->pair(example), truth, owner_.local_, counts);
    }
    sculpt::program::Counts counts(const Paths::Edge& edge) const {
      return truth_.counts(Paths::step(edge));
    }

   private:
    const AlignmentFeatures& owner_;
    std::vector<std::uint8_t> letters_a_;  // of the program, padded
    std::vector<std::uint8_t> letters_b_;
    std::vector<double> table_;
    std::optional<Paths> paths_;
    CountedTruth truth_;
  };

 private:
  void add_pair(const SequencePair& pair, std::int64_t i, std::int64_t j, double factor,
                sculpt::Sum& sum) const;
  void add_gap(bool opens, double factor, sculpt::Sum& sum) const;

  bool local_;
  bool affine_;
  bool substitution_;
  bool symmetric_;
  bool any_order_;
  std::int64_t window_;
  const PairsFasta* dataset_ = nullptr;
  PairWeights weights_;
};

}  // namespace alignment
