#include <sculpt/host/batch.h>

#include "batch/batch.hpp"
#include "batch/batch_graphs.hpp"
#include "batch/graph_arrays.hpp"
#include "library/arguments.hpp"
#include "library/batch_options.hpp"
#include "library/guarded_call.hpp"
#include "library/record.hpp"

struct sculpt_batch {
  explicit sculpt_batch(const sculpt::core::LoadedMapSolver::Options& options) : batch(options) {}
  sculpt::core::Batch batch;
};

struct sculpt_batch_graphs {
  sculpt::core::BatchGraphs graphs;
};

namespace sculpt::core {
namespace {

LoadedMapSolver::Options map_solver_options_of(const sculpt_batch_options& record) {
  constexpr const char* function = "sculpt_batch_open";
  require_pointer(record.map_solver, function, "options->map_solver");
  LoadedMapSolver::Options options;
  options.name = record.map_solver;
  if (record.parameters != nullptr) options.parameters = record.parameters;
  options.plugin_path = plugin_path_of(function, record.plugin_path, record.plugin_path_count);
  options.threads = threads_of(function, record.threads);
  options.log = batch_log(record.log, record.user);
  return options;
}

// `make_quantity` may throw.
template <class MakeQuantity>
sculpt_exit compute_batch(const char* function, MakeQuantity make_quantity, sculpt_batch* batch,
                          const sculpt_batch_graphs* graphs, const sculpt_batch_input* input,
                          const sculpt_batch_output* output, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    require_pointer(batch, function, "batch");
    require_pointer(graphs, function, "graphs");
    const BatchQuantity quantity = make_quantity();
    const auto in = complete_record(input, function, "input");
    const auto out = complete_record(output, function, "output");
    batch->batch.compute(quantity, graphs->graphs, in, out);
    return Exit::reached;
  });
}

}  // namespace
}  // namespace sculpt::core

using namespace sculpt::core;

extern "C" {

sculpt_exit sculpt_batch_open(const sculpt_batch_options* options, sculpt_batch** out,
                              sculpt_failure** failure) {
  if (out != nullptr) *out = nullptr;
  return guarded_call(failure, [&] {
    require_pointer(out, "sculpt_batch_open", "out");
    const auto record = complete_record(options, "sculpt_batch_open", "options");
    *out = new sculpt_batch(map_solver_options_of(record));
    return Exit::reached;
  });
}

void sculpt_batch_free(sculpt_batch* batch) {
  // A child process has none of the threads, so it cannot end them. It leaves the memory.
  if (batch == nullptr || !batch->batch.is_of_this_process()) return;
  delete batch;
}

void sculpt_batch_stop(sculpt_batch* batch) {
  if (batch != nullptr) batch->batch.stop();
}

sculpt_exit sculpt_batch_chains(std::int64_t example_count, const std::int64_t* lengths,
                                std::int32_t label_count, std::int32_t tables,
                                sculpt_batch_graphs** out, sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_chains";
  if (out != nullptr) *out = nullptr;
  return guarded_call(failure, [&] {
    require_pointer(out, function, "out");
    if (example_count < 0) {
      refuse_call(function, "example_count is " + std::to_string(example_count));
    }
    if (example_count > 0) require_pointer(lengths, function, "lengths");
    if (tables != SCULPT_BATCH_SHARED_TABLE && tables != SCULPT_BATCH_OWN_TABLES) {
      refuse_call(function, "tables is " + std::to_string(tables) +
                                "; it must be SCULPT_BATCH_SHARED_TABLE (0) or "
                                "SCULPT_BATCH_OWN_TABLES (1)");
    }
    *out = new sculpt_batch_graphs{
        BatchGraphs::chains(function, {lengths, static_cast<std::size_t>(example_count)},
                            label_count, tables == SCULPT_BATCH_SHARED_TABLE)};
    return Exit::reached;
  });
}

sculpt_exit sculpt_batch_graphs_open(const sculpt_batch_graph_arrays* arrays,
                                     sculpt_batch_graphs** out, sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_graphs_open";
  if (out != nullptr) *out = nullptr;
  return guarded_call(failure, [&] {
    require_pointer(out, function, "out");
    const auto record = complete_record(arrays, function, "arrays");
    *out = new sculpt_batch_graphs{BatchGraphs::general(function, record)};
    return Exit::reached;
  });
}

void sculpt_batch_graphs_free(sculpt_batch_graphs* graphs) {
  delete graphs;
}

sculpt_exit sculpt_batch_graphs_layout(const sculpt_batch_graphs* graphs,
                                       sculpt_batch_layout* layout, sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_graphs_layout";
  return guarded_call(failure, [&] {
    require_pointer(graphs, function, "graphs");
    auto record = complete_record(layout, function, "layout");
    const BatchGraphs& all = graphs->graphs;
    record.example_count = all.example_count();
    record.variable_count = all.variable_from().back();
    record.unary_size = all.unary_from().back();
    record.tables_size = all.tables_from().back();
    record.shared_size = all.shared_size();
    record.variable_from = all.variable_from().data();
    record.unary_from = all.unary_from().data();
    record.tables_from = all.tables_from().data();
    fill_record(record, layout);
    return Exit::reached;
  });
}

sculpt_exit sculpt_batch_loss(sculpt_batch* batch, const sculpt_batch_graphs* graphs,
                              std::int32_t loss, const sculpt_batch_input* input,
                              const sculpt_batch_output* output, sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_loss";
  return compute_batch(
      function, [loss] { return loss_quantity(function, loss); }, batch, graphs, input, output,
      failure);
}

sculpt_exit sculpt_batch_decode(sculpt_batch* batch, const sculpt_batch_graphs* graphs,
                                const sculpt_batch_input* input, const sculpt_batch_output* output,
                                sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_decode";
  return compute_batch(
      function,
      [] {
        return BatchQuantity{function, false};
      },
      batch, graphs, input, output, failure);
}

sculpt_exit sculpt_batch_marginals(sculpt_batch* batch, const sculpt_batch_graphs* graphs,
                                   const sculpt_batch_input* input,
                                   const sculpt_batch_output* output, sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_marginals";
  return compute_batch(
      function,
      [] {
        return BatchQuantity{function, true};
      },
      batch, graphs, input, output, failure);
}

}  // extern "C"
