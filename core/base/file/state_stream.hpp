// state_stream.hpp - interfaces that write and read the state of a solver.
//
// Used by linalg/, qp/, objective/ and solver/: their classes save and load themselves. They do not
// know if a stream is memory or a checkpoint. Numbers are raw, as in memory: state moves only
// between runs of one host on one kind of machine.
//
// Reading trusts nothing. The length of an array is compared with the rest of the stream before
// memory is allocated. load() of every class refuses numbers that it could not have saved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/infinity.hpp"

namespace sculpt::core {

class StateWriter {
 public:
  virtual ~StateWriter() = default;

  virtual void write(std::string_view bytes) = 0;

  template <class Number>
  void put(Number number) {
    static_assert(std::is_arithmetic_v<Number>);
    write({reinterpret_cast<const char*>(&number), sizeof number});
  }

  // Writes the length of a vector, then its numbers.
  template <class Numbers>
  void put_array(const Numbers& numbers) {
    static_assert(std::is_arithmetic_v<typename Numbers::value_type>);
    put(static_cast<std::uint64_t>(numbers.size()));
    write({reinterpret_cast<const char*>(numbers.data()),
           numbers.size() * sizeof(typename Numbers::value_type)});
  }
};

// Every function throws Failure(Exit::data) if the stream is not what was written.
class StateReader {
 public:
  virtual ~StateReader() = default;

  virtual void read(char* to, std::size_t size) = 0;  // size: bytes
  virtual std::uint64_t bytes_left() const = 0;
  [[noreturn]] virtual void refuse(const std::string& what) const = 0;

  void require(bool holds, const char* what) const {
    if (!holds) refuse(what);
  }

  template <class Number>
  Number get() {
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
    Number number;
    read(reinterpret_cast<char*>(&number), sizeof number);
    return number;
  }

  bool get_flag() {
    const auto flag = get<std::uint8_t>();
    require(flag <= 1, "a flag that is neither 0 nor 1");
    return flag == 1;
  }

  // A count of things or of work, small enough to be counted further.
  std::int64_t get_count() {
    constexpr std::int64_t max_count = std::int64_t{1} << 53;
    const auto count = get<std::int64_t>();
    require(count >= 0 && count <= max_count, "a count that is negative or too large");
    return count;
  }

  // Elapsed seconds.
  double get_seconds() {
    const auto seconds = get<double>();
    require(seconds >= 0 && seconds < infinity, "a time that is negative or not finite");
    return seconds;
  }

  template <class Numbers>
  void get_array(Numbers& numbers) {
    using Number = typename Numbers::value_type;
    const auto count = get<std::uint64_t>();
    require(count <= bytes_left() / sizeof(Number), "an array that is longer than what is left");
    numbers.resize(static_cast<std::size_t>(count));
    read(reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(Number));
  }
};

// State in memory.
class StateBuffer : public StateWriter {
 public:
  void write(std::string_view bytes) override { bytes_.append(bytes); }
  void clear() { bytes_.clear(); }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace sculpt::core
