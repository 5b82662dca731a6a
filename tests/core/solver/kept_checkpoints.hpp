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
  struct Kept {
    std::int64_t reported;
    std::string state;
  };

  // `state`: to go on from; empty: afresh.
  KeptCheckpoints() = default;
  explicit KeptCheckpoints(const std::string& state, bool after_every_pass = false)
      : after_every_pass_(after_every_pass) {
    if (!state.empty()) earlier_ = std::make_unique<MemoryReader>(state);
  }

  StateReader* earlier() override { return earlier_.get(); }
  bool due() override { return after_every_pass_; }
  void write(std::int64_t reported, const std::function<void(StateWriter&)>& save) override {
    StateBuffer buffer;
    save(buffer);
    kept.push_back({reported, std::string(buffer.bytes())});
  }

  std::vector<Kept> kept;

 private:
  bool after_every_pass_ = false;
  std::unique_ptr<MemoryReader> earlier_;
};

// Wants one the `number`-th time that it is asked.
class CheckpointWantedAt : public KeptCheckpoints {
 public:
  explicit CheckpointWantedAt(std::int64_t number) : number_(number) {}
  bool due() override { return ++asked == number_; }

  std::int64_t asked = 0;

 private:
  std::int64_t number_;
};

}  // namespace sculpt::core::test
