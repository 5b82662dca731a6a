#include <sculpt/host/batch_task.h>

#include <filesystem>

#include "batch/open_task.hpp"
#include "library/arguments.hpp"
#include "library/batch_options.hpp"
#include "library/guarded_call.hpp"
#include "library/record.hpp"

struct sculpt_batch_task {
  explicit sculpt_batch_task(const sculpt::core::OpenTask::Options& options) : task(options) {}
  sculpt::core::OpenTask task;
};

namespace sculpt::core {
namespace {

OpenTask::Options task_options_of(const sculpt_batch_task_options& record) {
  constexpr const char* function = "sculpt_batch_task_open";
  require_pointer(record.experiment, function, "options->experiment");
  OpenTask::Options options;
  options.experiment = record.experiment;
  options.folder = record.folder == nullptr
                       ? std::filesystem::current_path().string()
                       : std::filesystem::absolute(record.folder).lexically_normal().string();
  options.plugin_path = plugin_path_of(function, record.plugin_path, record.plugin_path_count);
  options.threads = threads_of(function, record.threads);
  options.log = batch_log(record.log, record.user);
  options.lent = lent_of(function, record.lent, record.lent_count);
  return options;
}

// A request to stop ends with the call.
struct TaskRequestEnd {
  OpenTask& task;
  ~TaskRequestEnd() { task.proceed(); }
};

// `make_quantity` may throw.
template <class MakeQuantity>
sculpt_exit compute_task(const char* function, MakeQuantity make_quantity, sculpt_batch_task* task,
                         const sculpt_batch_task_input* input,
                         const sculpt_batch_task_output* output, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    require_pointer(task, function, "task");
    const TaskRequestEnd end{task->task};
    const BatchQuantity quantity = make_quantity();
    const auto in = complete_record(input, function, "input");
    const auto out = complete_record(output, function, "output");
    task->task.batch().compute(quantity, in, out);
    return Exit::reached;
  });
}

}  // namespace
}  // namespace sculpt::core

using namespace sculpt::core;

extern "C" {

sculpt_exit sculpt_batch_task_open(const sculpt_batch_task_options* options,
                                   sculpt_batch_task** out, sculpt_failure** failure) {
  if (out != nullptr) *out = nullptr;
  return guarded_call(failure, [&] {
    require_pointer(out, "sculpt_batch_task_open", "out");
    const auto record = complete_record(options, "sculpt_batch_task_open", "options");
    *out = new sculpt_batch_task(task_options_of(record));
    return Exit::reached;
  });
}

void sculpt_batch_task_free(sculpt_batch_task* task) {
  // A child process has none of the threads, so it cannot end them. It leaves the memory.
  if (task == nullptr || !task->task.batch().is_of_this_process()) return;
  delete task;
}

void sculpt_batch_task_stop(sculpt_batch_task* task) {
  if (task != nullptr) task->task.stop();
}

std::int64_t sculpt_batch_task_examples(const sculpt_batch_task* task) {
  return task == nullptr ? 0 : task->task.batch().example_count();
}

std::int64_t sculpt_batch_task_dimension(const sculpt_batch_task* task) {
  return task == nullptr ? 0 : task->task.batch().dimension();
}

sculpt_exit sculpt_batch_task_loss(sculpt_batch_task* task, std::int32_t loss,
                                   const sculpt_batch_task_input* input,
                                   const sculpt_batch_task_output* output,
                                   sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_task_loss";
  return compute_task(
      function, [loss] { return loss_quantity(function, loss); }, task, input, output, failure);
}

sculpt_exit sculpt_batch_task_decode(sculpt_batch_task* task, const sculpt_batch_task_input* input,
                                     const sculpt_batch_task_output* output,
                                     sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_task_decode";
  return compute_task(
      function,
      [] {
        return BatchQuantity{function, false};
      },
      task, input, output, failure);
}

sculpt_exit sculpt_batch_task_expectations(sculpt_batch_task* task,
                                           const sculpt_batch_task_input* input,
                                           const sculpt_batch_task_output* output,
                                           sculpt_failure** failure) {
  constexpr const char* function = "sculpt_batch_task_expectations";
  return compute_task(
      function,
      [] {
        return BatchQuantity{function, true};
      },
      task, input, output, failure);
}

void sculpt_batch_task_outputs(const sculpt_batch_task* task, const std::int64_t** label_from,
                               const std::int32_t** labels) {
  const bool has_outputs = task != nullptr && !task->task.batch().label_from().empty();
  *label_from = has_outputs ? task->task.batch().label_from().data() : nullptr;
  *labels = has_outputs ? task->task.batch().labels().data() : nullptr;
}

}  // extern "C"
