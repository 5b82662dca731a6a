// alignment_model.hpp - psi of an alignment of two sequences, what the parameters make of it, and
// the program that finds the best one.
//
// Used by alignment_features.hpp and homolog_features.hpp, which have these parameters in common.
#pragma once

#include <optional>
#include <sculpt/sculpt.hpp>

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

using Paths = GappedPaths<PairScore>;

class AlignmentModel {
 public:
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

  explicit AlignmentModel(const sculpt::Parameters& given);
  void take_letters(const Alphabet& alphabet);
  // Refuses what tables of all pairs of letters have no room for.
  static void check_lengths(std::int64_t example, const SequencePair& pair);

  bool local() const { return local_; }
  const PairWeights& weights() const { return weights_; }

  // sum += factor * psi of an alignment, or of a step of it.
  void add(const SequencePair& pair, sculpt::Labels y, double factor, sculpt::Sum& sum) const;
  void add(const SequencePair& pair, const Step& step, double factor, sculpt::Sum& sum) const;
  // <w, psi> of an alignment.
  double score(const SequencePair& pair, sculpt::Labels y, std::span<const double> w) const;
  // Whether y is an output.
  bool covers(const SequencePair& pair, sculpt::Labels y) const;

 private:
  friend class PairProgram;
  void add_pair(const SequencePair& pair, std::int64_t i, std::int64_t j, double factor,
                sculpt::Sum& sum) const;
  void add_gap(bool opens, double factor, sculpt::Sum& sum) const;

  bool local_;
  bool affine_;
  bool substitution_;
  bool symmetric_;
  bool any_order_;
  std::int64_t window_;
  std::int32_t wildcard_ = 0;
  PairWeights weights_;
};

// The program of one pair of sequences, with the memory that it looks at. `table` is that of
// PairWeights::fill() and must live as long.
class PairProgram {
 public:
  const Paths& begin(const AlignmentModel& model, const SequencePair& pair,
                     std::span<const double> w, const std::vector<double>& table);
  const Paths& paths() const { return *paths_; }

 private:
  std::vector<std::uint8_t> letters_a_;  // with wildcards before and behind
  std::vector<std::uint8_t> letters_b_;
  std::optional<Paths> paths_;
};

// Appends the output of a derivation to y: where it begins and its moves, or nothing. Edges are
// those from the goal on.
template <class Edge>
void append_output(std::span<const Edge> edges, std::vector<std::int32_t>& y) {
  const std::size_t begin = y.size();
  Step first{0, 0, no_move, no_move};
  for (const Edge& edge : edges) {
    const Step step = Paths::step(edge);
    if (!step.is_pair() && !step.is_gap()) continue;
    y.push_back(step.move);
    first = step;
  }
  if (y.size() == begin) return;
  y.push_back(static_cast<std::int32_t>(first.j - in_b(first.move)));
  y.push_back(static_cast<std::int32_t>(first.i - in_a(first.move)));
  std::reverse(y.begin() + static_cast<std::ptrdiff_t>(begin), y.end());
}

}  // namespace alignment
