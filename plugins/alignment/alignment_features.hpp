// alignment_features.hpp - the features `alignment`: one pair of sequences an example. Contains
// their dynamic program, for ProgramOracle.
//
//   psi(x, y) = counts of aligned pairs, letters in gaps [and gap openings]   (pair_weights.hpp)
//
// Sources: Tsochantaridis, Hofmann, Joachims and Altun, ICML 2004, section 4.3; Gotoh, J. Mol.
// Biol. 162 (1982). Called by the host (alignment.cpp).
#pragma once

#include <array>
#include <sculpt/program/oracle.hpp>

#include "alignment_model.hpp"
#include "step_counter.hpp"

namespace alignment {

// psi(x, y) counts the aligned pairs of letters and of track symbols, sums the scores of their
// profiles, and counts letters in gaps. With affine gaps it also counts gap openings.
class AlignmentFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.alignment", "1.1.0",
      "counts of aligned pairs of letters and of gaps, in global or local alignments",
      "Tsochantaridis et al., ICML 2004, section 4.3; Gotoh, J. Mol. Biol. 162 (1982)"};
  static constexpr const auto& parameters = AlignmentModel::parameters;
  static constexpr const char* experiments[] = {
      R"({
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
    "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})",
      (R"({
    "name": "alignment_anova2_and_profiles",
    "dataset": {"use": "pairs_fasta", "tracks": ["structure", "exposure"], "profile": 3,
      "train": {"text":
      ">a\nAC-G\n=structure HHE\n=exposure beb\n@ 1 0 0\n@ 0 .5 1\n@ 0 -1 2\n)"
       R"(>b\n-CGG\n=structure HEE\n=exposure b?e\n\n)"
       R"(>a\nGA\n=structure EH\n=exposure be\n>b\nA-\n=structure H\n=exposure e\n@ 2 0 .25\n"}},
    "features": {"use": "alignment", "model": "anova2", "window": 1}, "loss": "q",
    "oracle": "alignment", "solver": {"use": "n_slack", "C": 10}})"),
      (R"({
    "name": "alignment_tensor",
    "dataset": {"use": "pairs_fasta", "tracks": ["structure"], "train": {"text":
      ">a\nAC-G\n=structure HHE\n>b\n-CGG\n=structure HEE\n\n)"
       R"(>a\nGA\n=structure EH\n>b\nA-\n=structure H\n"}},
    "features": {"use": "alignment", "model": "tensor", "symmetric": false, "gaps": "linear"},
    "loss": "f1", "oracle": "alignment", "solver": {"use": "n_slack", "C": 10}})")};
  static constexpr const char* counts[] = {"errors", "matched", "predicted", "within_#"};

  explicit AlignmentFeatures(const sculpt::Parameters& given) : model_(given) {}
  // The number of errors is not defined for alignments. Only 0 or "at least 1" is.
  void check_counts(std::span<const sculpt_count> counts) const {
    for (const sculpt_count& count : counts) {
      if (std::string_view(count.name) != "errors" || count.limit == 1) continue;
      throw sculpt::unsupported_error(
          "cannot count the errors of an alignment, only whether there are any; use the loss "
          "zero_one, or q, f1, missed or difference, which count pairs");
    }
  }

  // Throws unless the dataset is pairs_fasta without decoys.
  void bind(const sculpt::Bindings& bindings) {
    dataset_ =
        sculpt::same_library<PairsFasta>(bindings.dataset, sculpt::Dataset<PairsFasta>::component);
    if (dataset_ == nullptr || dataset_->has_decoys()) {
      throw sculpt::unsupported_error(
          "aligns the sequences of pairs_fasta without decoys; set dataset.use to it and "
          "dataset.decoys to false, or use the features homolog");
    }
    for (std::int64_t example = 0; example < dataset_->count(); ++example) {
      AlignmentModel::check_lengths(example, dataset_->pair(example));
    }
    model_.bind(*dataset_);
  }
  std::int64_t dimension() const { return model_.weights().dimension(); }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const SequencePair& pair = dataset_->pair(example);
    return shape_of_alignments(pair.a.length(), pair.b.length());
  }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    model_.add(model_.coded(dataset_->pair(example)), y, 1, sum);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    model_.weights().write_name(weight, out);
  }
  void weight_groups(std::span<std::int32_t> group) const { model_.weights().groups(group); }

  // The task of ProgramOracle (sculpt/program/oracle.hpp) on one thread.
  class Session {
   public:
    explicit Session(const AlignmentFeatures& owner) : owner_(owner) {}

    const Paths& program(std::int64_t example, std::span<const double> w) {
      return program_.begin(owner_.model_, pair(example), w);
    }
    bool covers(std::int64_t example, sculpt::Labels y) const {
      return owner_.model_.covers(pair(example), y);
    }
    void output(std::int64_t, const sculpt::program::Derivation<Paths>& derivation,
                std::vector<std::int32_t>& y) const {
      y.clear();
      append_output(std::span<const Paths::Edge>(derivation), y);
    }
    void add(std::int64_t, const Paths::Edge& edge, double factor, sculpt::Sum& sum) const {
      owner_.model_.add(program_.pair(), Paths::step(edge), factor, sum);
    }

    void begin_counts(std::int64_t example, sculpt::Labels truth,
                      std::span<const sculpt_count> counts) {
      step_counter_.begin(pair(example), truth, owner_.model_.is_local(), counts);
    }
    sculpt::program::Counts counts(const Paths::Edge& edge) const {
      return step_counter_.counts(Paths::step(edge));
    }

   private:
    const SequencePair& pair(std::int64_t example) const { return owner_.dataset_->pair(example); }

    const AlignmentFeatures& owner_;
    PairProgram program_;
    StepCounter step_counter_;
  };

 private:
  AlignmentModel model_;
  const PairsFasta* dataset_ = nullptr;
};

}  // namespace alignment
