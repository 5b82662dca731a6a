// alignment_model.hpp - psi of an alignment of two sequences, as the parameters define it, and the
// program that finds the best alignment.
//
// Used by alignment_features.hpp and homolog_features.hpp, which share these parameters.
#pragma once

#include <optional>
#include <sculpt/sculpt.hpp>

#include "gapped_paths.hpp"
#include "pair_weights.hpp"
#include "pairs_fasta.hpp"

namespace alignment {

// <w, psi> of an aligned pair of positions, from a table of all pairs.
class PairScore {
 public:
  // `table`, [letters of a][letters of b], must outlive this object.
  PairScore(const std::vector<double>& table, std::int64_t letters_of_b)
      : table_(table.data()), letters_of_b_(letters_of_b) {}
  double operator()(std::int64_t i, std::int64_t j) const { return table_[i * letters_of_b_ + j]; }

 private:
  const double* table_;
  std::int64_t letters_of_b_;
};

using Paths = GappedPaths<PairScore>;

class AlignmentModel {
 public:
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("mode", R"("global")", "global|local",
                     "global: all of both sequences; local: a part of each, from a pair to a pair, "
                     "or nothing"),
      sculpt::choice("gaps", R"("affine")", "linear|affine",
                     "linear: a weight for each letter aligned with a gap; affine: one more for "
                     "each gap"),
      sculpt::choice("model", R"("simple")", "match|simple|anova2|tensor",
                     "weights of aligned pairs; match: for equal symbols and for different ones; "
                     "simple: for each two symbols, of each track alone; anova2: as simple, and of "
                     "each two tracks together; tensor: of all tracks together"),
      sculpt::boolean("symmetric", "true", "A over R and R over A are the same pair"),
      sculpt::integer("window", "0", 0, 20,
                      "pairs of letters up to this far before and after an aligned pair count as "
                      "well, with separate weights for each offset",
                      "letters"),
      sculpt::choice("gap_order", R"("fixed")", "fixed|any",
                     "fixed: of adjacent gaps, those in b come first; any: all orders are "
                     "different outputs"),
      sculpt::integer("max_weights", "10000000", 1, 2147483645,
                      "refuses models with more weights of pairs than this", "weights")};

  explicit AlignmentModel(const sculpt::Parameters& given);
  // Throws unsupported_error if there would be too many weights.
  void bind(const PairsFasta& dataset);
  // Throws if the sequences are too long for tables of all pairs of letters.
  static void check_lengths(std::int64_t example, const SequencePair& pair);

  bool is_local() const { return is_local_; }
  const PairWeights& weights() const { return weights_; }

  // Writes the symbols of a pair to `out`, which may contain another pair. `pair` must outlive
  // `out`.
  void code(const SequencePair& pair, CodedPair& out) const;
  CodedPair coded(const SequencePair& pair) const;

  // Adds factor * psi of an alignment, or of one step of it, to the sum.
  void add(const CodedPair& pair, sculpt::Labels y, double factor, sculpt::Sum& sum) const;
  void add(const CodedPair& pair, const Step& step, double factor, sculpt::Sum& sum) const;
  // Returns <w, psi> of an alignment.
  double score(const CodedPair& pair, sculpt::Labels y, std::span<const double> w) const;
  // True if y is an output.
  bool covers(const SequencePair& pair, sculpt::Labels y) const;

 private:
  friend class PairProgram;
  // Calls visit(weight, value) for each feature of an alignment, or of one step of it.
  template <class Visit>
  void each_feature(const CodedPair& pair, sculpt::Labels y, Visit visit) const;
  template <class Visit>
  void each_feature(const CodedPair& pair, const Step& step, Visit visit) const;

  bool is_local_;
  bool allows_any_order_;
  PairWeightOptions options_;
  PairWeights weights_;
};

// The program of one pair of sequences, with the memory it uses.
class PairProgram {
 public:
  const Paths& begin(const AlignmentModel& model, const SequencePair& pair,
                     std::span<const double> w);
  const Paths& paths() const { return *paths_; }
  const CodedPair& pair() const { return pair_; }

 private:
  CodedPair pair_;
  std::vector<double> scores_;  // [letters of a][letters of b]
  std::optional<Paths> paths_;
};

// Appends the output of a derivation to y: where it begins and its moves, or nothing. The edges are
// in order from the goal on.
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
  y.push_back(static_cast<std::int32_t>(first.j - letters_in_b(first.move)));
  y.push_back(static_cast<std::int32_t>(first.i - letters_in_a(first.move)));
  std::reverse(y.begin() + static_cast<std::ptrdiff_t>(begin), y.end());
}

}  // namespace alignment
