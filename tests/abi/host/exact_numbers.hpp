// exact_numbers.hpp - what the tests of witnesses share: rational numbers, and memory for a witness
// (sculpt/ext/draft/witness.h).
#pragma once

#include <sculpt/ext/draft/witness.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace sculpt::core::stub {

// Doubles are exact in it, and so are sums and products.
using Exact = boost::multiprecision::cpp_rational;

// A witness with memory for its numbers.
struct Witness {
  Witness() : raw{sizeof(sculpt_witness), 0, nullptr, {nullptr, 0, 0, grow}} {}
  ~Witness() { std::free(raw.numbers.data); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  static sculpt_status grow(sculpt_number_buffer* numbers, std::int64_t min_capacity) {
    const auto bytes = static_cast<std::size_t>(min_capacity) * sizeof(double);
    numbers->data = static_cast<double*>(std::realloc(numbers->data, bytes));
    numbers->capacity = min_capacity;
    return SCULPT_OK;
  }
  std::vector<double> numbers() const {
    return {raw.numbers.data, raw.numbers.data + raw.numbers.size};
  }

  sculpt_witness raw;
};

}  // namespace sculpt::core::stub
