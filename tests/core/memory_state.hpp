// memory_state.hpp - a state stream out of memory, for tests of what saves and loads itself.
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
  void read(char* room, std::size_t size) override {
    require(size <= left(), "the state is cut short");
    if (size > 0) std::memcpy(room, bytes_.data() + at_, size);
    at_ += size;
  }
  std::uint64_t left() const override { return bytes_.size() - at_; }
  [[noreturn]] void refuse(const std::string& what) const override {
    throw Failure(Exit::data, what);
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// What an object saves.
template <class Object>
std::string saved(const Object& object) {
  StateBuffer buffer;
  object.save(buffer);
  return std::string(buffer.bytes());
}

}  // namespace sculpt::core::test
