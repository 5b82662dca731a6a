// homolog_features.hpp - the features `homolog`: which of several sequences is the homolog of the
// first one, by the best alignment with each. Contains their dynamic program, for ProgramOracle.
//
// Sources: Joachims, ICML 2003 workshop; Tsochantaridis et al., ICML 2004, section 5.3. Called by
// the host (alignment.cpp).
#pragma once

#include <array>
#include <deque>
#include <sculpt/program/oracle.hpp>

#include "candidate_paths.hpp"

namespace alignment {

// psi(x, (candidate, alignment)) = psi of this alignment, as in the features `alignment`.
class HomologFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.homolog", "1.1.0",
      "psi of the alignment with one of several sequences; learned against decoys",
      "Joachims, ICML 2003 workshop on learning for structured data; Tsochantaridis et al., ICML "
      "2004, section 5.3"};
  static constexpr const auto& parameters = AlignmentModel::parameters;
  static constexpr const char* experiments[] = {R"({
    "name": "homolog_against_decoys",
    "dataset": {"use": "pairs_fasta", "decoys": true, "train": {"text":
      ">a\nAC-G\n>b\nACCG\n>c\nGA\n>d\nCC\n\n>a\nGA-\n>b\n-AT\n>c\nT\n"}},
    "features": {"use": "homolog", "model": "match"}, "loss": "decoy", "oracle": "homolog",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "homolog_local",
    "dataset": {"use": "pairs_fasta", "decoys": true, "trim_ends": true, "train": {"text":
      ">a\nAC-\n>b\nACC\n>c\nGA\n\n>a\nA-\n>b\n-G\n>c\nG\n"}},
    "features": {"use": "homolog", "mode": "local"}, "loss": "zero_one", "oracle": "homolog",
    "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})",
                                                (R"({
    "name": "homolog_generative",
    "dataset": {"use": "pairs_fasta", "decoys": true, "tracks": ["structure"], "train": {"text":
      ">a\nAC-\n=structure HE\n>b\nACC\n=structure HEE\n)"
                                                 R"(>c\nGA\n=structure EE\n"}},
    "features": {"use": "homolog", "gaps": "linear"}, "loss": "decoy", "oracle": "homolog",
    "solver": {"use": "generative", "ungrouped": -2}})")};
  static constexpr const char* counts[] = {"errors", "decoys"};

  explicit HomologFeatures(const sculpt::Parameters& given) : model_(given) {}
  // Every output but the truth aligns a decoy. That is an error, but the number of errors is not
  // defined.
  void check_counts(std::span<const sculpt_count> counts) const {
    for (const sculpt_count& count : counts) {
      if (std::string_view(count.name) != "errors" || count.limit == 1) continue;
      throw sculpt::unsupported_error(
          "cannot count errors, only whether the homolog was found; use the loss decoy");
    }
  }

  // Throws unless the dataset is pairs_fasta with decoys.
  void bind(const sculpt::Bindings& bindings) {
    dataset_ =
        sculpt::same_library<PairsFasta>(bindings.dataset, sculpt::Dataset<PairsFasta>::component);
    if (dataset_ == nullptr || !dataset_->has_decoys()) {
      throw sculpt::unsupported_error(
          "chooses among the decoys of pairs_fasta; set dataset.use to it and dataset.decoys to "
          "true");
    }
    for (std::int64_t example = 0; example < dataset_->count(); ++example) {
      for (const SequencePair& pair : dataset_->candidates(example)) {
        AlignmentModel::check_lengths(example, pair);
      }
    }
    model_.bind(*dataset_);
  }
  std::int64_t dimension() const { return model_.weights().dimension(); }
  // The number of a candidate, then the alignment with it.
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const std::span<const SequencePair> candidates = dataset_->candidates(example);
    auto shape = sculpt::OutputShape::of_size(1, static_cast<std::int32_t>(candidates.size()));
    for (const SequencePair& pair : candidates) {
      const sculpt::OutputShape alignment = shape_of_alignments(pair.a.length(), pair.b.length());
      shape.max_size = std::max(shape.max_size, 1 + alignment.max_size);
      shape.state_count = std::max(shape.state_count, alignment.state_count);
    }
    return shape;
  }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const PairsFasta::Chosen chosen = dataset_->chosen(example, y);
    model_.add(model_.coded(chosen.pair), chosen.alignment, 1, sum);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    model_.weights().write_name(weight, out);
  }
  void weight_groups(std::span<std::int32_t> group) const { model_.weights().groups(group); }

  // The task of ProgramOracle (sculpt/program/oracle.hpp) on one thread.
  class Session {
   public:
    using Edge = CandidatePaths::Edge;
    explicit Session(const HomologFeatures& owner) : owner_(owner) {}

    void restrict_to(sculpt::Labels truth) { truth_ = truth; }
    const CandidatePaths& program(std::int64_t example, std::span<const double> w);
    // The truth is always an output: its candidate has no other alignment in the program.
    bool covers(std::int64_t, sculpt::Labels) const { return true; }
    void output(std::int64_t example, const sculpt::program::Derivation<CandidatePaths>& derivation,
                std::vector<std::int32_t>& y) const;
    void add(std::int64_t example, const Edge& edge, double factor, sculpt::Sum& sum) const;

    void begin_counts(std::int64_t example, sculpt::Labels truth, std::span<const sculpt_count>) {
      homolog_ = owner_.dataset_->chosen(example, truth).candidate;
    }
    sculpt::program::Counts counts(const Edge& edge) const {
      return {edge.kind == Edge::Kind::choice && edge.candidate != homolog_ ? 1 : 0, 0};
    }

   private:
    const HomologFeatures& owner_;
    sculpt::Labels truth_;
    std::deque<PairProgram> programs_;  // a deque, because they must not move
    CandidatePaths paths_;
    std::size_t homolog_ = 0;
  };

 private:
  AlignmentModel model_;
  const PairsFasta* dataset_ = nullptr;
};

}  // namespace alignment
