#include "linalg/products.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sculpt::core {
namespace {

constexpr std::size_t small_merge = 64;    // below it a comparison sort is faster than histograms
constexpr std::size_t large_merge = 4096;  // from here on larger histograms save time

// Four running sums hide the latency of the additions. The compiler may not reorder a single sum.
template <class Product>
double sum_of(std::size_t count, Product product) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += product(k);
    s1 += product(k + 1);
    s2 += product(k + 2);
    s3 += product(k + 3);
  }
  for (; k < count; ++k) s0 += product(k);
  return (s0 + s1) + (s2 + s3);
}

// to[index[k]] += term(k). Requires distinct indices. So additions may overlap, which the compiler
// cannot know.
template <class Indices, class Term>
void add_at(std::size_t count, const Indices& index, double* to, Term term) {
  const auto add = [=](std::size_t k) { to[static_cast<std::size_t>(index[k])] += term(k); };
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    add(k);
    add(k + 1);
    add(k + 2);
    add(k + 3);
  }
  for (; k < count; ++k) add(k);
}

// Least significant digit first: stable, with one round for each digit of the largest index.
template <int digit_bits>
void radix_sort(std::vector<Entry>& entries) {
  constexpr std::size_t digit_count = std::size_t{1} << digit_bits;
  std::uint32_t used_bits = 0;
  for (const Entry& entry : entries) used_bits |= static_cast<std::uint32_t>(entry.index);
  std::vector<Entry> sorted(entries.size());
  for (int shift = 0; shift < 32 && (used_bits >> shift) != 0; shift += digit_bits) {
    const auto digit = [shift](const Entry& entry) {
      return (static_cast<std::uint32_t>(entry.index) >> shift) & (digit_count - 1);
    };
    std::array<std::size_t, digit_count> position{};
    for (const Entry& entry : entries) ++position[digit(entry)];
    std::size_t next = 0;
    for (std::size_t& start : position) {
      const std::size_t count = start;
      start = next;
      next += count;
    }
    for (const Entry& entry : entries) sorted[position[digit(entry)]++] = entry;
    entries.swap(sorted);
  }
}

void sort_by_index(std::vector<Entry>& entries) {
  const auto by_index = [](const Entry& x, const Entry& y) { return x.index < y.index; };
  if (entries.size() < small_merge) {
    std::stable_sort(entries.begin(), entries.end(), by_index);
  } else if (entries.size() < large_merge) {
    radix_sort<8>(entries);
  } else {
    radix_sort<11>(entries);
  }
}

}  // namespace

double dot(std::span<const double> x, const Vector& y) {
  const double* left = x.data();
  const double* right = y.data();
  return sum_of(x.size(), [=](std::size_t k) { return left[k] * right[k]; });
}

template <class Index, class Value>
double dot(const SparseView<Index, Value>& x, const Vector& y) {
  const Index* index = x.index.data();
  const Value* value = x.value;
  const double* dense = y.data();
  return sum_of(x.index.size(), [=](std::size_t k) {
    return static_cast<double>(value[k]) * dense[static_cast<std::size_t>(index[k])];
  });
}
template double dot(const SparseView<std::uint16_t, float>& x, const Vector& y);
template double dot(const SparseView<std::int32_t, float>& x, const Vector& y);
template double dot(const SparseView<std::uint16_t, double>& x, const Vector& y);
template double dot(const SparseView<std::int32_t, double>& x, const Vector& y);

double dot(const SparseVector& x, const Vector& y) {
  return dot(SparseView<std::int32_t, double>{x.index, x.value.data()}, y);
}

template <class Index>
double dot(const RunsView<Index>& x, const Vector& y) {
  const double* dense = y.data();
  double sum = 0;
  std::size_t begin = 0;
  for (std::size_t run = 0; run < x.value.size(); ++run) {
    const Index* index = x.index.data() + begin;
    const auto entry = [=](std::size_t k) { return dense[static_cast<std::size_t>(index[k])]; };
    sum += x.value[run] * sum_of(x.end[run] - begin, entry);
    begin = x.end[run];
  }
  return sum;
}
template double dot(const RunsView<std::uint16_t>& x, const Vector& y);
template double dot(const RunsView<std::int32_t>& x, const Vector& y);

template <class Indices, class Value>
double dot(const InputVectorView<Indices, Value>& x, const double* y) {
  const Indices index = x.index;
  const Value* value = x.value;
  return sum_of(index.size(), [=](std::size_t k) {
    return static_cast<double>(value[k]) * y[static_cast<std::size_t>(index[k])];
  });
}
template double dot(const InputVectorView<StridedIndices, float>& x, const double* y);
template double dot(const InputVectorView<StridedIndices, double>& x, const double* y);
template double dot(const InputVectorView<std::span<const std::uint16_t>, float>& x,
                    const double* y);
template double dot(const InputVectorView<std::span<const std::uint16_t>, double>& x,
                    const double* y);
template double dot(const InputVectorView<std::span<const std::int32_t>, float>& x,
                    const double* y);
template double dot(const InputVectorView<std::span<const std::int32_t>, double>& x,
                    const double* y);

double dot(const SparseVector& x, const SparseVector& y) {
  double sum = 0;
  std::size_t j = 0;
  std::size_t k = 0;
  while (j < x.index.size() && k < y.index.size()) {
    if (x.index[j] < y.index[k]) {
      ++j;
    } else if (x.index[j] > y.index[k]) {
      ++k;
    } else {
      sum += x.value[j++] * y.value[k++];
    }
  }
  return sum;
}

double absolute_dot(const SparseView<std::int32_t, double>& x, std::span<const double> y) {
  const std::int32_t* index = x.index.data();
  const double* value = x.value;
  const double* dense = y.data();
  return sum_of(x.index.size(), [=](std::size_t k) {
    return std::abs(value[k] * dense[static_cast<std::size_t>(index[k])]);
  });
}

double absolute_dot(const SparseVector& x, std::span<const double> y) {
  return absolute_dot(SparseView<std::int32_t, double>{x.index, x.value.data()}, y);
}

double squared_norm(const Vector& x) {
  return dot(x, x);
}

double squared_norm(const SparseVector& x) {
  const double* value = x.value.data();
  return sum_of(x.value.size(), [=](std::size_t k) { return value[k] * value[k]; });
}

void axpy(double scale, std::span<const double> x, Vector& y) {
  const double* from = x.data();
  double* to = y.data();
  for (std::size_t k = 0; k < x.size(); ++k) to[k] += scale * from[k];
}

template <class Index, class Value>
void axpy(double scale, const SparseView<Index, Value>& x, Vector& y) {
  const Index* index = x.index.data();
  const Value* value = x.value;
  add_at(x.index.size(), index, y.data(),
         [=](std::size_t k) { return scale * static_cast<double>(value[k]); });
}
template void axpy(double scale, const SparseView<std::uint16_t, float>& x, Vector& y);
template void axpy(double scale, const SparseView<std::int32_t, float>& x, Vector& y);
template void axpy(double scale, const SparseView<std::uint16_t, double>& x, Vector& y);
template void axpy(double scale, const SparseView<std::int32_t, double>& x, Vector& y);

void axpy(double scale, const SparseVector& x, Vector& y) {
  axpy(scale, SparseView<std::int32_t, double>{x.index, x.value.data()}, y);
}

template <class Index>
void axpy(double scale, const RunsView<Index>& x, Vector& y) {
  std::size_t begin = 0;
  for (std::size_t run = 0; run < x.value.size(); ++run) {
    const double change = scale * x.value[run];
    add_at(x.end[run] - begin, x.index.data() + begin, y.data(),
           [change](std::size_t) { return change; });
    begin = x.end[run];
  }
}
template void axpy(double scale, const RunsView<std::uint16_t>& x, Vector& y);
template void axpy(double scale, const RunsView<std::int32_t>& x, Vector& y);

template <class Indices, class Value>
void axpy(double scale, const InputVectorView<Indices, Value>& x, double* y) {
  const Value* value = x.value;
  add_at(x.index.size(), x.index, y,
         [=](std::size_t k) { return scale * static_cast<double>(value[k]); });
}
template void axpy(double scale, const InputVectorView<StridedIndices, float>& x, double* y);
template void axpy(double scale, const InputVectorView<StridedIndices, double>& x, double* y);
template void axpy(double scale, const InputVectorView<std::span<const std::uint16_t>, float>& x,
                   double* y);
template void axpy(double scale, const InputVectorView<std::span<const std::uint16_t>, double>& x,
                   double* y);
template void axpy(double scale, const InputVectorView<std::span<const std::int32_t>, float>& x,
                   double* y);
template void axpy(double scale, const InputVectorView<std::span<const std::int32_t>, double>& x,
                   double* y);

void merge_entries(std::vector<Entry>& entries, SparseVector& out) {
  sort_by_index(entries);
  out.index.clear();
  out.value.clear();
  for (std::size_t k = 0; k < entries.size();) {
    const std::int32_t index = entries[k].index;
    double sum = 0;
    for (; k < entries.size() && entries[k].index == index; ++k) sum += entries[k].value;
    if (sum != 0) {
      out.index.push_back(index);
      out.value.push_back(sum);
    }
  }
}

}  // namespace sculpt::core
