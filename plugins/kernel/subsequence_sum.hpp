// subsequence_sum.hpp - the gap-weighted subsequence kernel of two sequences.
//
//   K_p(s, t) = sum over u of p symbols, over the places i of u in s and j of u in t:
//               lambda^(span(i) + span(j)),     span: from the first place to the last, both
//               counted
//
// Source: Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, JMLR 2002, section 3. Called by
// subsequence_kernel.cpp. [any]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kernel {

inline constexpr std::size_t most_symbols = 64;  // largest p

// Returns K_p(s, t), in time p |s| |t|. Both orders of s and t give the same bits. `table` is
// memory of the thread. Requires 1 <= p <= most_symbols.
double subsequence_sum(std::span<const std::int32_t> s, std::span<const std::int32_t> t,
                       std::size_t p, double lambda, std::vector<double>& table);

}  // namespace kernel
