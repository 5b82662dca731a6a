#include "batch/batch.hpp"

#include <unistd.h>

#include "base/failure.hpp"
#include "batch/batch_call.hpp"

namespace sculpt::core {

namespace {

// A request to stop ends with the call.
struct RequestEnd {
  LoadedMapSolver& solver;
  ~RequestEnd() { solver.proceed(); }
};

}  // namespace

Batch::Batch(const LoadedMapSolver::Options& options)
    : solver_(options),
      process_(getpid()),
      thread_(std::this_thread::get_id()),
      scratches_(static_cast<std::size_t>(solver_.workers().threads())) {}

bool Batch::is_of_this_process() const {
  return getpid() == process_;
}

void Batch::compute(const BatchTask& task, const BatchGraphs& graphs,
                    const sculpt_batch_input& input, const sculpt_batch_output& output) {
  if (!is_of_this_process()) {
    throw Failure(Exit::usage, std::string(task.function) +
                                   ": the batch was opened by the parent of this process; open "
                                   "one after fork()");
  }
  if (solver_.is_serial() && thread_ != std::this_thread::get_id()) {
    throw Failure(Exit::usage, std::string(task.function) + ": " + solver_.name() +
                                   " is not thread-safe; call it on the thread that opened the "
                                   "batch");
  }
  const std::lock_guard<std::mutex> turn(turn_);
  ++calls_;
  const RequestEnd end{solver_};
  Call(*this, task, graphs, input, output).run();
}

}  // namespace sculpt::core
