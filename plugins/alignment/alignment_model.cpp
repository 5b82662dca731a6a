#include "alignment_model.hpp"

#include <numeric>

namespace alignment {
namespace {

// The letters with `pad` wildcards before and behind.
void pad_letters(const Sequence& sequence, std::int64_t pad, std::int32_t wildcard,
                 std::vector<std::uint8_t>& out) {
  out.assign(static_cast<std::size_t>(pad), static_cast<std::uint8_t>(wildcard));
  out.insert(out.end(), sequence.letters.begin(), sequence.letters.end());
  out.resize(out.size() + static_cast<std::size_t>(pad), static_cast<std::uint8_t>(wildcard));
}

}  // namespace

AlignmentModel::AlignmentModel(const sculpt::Parameters& given)
    : local_(given.choice("mode") == "local"),
      affine_(given.choice("gaps") == "affine"),
      substitution_(given.choice("model") == "substitution"),
      symmetric_(given.boolean("symmetric")),
      any_order_(given.choice("gap_order") == "any"),
      window_(given.integer("window")) {}

void AlignmentModel::take_letters(const Alphabet& alphabet) {
  wildcard_ = alphabet.wildcard();
  weights_ = PairWeights(alphabet, substitution_, symmetric_, window_, affine_);
}

void AlignmentModel::check_lengths(std::int64_t example, const SequencePair& pair) {
  if (Paths::nodes(pair.a.length(), pair.b.length()) < Paths::most_nodes) return;
  throw sculpt::unsupported_error(
      "example " + std::to_string(example) + ": sequences of " + std::to_string(pair.a.length()) +
      " and " + std::to_string(pair.b.length()) +
      " letters are too long for tables of all their pairs; cut them into shorter ones");
}

void AlignmentModel::add_pair(const SequencePair& pair, std::int64_t i, std::int64_t j,
                              double factor, sculpt::Sum& sum) const {
  for (std::int64_t offset = 0; offset < weights_.offsets(); ++offset) {
    const std::int64_t p = i + offset - window_;
    const std::int64_t q = j + offset - window_;
    if (p < 0 || q < 0 || p >= pair.a.length() || q >= pair.b.length()) continue;
    const std::size_t cell = weights_.cell(pair.a.letters[static_cast<std::size_t>(p)],
                                           pair.b.letters[static_cast<std::size_t>(q)]);
    const std::int64_t weight = weights_.weight(offset, cell);
    if (weight >= 0) sum.add(weight, factor);
  }
}

void AlignmentModel::add_gap(bool opens, double factor, sculpt::Sum& sum) const {
  sum.add(weights_.gap_letter(), factor);
  if (opens && affine_) sum.add(weights_.gap_opening(), factor);
}

void AlignmentModel::add(const SequencePair& pair, sculpt::Labels y, double factor,
                         sculpt::Sum& sum) const {
  std::int32_t before = no_move;
  const bool sound =
      walk(y, pair.a.length(), pair.b.length(), [&](Move move, std::int64_t i, std::int64_t j) {
        add(pair, Step{i + in_a(move), j + in_b(move), move, before}, factor, sum);
        before = move;
      });
  if (!sound) throw no_alignment(pair.a.length(), pair.b.length());
}

void AlignmentModel::add(const SequencePair& pair, const Step& step, double factor,
                         sculpt::Sum& sum) const {
  if (step.is_pair()) {
    add_pair(pair, step.i - 1, step.j - 1, factor, sum);
  } else if (step.is_gap()) {
    add_gap(step.opens(), factor, sum);
  }
}

double AlignmentModel::score(const SequencePair& pair, sculpt::Labels y,
                             std::span<const double> w) const {
  sculpt::DenseSum psi(weights_.dimension());
  sculpt::Sum sum = psi.sum();
  add(pair, y, 1, sum);
  return std::inner_product(w.begin(), w.end(), psi.values().begin(), 0.0);
}

bool AlignmentModel::covers(const SequencePair& pair, sculpt::Labels y) const {
  std::int32_t before = no_move;
  bool ordered = true;
  std::int64_t i = 0;
  std::int64_t j = 0;
  const bool sound = walk(y, pair.a.length(), pair.b.length(),
                          [&](Move move, std::int64_t from_i, std::int64_t from_j) {
                            if (before == b_only && move == a_only) ordered = false;
                            before = move;
                            i = from_i + in_a(move);
                            j = from_j + in_b(move);
                          });
  if (!sound || (!ordered && !any_order_)) return false;
  if (local_) return y.empty() || (y[2] == both && before == both);
  const bool from_the_start = y.empty() || (y[0] == 0 && y[1] == 0);
  return from_the_start && i == pair.a.length() && j == pair.b.length();
}

const Paths& PairProgram::begin(const AlignmentModel& model, const SequencePair& pair,
                                std::span<const double> w, const std::vector<double>& table) {
  const PairWeights& weights = model.weights_;
  pad_letters(pair.a, model.window_, model.wildcard_, letters_a_);
  pad_letters(pair.b, model.window_, model.wildcard_, letters_b_);
  const double opening = model.affine_ ? w[static_cast<std::size_t>(weights.gap_opening())] : 0;
  return paths_.emplace(
      Paths::Shape{pair.a.length(), pair.b.length(), model.local_, model.any_order_},
      PairScore(weights, letters_a_, letters_b_, table),
      w[static_cast<std::size_t>(weights.gap_letter())], opening);
}

}  // namespace alignment
