#include "alignment_features.hpp"

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

AlignmentFeatures::AlignmentFeatures(const sculpt::Parameters& given)
    : local_(given.choice("mode") == "local"),
      affine_(given.choice("gaps") == "affine"),
      substitution_(given.choice("model") == "substitution"),
      symmetric_(given.boolean("symmetric")),
      any_order_(given.choice("gap_order") == "any"),
      window_(given.integer("window")) {}

void AlignmentFeatures::bind(const sculpt::Bindings& bindings) {
  dataset_ =
      sculpt::same_library<PairsFasta>(bindings.dataset, sculpt::Dataset<PairsFasta>::component);
  if (dataset_ == nullptr) {
    throw sculpt::unsupported_error("aligns the sequences of pairs_fasta; set dataset.use to it");
  }
  for (std::int64_t example = 0; example < dataset_->count(); ++example) {
    const SequencePair& pair = dataset_->pair(example);
    const double nodes = Session::Paths::nodes(pair.a.length(), pair.b.length());
    if (nodes < Session::Paths::most_nodes) continue;
    throw sculpt::unsupported_error(
        "example " + std::to_string(example) + ": sequences of " + std::to_string(pair.a.length()) +
        " and " + std::to_string(pair.b.length()) +
        " letters are too long for tables of all their pairs; cut them into shorter ones");
  }
  weights_ = PairWeights(dataset_->alphabet(), substitution_, symmetric_, window_, affine_);
}

void AlignmentFeatures::check_counts(std::span<const sculpt_count> counts) const {
  for (const sculpt_count& one : counts) {
    if (std::string_view(one.name) != "errors" || one.limit == 1) continue;
    throw sculpt::unsupported_error(
        "knows of an alignment whether it has errors, but not how many; take the loss zero_one, or "
        "q, f1, missed or difference, which count pairs");
  }
}

void AlignmentFeatures::add_pair(const SequencePair& pair, std::int64_t i, std::int64_t j,
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

void AlignmentFeatures::add_gap(bool opens, double factor, sculpt::Sum& sum) const {
  sum.add(weights_.gap_letter(), factor);
  if (opens && affine_) sum.add(weights_.gap_opening(), factor);
}

void AlignmentFeatures::features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
  const SequencePair& pair = dataset_->pair(example);
  std::int32_t before = no_move;
  const bool sound =
      walk(y, pair.a.length(), pair.b.length(), [&](Move move, std::int64_t i, std::int64_t j) {
        if (move == both) {
          add_pair(pair, i, j, 1, sum);
        } else {
          add_gap(move != before, 1, sum);
        }
        before = move;
      });
  if (!sound) throw no_alignment(pair.a.length(), pair.b.length());
}

const AlignmentFeatures::Session::Paths& AlignmentFeatures::Session::program(
    std::int64_t example, std::span<const double> w) {
  const SequencePair& pair = owner_.dataset_->pair(example);
  const PairWeights& weights = owner_.weights_;
  const std::int32_t wildcard = owner_.dataset_->alphabet().wildcard();
  pad_letters(pair.a, owner_.window_, wildcard, letters_a_);
  pad_letters(pair.b, owner_.window_, wildcard, letters_b_);
  weights.fill(w, table_);
  const double opening = owner_.affine_ ? w[static_cast<std::size_t>(weights.gap_opening())] : 0;
  return paths_.emplace(
      Paths::Shape{pair.a.length(), pair.b.length(), owner_.local_, owner_.any_order_},
      PairScore(weights, letters_a_, letters_b_, table_),
      w[static_cast<std::size_t>(weights.gap_letter())], opening);
}

bool AlignmentFeatures::Session::covers(std::int64_t example, sculpt::Labels y) const {
  const SequencePair& pair = owner_.dataset_->pair(example);
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
  if (!sound || (!ordered && !owner_.any_order_)) return false;
  if (owner_.local_) return y.empty() || (y[2] == both && before == both);
  const bool from_the_start = y.empty() || (y[0] == 0 && y[1] == 0);
  return from_the_start && i == pair.a.length() && j == pair.b.length();
}

void AlignmentFeatures::Session::output(std::int64_t,
                                        const sculpt::program::Derivation<Paths>& derivation,
                                        std::vector<std::int32_t>& y) const {
  y.clear();
  Step first{0, 0, no_move, no_move};
  // from the goal to the beginning
  for (const Paths::Edge& edge : derivation) {
    const Step step = Paths::step(edge);
    if (!step.is_pair() && !step.is_gap()) continue;
    y.push_back(step.move);
    first = step;
  }
  if (y.empty()) return;
  y.push_back(static_cast<std::int32_t>(first.j - in_b(first.move)));
  y.push_back(static_cast<std::int32_t>(first.i - in_a(first.move)));
  std::reverse(y.begin(), y.end());
}

void AlignmentFeatures::Session::add(std::int64_t example, const Paths::Edge& edge, double factor,
                                     sculpt::Sum& sum) const {
  const Step step = Paths::step(edge);
  if (step.is_pair()) {
    owner_.add_pair(owner_.dataset_->pair(example), step.i - 1, step.j - 1, factor, sum);
  } else if (step.is_gap()) {
    owner_.add_gap(step.opens(), factor, sum);
  }
}

}  // namespace alignment
