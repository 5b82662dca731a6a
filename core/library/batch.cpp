#include <sculpt/host/batch.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "batch/batch.hpp"
#include "batch/batch_graphs.hpp"
#include "batch/graph_arrays.hpp"
#include "experiment/experiment_keys.hpp"
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

int thread_count(std::int32_t threads) {
  if (threads < 0 || threads > max_threads) {
    refuse_call("sculpt_batch_open", "threads is " + std::to_string(threads) +
                                         "; it must be from 0 (all cores) to " +
                                         std::to_string(max_threads));
  }
  if (threads > 0) return threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

LoadedMapSolver::Options options_of(const sculpt_batch_options& record) {
  constexpr const char* function = "sculpt_batch_open";
  require_pointer(record.map_solver, function, "options->map_solver");
  LoadedMapSolver::Options options;
  options.name = record.map_solver;
  if (record.parameters != nullptr) options.parameters = record.parameters;
  if (record.plugin_path_count > 0) {
    require_pointer(record.plugin_path, function, "options->plugin_path");
  }
  for (std::int64_t k = 0; k < record.plugin_path_count; ++k) {
    require_pointer(record.plugin_path[k], function, "a folder of options->plugin_path");
    options.plugin_path.push_back(std::filesystem::absolute(record.plugin_path[k]));
  }
  options.threads = thread_count(record.threads);
  if (record.log != nullptr) {
    options.log = [log = record.log, data = record.user](std::int32_t severity,
                                                         const std::string& text) {
      log(data, severity, text.c_str());
    };
  }
  return options;
}

sculpt_exit compute(const BatchTask& task, sculpt_batch* batch, const sculpt_batch_graphs* graphs,
                    const sculpt_batch_input* input, const sculpt_batch_output* output,
                    sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    require_pointer(batch, task.function, "batch");
    require_pointer(graphs, task.function, "graphs");
    const auto in = complete_record(input, task.function, "input");
    const auto out = complete_record(output, task.function, "output");
    batch->batch.compute(task, graphs->graphs, in, out);
    return Exit::reached;
  });
}

// Returns the task of a SCULPT_BATCH_* loss.
BatchTask loss_task(std::int32_t loss) {
  constexpr const char* function = "sculpt_batch_loss";
  switch (loss) {
    case SCULPT_BATCH_HINGE:
      return {function, false, true, true};
    case SCULPT_BATCH_PERCEPTRON:
      return {function, false, true, false};
    case SCULPT_BATCH_LOG_LOSS:
      return {function, true, true, false};
    case SCULPT_BATCH_SOFTMAX_MARGIN:
      return {function, true, true, true};
    default:
      refuse_call(function, "loss is " + std::to_string(loss) +
                                "; it must be one of SCULPT_BATCH_HINGE (0), _PERCEPTRON (1), "
                                "_LOG_LOSS (2) and _SOFTMAX_MARGIN (3)");
  }
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
    *out = new sculpt_batch(options_of(record));
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
  BatchTask task = {};
  const sculpt_exit exit = guarded_call(failure, [&] {
    task = loss_task(loss);
    return Exit::reached;
  });
  if (exit != SCULPT_EXIT_REACHED) return exit;
  return compute(task, batch, graphs, input, output, failure);
}

sculpt_exit sculpt_batch_decode(sculpt_batch* batch, const sculpt_batch_graphs* graphs,
                                const sculpt_batch_input* input, const sculpt_batch_output* output,
                                sculpt_failure** failure) {
  return compute({"sculpt_batch_decode", false}, batch, graphs, input, output, failure);
}

sculpt_exit sculpt_batch_marginals(sculpt_batch* batch, const sculpt_batch_graphs* graphs,
                                   const sculpt_batch_input* input,
                                   const sculpt_batch_output* output, sculpt_failure** failure) {
  return compute({"sculpt_batch_marginals", true}, batch, graphs, input, output, failure);
}

}  // extern "C"
