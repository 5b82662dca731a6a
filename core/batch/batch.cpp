#include "batch/batch.hpp"

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
    : solver_(options), scratches_(static_cast<std::size_t>(solver_.workers().threads())) {}

void Batch::compute(const BatchQuantity& quantity, const BatchGraphs& graphs,
                    const sculpt_batch_input& input, const sculpt_batch_output& output) {
  const auto turn = use_.enter(quantity.function, solver_.is_serial() ? solver_.name() : "");
  const RequestEnd end{solver_};
  ++calls_;
  Call(*this, quantity, graphs, input, output).run();
}

}  // namespace sculpt::core
