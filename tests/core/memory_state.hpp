// memory_state.hpp - a state stream in memory, for tests of classes with save() and load().
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/state_stream.hpp"

namespace sculpt::core::test {

class MemoryReader : public StateReader {
 public:
  explicit MemoryReader(std::string bytes) : bytes_(std::move(bytes)) {}
  void read(char* to, std::size_t size) override {
    require(size <= bytes_left(), "the state is cut short");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  std::uint64_t bytes_left() const override { return bytes_.size() - at_; }
  [[noreturn]] void refuse(const std::string& what) const override {
    throw Failure(Exit::data, what);
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Returns the bytes that an object saves.
template <class Object>
std::string saved(const Object& object) {
  StateBuffer buffer;
  object.save(buffer);
  return std::string(buffer.bytes());
}

}  // namespace sculpt::core::test
