// One oracle call of chain and viterbi for a word of eight letters: through the host and the C
// interface, and with the same sources compiled into this program. The difference is the cost of
// the C interface.

#include <benchmark/benchmark.h>

#include "loaded_problem.hpp"
#include "made_up_words.hpp"
#include "two_ways.hpp"

namespace sculpt::core::bench {
namespace {

template <class Oracle>
void oracle_call(benchmark::State& state) {
  LoadedProblem loaded(made_up_experiment(), SCULPT_BENCH_PLUGINS);
  const Vector w = some_weights((*loaded).dimension());
  const std::int64_t example = (*loaded).training()[0];
  Oracle oracle(*loaded);
  Answer answer;
  for (auto _ : state) {
    oracle.argmax(example, w, answer);
    benchmark::DoNotOptimize(answer.labels().data);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_TEMPLATE(oracle_call, Shipped);
BENCHMARK_TEMPLATE(oracle_call, Compiled);

}  // namespace
}  // namespace sculpt::core::bench
