#include "leave_one_out/continued_run.hpp"

#include <string>
#include <utility>

#include "base/cancelled.hpp"
#include "base/file/memory_state_reader.hpp"

namespace sculpt::core {
namespace {

// Resumes from a state, and keeps the last checkpoint in memory. The solver writes none if it ends
// where it began.
class KeptState : public Checkpoints {
 public:
  explicit KeptState(std::string state) : bytes(state), state_(std::move(state)) {}
  StateReader* saved_state() override { return &state_; }
  void write(std::int64_t, const std::function<void(StateWriter&)>& save) override {
    StateBuffer buffer;
    save(buffer);
    bytes = std::string(buffer.bytes());
  }

  std::string bytes;

 private:
  MemoryStateReader state_;
};

std::string bytes_of(StateReader& state) {
  std::string bytes(static_cast<std::size_t>(state.bytes_left()), '\0');
  state.read(bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

WorkingSet continue_run(Solver& solver, PlaneSource& source, StateReader& state,
                        const StopRequest& stop) {
  KeptState checkpoints(bytes_of(state));
  Listener no_listener;
  solver.solve(Ports(source), no_listener, stop, checkpoints);
  if (stop()) throw Cancelled();
  MemoryStateReader last(std::move(checkpoints.bytes));
  return solver.load_working_set(source, last).value();
}

}  // namespace sculpt::core
