// One oracle call, chain and viterbi about a word of eight letters, through the host and the C
// interface, and of the same sources compiled into this program: the difference is what the
// boundary costs.

#include <benchmark/benchmark.h>

#include "loaded_problem.hpp"
#include "made_up_words.hpp"
#include "two_ways.hpp"

namespace sculpt::core::bench {
namespace {

template <class Way>
void oracle_call(benchmark::State& state) {
  LoadedProblem loaded(made_up_experiment(), SCULPT_BENCH_PLUGINS);
  const Vector w = some_weights((*loaded).dimension());
  const std::int64_t example = (*loaded).training()[0];
  Way way(*loaded);
  Answer answer;
  for (auto _ : state) {
    way.ask(example, w, answer);
    benchmark::DoNotOptimize(answer.labels().data);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_TEMPLATE(oracle_call, Shipped);
BENCHMARK_TEMPLATE(oracle_call, Compiled);

}  // namespace
}  // namespace sculpt::core::bench
