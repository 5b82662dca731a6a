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

PairWeights::PairWeights(const PairWeightOptions& options, const std::vector<Track>& tracks,
                         std::int64_t columns)
    : window_(options.window),
      is_affine_(options.is_affine),
      profile_columns_(columns),
      has_letter_columns_(columns > 0 &&
                          columns == static_cast<std::int64_t>(tracks.front().symbols.size())) {
  if (tracks.size() == 1 && (options.model == "anova2" || options.model == "tensor")) {
    throw sculpt::unsupported_error(
        "the model " + options.model +
        " combines tracks, but the dataset has only letters; set features.model to simple, which "
        "is the same without tracks, or name tracks in dataset.tracks");
  }
  const PairTable::Kind kind = options.model == "match" ? PairTable::Kind::equality
                               : options.is_symmetric   ? PairTable::Kind::unordered
                                                        : PairTable::Kind::ordered;
  for (std::vector<std::size_t>& table_tracks : tables_of(options.model, tracks.size())) {
    table_begin_.push_back(profiles_begin_);
    tables_.emplace_back(std::move(table_tracks), tracks, kind, options.max_weights);
    profiles_begin_ += tables_.back().size();
  }
  block_size_ = profiles_begin_ + (columns > 0 ? 1 : 0) + (has_letter_columns_ ? 1 : 0);
  const double weights = static_cast<double>(block_size_) * static_cast<double>(offsets());
  if (weights > options.max_weights) {
    throw too_many_weights(weights, options.max_weights, "all pairs and offsets");
  }
}

void PairWeights::score_row(const CodedPair& pair, std::int64_t i, std::span<const double> w,
                            std::span<double> scores) const {
  std::fill(scores.begin(), scores.end(), 0.0);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    for (std::int64_t o = 0; o < offsets(); ++o) {
      const std::int32_t code_a = pair.a.codes(t, i)[o];
      if (code_a == wildcard) continue;
      tables_[t].add_scores(code_a, pair.b.codes(t, o),
                            w.data() + o * block_size_ + table_begin_[t], scores);
    }
  }
  if (profile_columns_ == 0) return;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    each_profile_feature(pair, i, static_cast<std::int64_t>(j),
                         [&](std::int64_t weight, double value) {
                           scores[j] += w[static_cast<std::size_t>(weight)] * value;
                         });
  }
}

void PairWeights::groups(std::span<std::int32_t> group) const {
  std::int32_t number = 0;
  for (std::int64_t o = 0; o < offsets(); ++o) {
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      std::fill_n(group.begin() + static_cast<std::ptrdiff_t>(o * block_size_ + table_begin_[t]),
                  tables_[t].size(), number++);
    }
  }
}

void PairWeights::write_name(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (weight == gap_letter()) {
    out << "gap letter";
  } else if (weight == gap_opening()) {
    out << "gap opening";
  } else {
    write_name_in_block(weight % block_size_, out);
    const std::int64_t offset = weight / block_size_ - window_;
    if (offset != 0) out << (offset > 0 ? " at +" : " at ") << offset;
  }
}

void PairWeights::write_name_in_block(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (weight >= profiles_begin_) {
    out << (weight == profiles_begin_ ? "product of profiles" : "profiles at letters");
    return;
  }
  const auto next = std::upper_bound(table_begin_.begin(), table_begin_.end(), weight);
  const auto t = static_cast<std::size_t>(next - table_begin_.begin()) - 1;
  tables_[t].write_name(weight - table_begin_[t], out);
}

}  // namespace alignment
