// One value of the subsequence kernel: two random sequences of N symbols out of 20, subsequences of
// p symbols. "subsequence/N/p".

#include <benchmark/benchmark.h>

#include <random>

#include "../../../plugins/kernel/subsequence_sum.hpp"

namespace {

std::vector<std::int32_t> made_up_sequence(std::int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int32_t> symbols;
  for (std::int64_t k = 0; k < size; ++k) {
    symbols.push_back(1 + static_cast<std::int32_t>(random() % 20));
  }
  return symbols;
}

void subsequence(benchmark::State& state) {
  const std::vector<std::int32_t> s = made_up_sequence(state.range(0), 1);
  const std::vector<std::int32_t> t = made_up_sequence(state.range(0), 2);
  const auto p = static_cast<std::size_t>(state.range(1));
  std::vector<double> table;
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernel::subsequence_sum(s, t, p, 0.5, table));
  }
}
BENCHMARK(subsequence)->Args({200, 4});

}  // namespace
