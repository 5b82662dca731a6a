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

// True if entries are a sum already: the indices increase, and no value is 0.
bool is_merged(std::span<const std::int32_t> index, const double* value) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (value[k] == 0 || (k > 0 && index[k - 1] >= index[k])) return false;
  }
  return true;
}

// out = scale (x - y), by merging the increasing indices.
void subtract_sorted(const SparseVector& x, const SparseVector& y, double scale,
                     SparseVector& out) {
  out.index.clear();
  out.value.clear();
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

// Indices that follow each other mostly share a word of touched_, so it is written once for them.
void SparseSum::add(std::span<const std::int32_t> index, const double* value, double sign) {
  std::size_t word = 0;
  std::uint64_t bits = 0;
  const auto mark = [&] {
    touched_[word] |= bits;
    touched_words_[word >> word_shift] |= bit(word);
  };
  for (std::size_t k = 0; k < index.size(); ++k) {
    const auto j = static_cast<std::size_t>(index[k]);
    sum_[j] += sign * value[k];
    if (j >> word_shift != word) {
      if (bits != 0) mark();
      word = j >> word_shift;
      bits = 0;
    }
    bits |= bit(j);
  }
  if (bits != 0) mark();
}

// out = the sums of at most `most` entries, multiplied by `scale`. Sets them to 0. Each sum is
// written, and keeps its place only if it is not 0: a branch would be guessed wrong often.
void SparseSum::take(double scale, std::size_t most, SparseVector& out) {
  if (found_index_.size() <= most) {
    found_index_.resize(2 * most + 1);
    found_value_.resize(2 * most + 1);
  }
  std::int32_t* const index = found_index_.data();
  double* const values = found_value_.data();
  std::size_t count = 0;
  for (std::size_t k = 0; k < touched_words_.size(); ++k) {
    visit_and_clear(touched_words_[k], k << word_shift, [&](std::size_t word) {
      visit_and_clear(touched_[word], word << word_shift, [&](std::size_t j) {
        const double value = std::exchange(sum_[j], 0.0);
        index[count] = static_cast<std::int32_t>(j);
        values[count] = scale * value;
        count += value != 0 ? 1 : 0;
      });
    });
  }
  out.index.assign(index, index + count);
  out.value.assign(values, values + count);
}

void SparseSum::merge(std::span<const std::int32_t> index, const double* value, SparseVector& out) {
  if (is_merged(index, value)) {
    out.index.assign(index.begin(), index.end());
    out.value.assign(value, value + index.size());
    return;
  }
  if (!is_dense()) {
    entries_.resize(index.size());
    for (std::size_t k = 0; k < index.size(); ++k) entries_[k] = Entry{index[k], value[k]};
    return merge_entries(entries_, out);
  }
  add(index, value, 1);
  take(1, index.size(), out);
}

void SparseSum::subtract(const SparseVector& x, const SparseVector& y, double scale,
                         SparseVector& out) {
  if (!is_dense()) return subtract_sorted(x, y, scale, out);
  add(x.index, x.value.data(), 1);
  add(y.index, y.value.data(), -1);
  take(scale, x.index.size() + y.index.size(), out);
}

}  // namespace sculpt::core
