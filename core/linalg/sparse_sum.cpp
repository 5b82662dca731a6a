#include "linalg/sparse_sum.hpp"

#include <bit>
#include <utility>

namespace sculpt::core {
namespace {

// 2 MB of sums: larger ones would push w out of the cache.
constexpr std::int64_t max_dense_dimension = std::int64_t{1} << 18;

constexpr int word_shift = 6;  // a word has 2^6 = 64 bits

std::size_t words_for(std::size_t bits) {
  return (bits + 63) >> word_shift;
}

std::uint64_t bit(std::size_t number) {
  return std::uint64_t{1} << (number & 63);
}

// Calls function(number) for every set bit, in order, and clears the bits.
template <class Function>
void visit_and_clear(std::uint64_t& word, std::size_t first, const Function& function) {
  for (std::uint64_t rest = std::exchange(word, 0); rest != 0; rest &= rest - 1) {
    function(first + static_cast<std::size_t>(std::countr_zero(rest)));
  }
}

// out = scale (x - y), by merging the increasing indices. Requires an empty `out`.
void subtract_sorted(const SparseVector& x, const SparseVector& y, double scale,
                     SparseVector& out) {
  const auto add = [&out, scale](std::int32_t index, double value) {
    if (value == 0) return;
    out.index.push_back(index);
    out.value.push_back(scale * value);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.index.size() || j < y.index.size()) {
    if (j == y.index.size() || (i < x.index.size() && x.index[i] < y.index[j])) {
      add(x.index[i], x.value[i]);
      ++i;
    } else if (i == x.index.size() || y.index[j] < x.index[i]) {
      add(y.index[j], -y.value[j]);
      ++j;
    } else {
      add(x.index[i], x.value[i] - y.value[j]);
      ++i;
      ++j;
    }
  }
}

}  // namespace

SparseSum::SparseSum(std::int64_t dimension) {
  if (dimension > max_dense_dimension) return;
  sum_.resize(static_cast<std::size_t>(dimension));
  touched_.resize(words_for(sum_.size()));
  touched_words_.resize(words_for(touched_.size()));
}

void SparseSum::add(std::int32_t index, double value) {
  const auto j = static_cast<std::size_t>(index);
  const std::size_t word = j >> word_shift;
  sum_[j] += value;
  touched_[word] |= bit(j);
  touched_words_[word >> word_shift] |= bit(word);
}

// Appends the sums, multiplied by `scale`, to `out`, and sets them to 0.
void SparseSum::append_and_clear(double scale, SparseVector& out) {
  for (std::size_t k = 0; k < touched_words_.size(); ++k) {
    visit_and_clear(touched_words_[k], k << word_shift, [&](std::size_t word) {
      visit_and_clear(touched_[word], word << word_shift, [&](std::size_t j) {
        const double value = std::exchange(sum_[j], 0.0);
        if (value == 0) return;
        out.index.push_back(static_cast<std::int32_t>(j));
        out.value.push_back(scale * value);
      });
    });
  }
}

void SparseSum::merge(std::span<const std::int32_t> index, const double* value, SparseVector& out) {
  if (!is_dense()) {
    entries_.resize(index.size());
    for (std::size_t k = 0; k < index.size(); ++k) entries_[k] = Entry{index[k], value[k]};
    return merge_entries(entries_, out);
  }
  out.index.clear();
  out.value.clear();
  for (std::size_t k = 0; k < index.size(); ++k) add(index[k], value[k]);
  append_and_clear(1, out);
}

void SparseSum::subtract(const SparseVector& x, const SparseVector& y, double scale,
                         SparseVector& out) {
  out.index.clear();
  out.value.clear();
  if (!is_dense()) return subtract_sorted(x, y, scale, out);
  for (std::size_t k = 0; k < x.index.size(); ++k) add(x.index[k], x.value[k]);
  for (std::size_t k = 0; k < y.index.size(); ++k) add(y.index[k], -y.value[k]);
  append_and_clear(scale, out);
}

}  // namespace sculpt::core
