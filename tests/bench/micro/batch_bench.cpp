// Losses of a batch of 64 sequences with their gradients, through the C API of libsculpt, on one
// thread: the layer between a network and a map_solver (sculpt/host/batch.h). The time is that of
// one sequence. Graphs of sequences of many lengths, as each batch of a training has them.

#include <benchmark/benchmark.h>
#include <sculpt/host/batch.h>

#include <random>
#include <vector>

namespace sculpt::core::bench {
namespace {

constexpr std::int64_t sequences = 64;

struct MadeUpBatch {
  MadeUpBatch(std::int64_t length, std::int32_t labels, std::int32_t table_kind) {
    const std::vector<std::int64_t> lengths(sequences, length);
    sculpt_batch_options options = {};
    options.struct_size = sizeof options;
    options.threads = 1;
    options.map_solver = "viterbi";
    const char* const folder = SCULPT_BENCH_PLUGINS;
    options.plugin_path = &folder;
    options.plugin_path_count = 1;
    sculpt_batch_layout layout = {};
    layout.struct_size = sizeof layout;
    is_open = sculpt_batch_open(&options, &batch, nullptr) == SCULPT_EXIT_REACHED &&
              sculpt_batch_chains(sequences, lengths.data(), labels, table_kind, &graphs,
                                  nullptr) == SCULPT_EXIT_REACHED &&
              sculpt_batch_graphs_layout(graphs, &layout, nullptr) == SCULPT_EXIT_REACHED;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    const auto fill = [&](std::vector<double>& scores, std::int64_t size) {
      for (std::int64_t k = 0; k < size; ++k) scores.push_back(normal(random));
    };
    fill(unary, layout.unary_size);
    fill(tables, layout.tables_size);
    fill(shared, layout.shared_size);
    for (std::int64_t v = 0; v < layout.variable_count; ++v) {
      truths.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(labels)));
    }
  }
  ~MadeUpBatch() {
    sculpt_batch_free(batch);
    sculpt_batch_graphs_free(graphs);
  }
  MadeUpBatch(const MadeUpBatch&) = delete;
  MadeUpBatch& operator=(const MadeUpBatch&) = delete;

  bool is_open = false;
  sculpt_batch* batch = nullptr;
  sculpt_batch_graphs* graphs = nullptr;
  std::vector<double> unary, tables, shared;
  std::vector<std::int32_t> truths;
};

// Arguments: the loss, the length, the number of labels, the kind of tables.
void batch_loss(benchmark::State& state) {
  MadeUpBatch made_up(state.range(1), static_cast<std::int32_t>(state.range(2)),
                      static_cast<std::int32_t>(state.range(3)));
  sculpt_batch_input input = {};
  input.struct_size = sizeof input;
  input.unary = made_up.unary.data();
  input.tables = made_up.tables.data();
  input.shared = made_up.shared.data();
  input.unary_size = static_cast<std::int64_t>(made_up.unary.size());
  input.tables_size = static_cast<std::int64_t>(made_up.tables.size());
  input.shared_size = static_cast<std::int64_t>(made_up.shared.size());
  input.truths = made_up.truths.data();
  input.truth_size = static_cast<std::int64_t>(made_up.truths.size());
  std::vector<double> values(sequences);
  std::vector<double> unary(made_up.unary.size());
  std::vector<double> tables(made_up.tables.size());
  std::vector<double> shared(made_up.shared.size());
  sculpt_batch_output output = {};
  output.struct_size = sizeof output;
  output.values = values.data();
  output.unary = unary.data();
  output.tables = tables.data();
  output.shared = shared.data();
  const auto loss = static_cast<std::int32_t>(state.range(0));
  for (auto _ : state) {
    const bool is_done =
        made_up.is_open && sculpt_batch_loss(made_up.batch, made_up.graphs, loss, &input, &output,
                                             nullptr) == SCULPT_EXIT_REACHED;
    if (!is_done) {
      state.SkipWithError("the batch failed");
      break;
    }
  }
  state.counters["s/sequence"] = benchmark::Counter(
      static_cast<double>(sequences),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(batch_loss)
    ->ArgNames({"loss", "length", "labels", "own"})
    ->Args({SCULPT_BATCH_HINGE, 24, 22, 0})
    ->Args({SCULPT_BATCH_LOG_LOSS, 24, 22, 0})
    ->Args({SCULPT_BATCH_HINGE, 24, 22, 1})
    ->Args({SCULPT_BATCH_LOG_LOSS, 24, 22, 1})
    ->Args({SCULPT_BATCH_HINGE, 384, 9, 0})
    ->Args({SCULPT_BATCH_LOG_LOSS, 384, 9, 0});

void batch_chains(benchmark::State& state) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t k = 0; k < sequences; ++k) lengths.push_back(k * 7 % 48);
  for (auto _ : state) {
    sculpt_batch_graphs* graphs = nullptr;
    (void)sculpt_batch_chains(sequences, lengths.data(), 22, SCULPT_BATCH_SHARED_TABLE, &graphs,
                              nullptr);
    sculpt_batch_graphs_free(graphs);
  }
}
BENCHMARK(batch_chains);

}  // namespace
}  // namespace sculpt::core::bench
