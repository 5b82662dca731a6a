#include "subsequence_sum.hpp"

#include <algorithm>

#include "vector_code.hpp"

namespace kernel {

namespace {

using Sequence = std::span<const std::int32_t>;

// The recursion of the paper, for prefixes of s with i symbols and of t with j:
//
//   match(i, j) = lambda^2 if s_i = t_j, else 0
//   K'_0 = 1,  K'_l(i, 0) = K'_l(0, j) = 0
//   K''_l(i, j) = lambda K''_l(i, j - 1) + match(i, j) K'_{l-1}(i - 1, j - 1)
//   K'_l(i, j)  = lambda K'_l(i - 1, j) + K''_l(i, j)
//   K_p         = sum over i, j of match(i, j) K'_{p-1}(i - 1, j - 1)
//
// Lanes run over l, because the levels of one cell need only the row before. table[j][l] is K'_l of
// the last row; l goes up to 4 blocks.
template <std::size_t blocks>
[[gnu::always_inline]] inline double sum_by_rows(Sequence s, Sequence t, std::size_t p,
                                                 double lambda, double* table) {
  constexpr std::size_t stride = (blocks + 1) * lanes;
  std::fill_n(table, (t.size() + 1) * stride, 0.0);
  for (std::size_t j = 0; j <= t.size(); ++j) table[j * stride] = 1;
  Lanes total[blocks] = {};  // lane l: K_{l+1}
  for (const std::int32_t symbol : s) {
    Lanes ending[blocks] = {};  // lane l: K''_{l+1}(i, j)
    Lanes before[blocks];       // lane l: K'_l(i - 1, j - 1)
    for (std::size_t b = 0; b < blocks; ++b) load(table + lanes * b, before[b]);
    for (std::size_t j = 0; j < t.size(); ++j) {
      const double match = t[j] == symbol ? lambda * lambda : 0.0;
      double* const cell = table + (j + 1) * stride;
      Lanes next[blocks];
      for (std::size_t b = 0; b < blocks; ++b) load(cell + lanes * b, next[b]);
      for (std::size_t b = 0; b < blocks; ++b) {
        const Lanes term = before[b] * match;
        total[b] += term;
        ending[b] = ending[b] * lambda + term;
        Lanes level;
        load(cell + lanes * b + 1, level);
        level = level * lambda + ending[b];
        store(level, cell + lanes * b + 1);
        before[b] = next[b];
      }
    }
  }
  return total[(p - 1) / lanes][(p - 1) % lanes];
}

template <std::size_t blocks>
double sum_plain(Sequence s, Sequence t, std::size_t p, double lambda, double* table) {
  return sum_by_rows<blocks>(s, t, p, lambda, table);
}
template <std::size_t blocks>
KERNEL_AVX2 double sum_wide(Sequence s, Sequence t, std::size_t p, double lambda, double* table) {
  return sum_by_rows<blocks>(s, t, p, lambda, table);
}

template <std::size_t blocks>
double sum_in(Sequence s, Sequence t, std::size_t p, double lambda, std::vector<double>& table) {
  const std::size_t size = (t.size() + 1) * (blocks + 1) * lanes;
  if (table.size() < size) table.resize(size);
  static const auto function = has_avx2() ? sum_wide<blocks> : sum_plain<blocks>;
  return function(s, t, p, lambda, table.data());
}

}  // namespace

double subsequence_sum(Sequence s, Sequence t, std::size_t p, double lambda,
                       std::vector<double>& table) {
  // Rows and columns round differently. So the contents decide which sequence has the rows.
  const bool in_order = s.size() != t.size()
                            ? s.size() < t.size()
                            : !std::lexicographical_compare(t.begin(), t.end(), s.begin(), s.end());
  if (!in_order) std::swap(s, t);
  if (s.size() < p) return 0;
  if (p <= lanes) return sum_in<1>(s, t, p, lambda, table);
  if (p <= 2 * lanes) return sum_in<2>(s, t, p, lambda, table);
  if (p <= 4 * lanes) return sum_in<4>(s, t, p, lambda, table);
  return sum_in<most_symbols / lanes>(s, t, p, lambda, table);
}

}  // namespace kernel
