#include "alignment_model.hpp"

#include <algorithm>

namespace alignment {

AlignmentModel::AlignmentModel(const sculpt::Parameters& given)
    : is_local_(given.choice("mode") == "local"),
      allows_any_order_(given.choice("gap_order") == "any"),
      options_{given.choice("model"), given.boolean("symmetric"), given.integer("window"),
               given.choice("gaps") == "affine",
               static_cast<double>(given.integer("max_weights"))} {}

void AlignmentModel::bind(const PairsFasta& dataset) {
  weights_ = PairWeights(options_, dataset.tracks(), dataset.profile_columns());
}

void AlignmentModel::check_lengths(std::int64_t example, const SequencePair& pair) {
  const bool positions_fit = std::max(pair.a.length(), pair.b.length()) <= Paths::max_letters;
  if (positions_fit && Paths::nodes(pair.a.length(), pair.b.length()) < Paths::max_nodes) return;
  throw sculpt::unsupported_error(
      "example " + std::to_string(example) + ": sequences of " + std::to_string(pair.a.length()) +
      " and " + std::to_string(pair.b.length()) +
      " letters are too long for tables of all their pairs; split them into shorter ones");
}

void AlignmentModel::code(const SequencePair& pair, CodedPair& out) const {
  out.a.assign(pair.a, weights_.tables(), weights_.window());
  out.b.assign(pair.b, weights_.tables(), weights_.window());
}

CodedPair AlignmentModel::coded(const SequencePair& pair) const {
  CodedPair result;
  code(pair, result);
  return result;
}

template <class Visit>
void AlignmentModel::each_feature(const CodedPair& pair, sculpt::Labels y, Visit visit) const {
  std::int32_t previous = no_move;
  const bool valid = visit_moves(
      y, pair.a.length(), pair.b.length(), [&](Move move, std::int64_t i, std::int64_t j) {
        each_feature(pair, Step{i + letters_in_a(move), j + letters_in_b(move), move, previous},
                     visit);
        previous = move;
      });
  if (!valid) throw not_an_alignment(pair.a.length(), pair.b.length());
}

template <class Visit>
void AlignmentModel::each_feature(const CodedPair& pair, const Step& step, Visit visit) const {
  if (step.is_pair()) {
    weights_.each_feature(pair, step.i - 1, step.j - 1, visit);
  } else if (step.is_gap()) {
    visit(weights_.gap_letter(), 1.0);
    if (step.opens_gap() && options_.is_affine) visit(weights_.gap_opening(), 1.0);
  }
}

void AlignmentModel::add(const CodedPair& pair, sculpt::Labels y, double factor,
                         sculpt::Sum& sum) const {
  each_feature(pair, y,
               [&](std::int64_t weight, double value) { sum.add(weight, factor * value); });
}

void AlignmentModel::add(const CodedPair& pair, const Step& step, double factor,
                         sculpt::Sum& sum) const {
  each_feature(pair, step,
               [&](std::int64_t weight, double value) { sum.add(weight, factor * value); });
}

double AlignmentModel::score(const CodedPair& pair, sculpt::Labels y,
                             std::span<const double> w) const {
  double score = 0;
  each_feature(pair, y, [&](std::int64_t weight, double value) {
    score += w[static_cast<std::size_t>(weight)] * value;
  });
  return score;
}

bool AlignmentModel::covers(const SequencePair& pair, sculpt::Labels y) const {
  std::int32_t previous = no_move;
  bool ordered = true;
  std::int64_t i = 0;
  std::int64_t j = 0;
  const bool valid = visit_moves(y, pair.a.length(), pair.b.length(),
                                 [&](Move move, std::int64_t from_i, std::int64_t from_j) {
                                   if (previous == b_only && move == a_only) ordered = false;
                                   previous = move;
                                   i = from_i + letters_in_a(move);
                                   j = from_j + letters_in_b(move);
                                 });
  if (!valid || (!ordered && !allows_any_order_)) return false;
  if (is_local_) return y.empty() || (y[2] == both && previous == both);
  const bool from_the_start = y.empty() || (y[0] == 0 && y[1] == 0);
  return from_the_start && i == pair.a.length() && j == pair.b.length();
}

const Paths& PairProgram::begin(const AlignmentModel& model, const SequencePair& pair,
                                std::span<const double> w) {
  const PairWeights& weights = model.weights_;
  model.code(pair, pair_);
  const auto letters_of_b = static_cast<std::size_t>(pair.b.length());
  scores_.resize(pair.a.text.size() * letters_of_b);
  for (std::int64_t i = 0; i < pair.a.length(); ++i) {
    weights.score_row(
        pair_, i, w,
        std::span(scores_).subspan(static_cast<std::size_t>(i) * letters_of_b, letters_of_b));
  }
  const double opening =
      model.options_.is_affine ? w[static_cast<std::size_t>(weights.gap_opening())] : 0;
  return paths_.emplace(
      Paths::Settings{pair.a.length(), pair.b.length(), model.is_local_, model.allows_any_order_},
      PairScore(scores_, pair.b.length()), w[static_cast<std::size_t>(weights.gap_letter())],
      opening);
}

}  // namespace alignment
