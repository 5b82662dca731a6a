#include "pair_table.hpp"

namespace alignment {
namespace {

std::string names_of(const std::vector<Track>& tracks) {
  std::string text;
  for (const Track& track : tracks) text += (text.empty() ? "" : ", ") + track.name;
  return text;
}

}  // namespace

sculpt::Error too_many_weights(double weights, double max_weights, const std::string& of) {
  constexpr double exact = 1e15;
  const std::string number = weights < exact ? std::to_string(static_cast<std::int64_t>(weights))
                                             : std::string("more than 10^15");
  return sculpt::unsupported_error(
      "has " + number + " weights of " + of + ", and `max_weights` allows " +
      std::to_string(static_cast<std::int64_t>(max_weights)) +
      "; take a smaller model or window, leave tracks out, or raise it");
}

PairTable::PairTable(std::vector<std::size_t> tracks, const std::vector<Track>& all, Kind kind,
                     double max_weights)
    : tracks_(std::move(tracks)), kind_(kind) {
  double codes = 1;  // may exceed an integer
  for (const std::size_t track : tracks_) {
    of_track_.push_back(all[track]);
    codes *= static_cast<double>(all[track].symbols.size());
  }
  const double weights = kind == Kind::equality  ? 2
                         : kind == Kind::ordered ? codes * codes
                                                 : codes * (codes + 1) / 2;
  if (weights > max_weights) throw too_many_weights(weights, max_weights, names_of(of_track_));
  size_ = static_cast<std::int64_t>(weights);
  if (kind == Kind::equality) return;
  const auto count = static_cast<std::int64_t>(codes);
  for (std::int64_t p = 0; p < count; ++p) {
    row_.push_back(p * count - (kind == Kind::unordered ? p * (p + 1) / 2 : 0));
  }
}

std::int32_t PairTable::code(const Sequence& sequence, std::size_t position) const {
  std::int32_t result = 0;
  for (std::size_t k = 0; k < tracks_.size(); ++k) {
    const std::int32_t symbol = sequence.symbols[tracks_[k]][position];
    if (symbol == wildcard) return wildcard;
    result = result * static_cast<std::int32_t>(of_track_[k].symbols.size()) + symbol;
  }
  return result;
}

std::string PairTable::symbol(std::int64_t code) const {
  std::string text;
  for (std::size_t k = of_track_.size(); k-- > 0;) {
    const std::string& symbols = of_track_[k].symbols;
    const auto size = static_cast<std::int64_t>(symbols.size());
    if (!text.empty()) text.insert(text.begin(), '/');
    text.insert(text.begin(), symbols[static_cast<std::size_t>(code % size)]);
    code /= size;
  }
  return text;
}

void PairTable::name(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (kind_ == Kind::equality) {
    out << (weight == 0 ? "equal " : "different ") << names_of(of_track_);
    return;
  }
  const bool of_letters = tracks_ == std::vector<std::size_t>{0};
  if (!of_letters) out << names_of(of_track_) << ": ";
  // Finds the last row that begins at or before the weight.
  std::size_t p = 0;
  std::size_t behind = row_.size();
  while (behind - p > 1) {
    const std::size_t middle = p + (behind - p) / 2;
    const auto first = static_cast<std::int64_t>(kind_ == Kind::unordered ? middle : 0);
    (row_[middle] + first <= weight ? p : behind) = middle;
  }
  out << symbol(static_cast<std::int64_t>(p)) << (kind_ == Kind::unordered ? " with " : " over ")
      << symbol(weight - row_[p]);
}

}  // namespace alignment
