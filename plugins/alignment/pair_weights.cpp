#include "pair_weights.hpp"

#include <algorithm>

namespace alignment {
namespace {

// Returns the tracks of each table. Requires a known model.
std::vector<std::vector<std::size_t>> tables_of(std::string_view model, std::size_t tracks) {
  std::vector<std::vector<std::size_t>> tables;
  if (model == "tensor") {
    tables.emplace_back(tracks);
    std::iota(tables.back().begin(), tables.back().end(), std::size_t{0});
    return tables;
  }
  for (std::size_t track = 0; track < tracks; ++track) tables.push_back({track});
  if (model != "anova2") return tables;
  for (std::size_t first = 0; first < tracks; ++first) {
    for (std::size_t second = first + 1; second < tracks; ++second) {
      tables.push_back({first, second});
    }
  }
  return tables;
}

}  // namespace

PairWeights::PairWeights(const PairShape& shape, const std::vector<Track>& tracks,
                         std::int64_t columns)
    : window_(shape.window),
      affine_(shape.affine),
      columns_(columns),
      at_letters_(columns > 0 &&
                  columns == static_cast<std::int64_t>(tracks.front().symbols.size())) {
  if (tracks.size() == 1 && (shape.model == "anova2" || shape.model == "tensor")) {
    throw sculpt::unsupported_error(
        "the model " + shape.model +
        " takes tracks together, and the dataset has none beside the letters, where it would be "
        "the model simple; set features.model to it, or name tracks in dataset.tracks");
  }
  const PairTable::Kind kind = shape.model == "match" ? PairTable::Kind::equality
                               : shape.symmetric      ? PairTable::Kind::unordered
                                                      : PairTable::Kind::ordered;
  for (std::vector<std::size_t>& together : tables_of(shape.model, tracks.size())) {
    first_.push_back(profiles_);
    tables_.emplace_back(std::move(together), tracks, kind, shape.max_weights);
    profiles_ += tables_.back().size();
  }
  block_ = profiles_ + (columns > 0 ? 1 : 0) + (at_letters_ ? 1 : 0);
  const double weights = static_cast<double>(block_) * static_cast<double>(offsets());
  if (weights > shape.max_weights) {
    throw too_many_weights(weights, shape.max_weights, "all pairs and offsets");
  }
}

void PairWeights::score_row(const CodedPair& pair, std::int64_t i, std::span<const double> w,
                            std::span<double> scores) const {
  std::fill(scores.begin(), scores.end(), 0.0);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    for (std::int64_t o = 0; o < offsets(); ++o) {
      const std::int32_t of_a = pair.a.codes(t, i)[o];
      if (of_a == wildcard) continue;
      tables_[t].add_scores(of_a, pair.b.codes(t, o), w.data() + o * block_ + first_[t], scores);
    }
  }
  if (columns_ == 0) return;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    each_of_profiles(pair, i, static_cast<std::int64_t>(j), [&](std::int64_t weight, double value) {
      scores[j] += w[static_cast<std::size_t>(weight)] * value;
    });
  }
}

void PairWeights::groups(std::span<std::int32_t> group) const {
  std::int32_t number = 0;
  for (std::int64_t o = 0; o < offsets(); ++o) {
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      std::fill_n(group.begin() + static_cast<std::ptrdiff_t>(o * block_ + first_[t]),
                  tables_[t].size(), number++);
    }
  }
}

void PairWeights::name(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (weight == gap_letter()) {
    out << "gap letter";
  } else if (weight == gap_opening()) {
    out << "gap opening";
  } else {
    name_in_block(weight % block_, out);
    const std::int64_t offset = weight / block_ - window_;
    if (offset != 0) out << (offset > 0 ? " at +" : " at ") << offset;
  }
}

void PairWeights::name_in_block(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (weight >= profiles_) {
    out << (weight == profiles_ ? "product of profiles" : "profiles at letters");
    return;
  }
  const auto behind = std::upper_bound(first_.begin(), first_.end(), weight);
  const auto t = static_cast<std::size_t>(behind - first_.begin()) - 1;
  tables_[t].name(weight - first_[t], out);
}

}  // namespace alignment
