#include "homolog_features.hpp"

namespace alignment {

const CandidatePaths& HomologFeatures::Session::program(std::int64_t example,
                                                        std::span<const double> w) {
  const AlignmentModel& model = owner_.model_;
  const std::span<const SequencePair> candidates = owner_.dataset_->candidates(example);
  while (programs_.size() < candidates.size()) programs_.emplace_back();
  paths_.begin();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    paths_.add(programs_[k].begin(model, candidates[k], w));
  }
  paths_.set_truth(candidates.size(), 0);
  if (truth_.known()) {
    const PairsFasta::Chosen chosen = owner_.dataset_->chosen(example, truth_);
    paths_.set_truth(chosen.candidate,
                     model.score(programs_[chosen.candidate].pair(), chosen.alignment, w));
  }
  return paths_;
}

void HomologFeatures::Session::output(std::int64_t,
                                      const sculpt::program::Derivation<CandidatePaths>& derivation,
                                      std::vector<std::int32_t>& y) const {
  const Edge& first = derivation.front();
  y.assign(1, static_cast<std::int32_t>(first.candidate));
  if (first.kind == Edge::Kind::truth) {
    y.assign(truth_.begin(), truth_.end());
  } else {
    append_output(std::span<const Edge>(derivation).subspan(1), y);
  }
}

void HomologFeatures::Session::add(std::int64_t example, const Edge& edge, double factor,
                                   sculpt::Sum& sum) const {
  if (edge.kind == Edge::Kind::choice) return;
  const CodedPair& pair = programs_[edge.candidate].pair();
  if (edge.kind == Edge::Kind::truth) {
    owner_.model_.add(pair, owner_.dataset_->chosen(example, truth_).alignment, factor, sum);
  } else {
    owner_.model_.add(pair, Paths::step(edge), factor, sum);
  }
}

}  // namespace alignment
