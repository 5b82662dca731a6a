// state.hpp - writes and reads the state of a component, little-endian, with every length checked.
//
// SPDX-License-Identifier: Apache-2.0
//
// For save() and restore() of component classes. extensions.hpp calls both.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "views.hpp"

namespace sculpt {

static_assert(std::endian::native == std::endian::little,
              "state and models are little-endian; this machine needs byte swaps here");

// Writes the state of a component. A number takes 8 bytes; a text has its length before it. Throws
// E_MEMORY if the buffer cannot grow.
class StateWriter {
 public:
  explicit StateWriter(ByteOutput out) : out_(out) {}
  void integer(std::int64_t value) { out_.append(&value, sizeof value); }
  void real(double value) { out_.append(&value, sizeof value); }
  void text(std::string_view value) {
    integer(static_cast<std::int64_t>(value.size()));
    out_.append(value.data(), value.size());
  }
  void texts(const std::vector<std::string>& values) {
    integer(static_cast<std::int64_t>(values.size()));
    for (const std::string& value : values) text(value);
  }

 private:
  ByteOutput out_;
};

// Reads a state in the order in which it was written. Every method throws data_error if the state
// is damaged. The bytes must outlive the reader.
class StateReader {
 public:
  StateReader(const char* data, std::int64_t size) : rest_(data, static_cast<std::size_t>(size)) {}
  std::int64_t integer() { return number<std::int64_t>(); }
  double real() { return number<double>(); }
  std::string text() {
    const std::int64_t size = count(1);
    std::string value(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(static_cast<std::size_t>(size));
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(static_cast<std::size_t>(count(sizeof(std::int64_t))));
    for (std::string& value : values) value = text();
    return values;
  }
  // Reads the number of items that follow. Each item takes at least `bytes_each`.
  std::int64_t count(std::size_t bytes_each) {
    const std::int64_t value = integer();
    if (value < 0 || static_cast<std::uint64_t>(value) > rest_.size() / bytes_each) damaged();
    return value;
  }
  bool at_end() const { return rest_.empty(); }
  // Throws if bytes are left.
  void end() const {
    if (!rest_.empty()) damaged();
  }
  // For errors that the lengths alone do not show.
  [[noreturn]] static void damaged() {
    throw data_error(
        "its state in the model is damaged or of another version; use the plugin version that "
        "wrote the model, or train again");
  }

 private:
  template <class Number>
  Number number() {
    if (rest_.size() < sizeof(Number)) damaged();
    Number value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view rest_;
};

}  // namespace sculpt
