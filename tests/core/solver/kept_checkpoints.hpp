// kept_checkpoints.hpp - checkpoints in memory, for tests of the solvers.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/memory_state.hpp"
#include "solver/checkpoints.hpp"

namespace sculpt::core::test {

class KeptCheckpoints : public Checkpoints {
 public:
  struct Checkpoint {
    std::int64_t reported_passes;
    std::string state;
  };

  // Without `state` the run starts from nothing.
  KeptCheckpoints() = default;
  // `state`: the run resumes from it; empty: it starts from nothing. `is_always_due`: a checkpoint
  // is written as often as the solver offers one.
  explicit KeptCheckpoints(const std::string& state, bool is_always_due = false)
      : is_always_due_(is_always_due) {
    if (!state.empty()) saved_state_ = std::make_unique<MemoryReader>(state);
  }

  StateReader* saved_state() override { return saved_state_.get(); }
  bool is_due() override { return is_always_due_; }
  void write(std::int64_t reported_passes, const std::function<void(StateWriter&)>& save) override {
    StateBuffer buffer;
    save(buffer);
    kept.push_back({reported_passes, std::string(buffer.bytes())});
  }

  std::vector<Checkpoint> kept;

 private:
  bool is_always_due_ = false;
  std::unique_ptr<MemoryReader> saved_state_;
};

// A checkpoint is due at the `number`-th call of is_due(), and only then.
class CheckpointDueAtCall : public KeptCheckpoints {
 public:
  explicit CheckpointDueAtCall(std::int64_t number) : number_(number) {}
  bool is_due() override { return ++calls == number_; }

  std::int64_t calls = 0;

 private:
  std::int64_t number_;
};

}  // namespace sculpt::core::test
