#include "pair_table.hpp"

namespace alignment {
namespace {

std::string names_of(const std::vector<Track>& tracks) {
  std::string text;
  for (const Track& track : tracks) text += (text.empty() ? "" : ", ") + track.name;
  return text;
}

}  // namespace

sculpt::Error too_many_weights(double weights, double max_weights, const std::string& what) {
  constexpr double exact = 1e15;
  const std::string number = weights < exact ? std::to_string(static_cast<std::int64_t>(weights))
                                             : std::string("more than 10^15");
  return sculpt::unsupported_error(
      "has " + number + " weights of " + what + ", but `max_weights` allows only " +
      std::to_string(static_cast<std::int64_t>(max_weights)) +
      "; use a smaller model or window, remove tracks, or raise `max_weights`");
}

PairTable::PairTable(std::vector<std::size_t> tracks, const std::vector<Track>& all_tracks,
                     Kind kind, double max_weights)
    : track_indices_(std::move(tracks)), kind_(kind) {
  double codes = 1;  // may exceed an integer
  for (const std::size_t track : track_indices_) {
    tracks_.push_back(all_tracks[track]);
    codes *= static_cast<double>(all_tracks[track].symbols.size());
  }
  const double weights = kind == Kind::equality  ? 2
                         : kind == Kind::ordered ? codes * codes
                                                 : codes * (codes + 1) / 2;
  if (weights > max_weights) throw too_many_weights(weights, max_weights, names_of(tracks_));
  size_ = static_cast<std::int64_t>(weights);
  if (kind == Kind::equality) return;
  const auto count = static_cast<std::int64_t>(codes);
  for (std::int64_t p = 0; p < count; ++p) {
    row_begin_.push_back(p * count - (kind == Kind::unordered ? p * (p + 1) / 2 : 0));
  }
}

std::int32_t PairTable::code(const Sequence& sequence, std::size_t position) const {
  std::int32_t result = 0;
  for (std::size_t k = 0; k < track_indices_.size(); ++k) {
    const std::int32_t symbol = sequence.symbols[track_indices_[k]][position];
    if (symbol == wildcard) return wildcard;
    result = result * static_cast<std::int32_t>(tracks_[k].symbols.size()) + symbol;
  }
  return result;
}

std::string PairTable::symbol(std::int64_t code) const {
  std::string text;
  for (std::size_t k = tracks_.size(); k-- > 0;) {
    const std::string& symbols = tracks_[k].symbols;
    const auto size = static_cast<std::int64_t>(symbols.size());
    if (!text.empty()) text.insert(text.begin(), '/');
    text.insert(text.begin(), symbols[static_cast<std::size_t>(code % size)]);
    code /= size;
  }
  return text;
}

void PairTable::write_name(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (kind_ == Kind::equality) {
    out << (weight == 0 ? "equal " : "different ") << names_of(tracks_);
    return;
  }
  const bool of_letters = track_indices_ == std::vector<std::size_t>{0};
  if (!of_letters) out << names_of(tracks_) << ": ";
  // Finds the last row that begins at or before the weight.
  std::size_t p = 0;
  std::size_t end = row_begin_.size();
  while (end - p > 1) {
    const std::size_t middle = p + (end - p) / 2;
    const auto first = static_cast<std::int64_t>(kind_ == Kind::unordered ? middle : 0);
    (row_begin_[middle] + first <= weight ? p : end) = middle;
  }
  out << symbol(static_cast<std::int64_t>(p)) << (kind_ == Kind::unordered ? " with " : " over ")
      << symbol(weight - row_begin_[p]);
}

}  // namespace alignment
