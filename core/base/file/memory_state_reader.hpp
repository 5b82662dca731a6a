// memory_state_reader.hpp - reads a state from memory (state_stream.hpp).
//
// Used for the support atoms of a model, for what ranks tell each other, and by tests.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "base/file/state_stream.hpp"

namespace sculpt::core {

// The bytes outlive it.
class ViewStateReader : public StateReader {
 public:
  // `advice`: the end of each message.
  explicit ViewStateReader(std::string_view bytes, std::string advice = "")
      : bytes_(bytes), advice_(std::move(advice)) {}
  ViewStateReader(const ViewStateReader&) = delete;
  ViewStateReader& operator=(const ViewStateReader&) = delete;

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
  std::string_view bytes_;
  std::string advice_;
  std::size_t at_ = 0;
};

namespace detail {
struct KeptBytes {
  std::string bytes;
};
}  // namespace detail

// The same with bytes of its own.
class MemoryStateReader : private detail::KeptBytes, public ViewStateReader {
 public:
  explicit MemoryStateReader(std::string bytes, std::string advice = "")
      : KeptBytes{std::move(bytes)}, ViewStateReader(KeptBytes::bytes, std::move(advice)) {}
};

}  // namespace sculpt::core
