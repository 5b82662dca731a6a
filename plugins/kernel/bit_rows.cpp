#include "bit_rows.hpp"

#include <algorithm>

namespace kernel {

namespace {

constexpr std::size_t word_bits = 64;
// Rows whose counts stay in the first-level cache.
constexpr std::size_t rows_at_once = 512;

std::size_t words_for(std::int64_t feature_count) {
  return (static_cast<std::size_t>(feature_count) + word_bits - 1) / word_bits;
}

// count[k] += the number of bits of `word` in column[k].
[[gnu::always_inline]] inline void add_bits(std::uint64_t word, const std::uint64_t* column,
                                            std::size_t size, std::int64_t* __restrict count) {
  for (std::size_t k = 0; k < size; ++k) count[k] += __builtin_popcountll(word & column[k]);
}

using AddBits = void (*)(std::uint64_t, const std::uint64_t*, std::size_t, std::int64_t*);

void add_bits_plainly(std::uint64_t word, const std::uint64_t* column, std::size_t size,
                      std::int64_t* count) {
  add_bits(word, column, size, count);
}

#if defined(__x86_64__)
[[gnu::target("popcnt")]] void add_bits_popcnt(std::uint64_t word, const std::uint64_t* column,
                                               std::size_t size, std::int64_t* count) {
  add_bits(word, column, size, count);
}
[[gnu::target("avx512f,avx512vl,avx512vpopcntdq,popcnt")]] void add_bits_wide(
    std::uint64_t word, const std::uint64_t* column, std::size_t size, std::int64_t* count) {
  add_bits(word, column, size, count);
}

AddBits fastest_add_bits() {
  __builtin_cpu_init();
  const bool is_wide =
      __builtin_cpu_supports("avx512vpopcntdq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  if (is_wide) return add_bits_wide;
  return __builtin_cpu_supports("popcnt") != 0 ? add_bits_popcnt : add_bits_plainly;
}
#else
AddBits fastest_add_bits() {
  return add_bits_plainly;
}
#endif

}  // namespace

bool is_binary(const SiteRow& row) {
  return std::all_of(row.value.begin(), row.value.end(),
                     [](double value) { return value == 1 || value == 0; });
}

BitRows::BitRows(std::span<const SiteRow> rows, std::int64_t feature_count)
    : rows_(rows.size()), words_(words_for(feature_count)), bits_(rows_ * words_, 0) {
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t k = 0; k < rows[r].size(); ++k) {
      if (rows[r].value[k] == 0) continue;
      const auto feature = static_cast<std::size_t>(rows[r].index[k]);
      bits_[feature / word_bits * rows_ + r] |= std::uint64_t{1} << feature % word_bits;
    }
  }
}

// A visit of a common feature takes about as long as a word.
bool BitRows::is_faster(std::span<const SiteRow> rows, std::int64_t feature_count) {
  if (rows.empty() || !std::all_of(rows.begin(), rows.end(), is_binary)) return false;
  double entries = 0;
  for (const SiteRow& row : rows) entries += static_cast<double>(row.size());
  const double mean = entries / static_cast<double>(rows.size());
  return static_cast<double>(words_for(feature_count)) * static_cast<double>(feature_count) <=
         mean * mean;
}

void BitRows::count_common(const SiteRow& atom, sculpt::Range range, double* out,
                           std::vector<std::uint64_t>& bits) const {
  static const AddBits add = fastest_add_bits();
  bits.assign(words_, 0);
  for (std::size_t k = 0; k < atom.size(); ++k) {
    const auto feature = static_cast<std::size_t>(atom.index[k]);
    if (atom.value[k] == 0 || feature / word_bits >= words_)
      continue;  // else the rows have 0 there
    bits[feature / word_bits] |= std::uint64_t{1} << feature % word_bits;
  }
  std::int64_t counts[rows_at_once];
  const auto end = static_cast<std::size_t>(range.end);
  for (auto begin = static_cast<std::size_t>(range.begin); begin < end; begin += rows_at_once) {
    const std::size_t size = std::min(rows_at_once, end - begin);
    std::fill_n(counts, size, std::int64_t{0});
    for (std::size_t w = 0; w < words_; ++w) {
      if (bits[w] != 0) add(bits[w], bits_.data() + w * rows_ + begin, size, counts);
    }
    for (std::size_t k = 0; k < size; ++k) *out++ = static_cast<double>(counts[k]);
  }
}

}  // namespace kernel
