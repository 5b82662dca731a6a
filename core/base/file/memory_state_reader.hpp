// memory_state_reader.hpp - reads a state from memory (state_stream.hpp).
//
// Used for the support atoms of a model, and by tests.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include "base/failure.hpp"
#include "base/file/state_stream.hpp"

namespace sculpt::core {

class MemoryStateReader : public StateReader {
 public:
  // `advice`: the end of each message.
  explicit MemoryStateReader(std::string bytes, std::string advice = "")
      : bytes_(std::move(bytes)), advice_(std::move(advice)) {}

  void read(char* to, std::size_t size) override {
    require(size <= bytes_left(), "the state is cut short");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  std::uint64_t bytes_left() const override { return bytes_.size() - at_; }
  [[noreturn]] void refuse(const std::string& what) const override {
    throw Failure(Exit::data, what + advice_);
  }

 private:
  std::string bytes_;
  std::string advice_;
  std::size_t at_ = 0;
};

}  // namespace sculpt::core
