// ReadOnlyWeights: writes to w, and reads after its end, are found.

#include "problem/plugin/read_only_weights.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace sculpt::core;

namespace {

const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// True if the page of this address belongs to the process.
bool is_mapped(std::uintptr_t address) {
  return msync(reinterpret_cast<void*>(address / page * page), page, MS_ASYNC) == 0;
}

std::string fault(const double* at) {
  const auto fault = FencedPages::fault_at(at);
  return fault ? std::string(fault->before) + fault->name + fault->after : "";
}

}  // namespace

TEST_CASE("fenced weights begin as zeros, accept a copy, and NaN or the fence follow them") {
  for (const std::int64_t dimension : {1, 7, 8, 512, 513, 5000}) {
    CAPTURE(dimension);
    ReadOnlyWeights weights(dimension);
    REQUIRE(weights.values().size() == static_cast<std::size_t>(dimension));
    CHECK(reinterpret_cast<std::uintptr_t>(weights.values().data()) % 64 == 0);
    CHECK(std::all_of(weights.values().begin(), weights.values().end(),
                      [](double value) { return value == 0; }));
    std::vector<double> w(static_cast<std::size_t>(dimension));
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = 1 + static_cast<double>(j);
    const double* copy = weights.copy_from(w);
    CHECK(std::equal(w.begin(), w.end(), copy));
    // NaN up to the fence, which begins with the next page.
    const double* end = copy + dimension;
    for (; reinterpret_cast<std::uintptr_t>(end) % page != 0; ++end) CHECK(std::isnan(*end));
    CHECK(end - (copy + dimension) < 8);
  }
}

TEST_CASE(
    "a fault before the fence is a write to w, a fault in it is an access after the end of w") {
  ReadOnlyWeights weights(600);
  const std::vector<double> w(600, 1.0);
  const double* copy = weights.copy_from(w);
  CHECK(fault(copy) == ": it writes to w, which is read-only");
  CHECK(fault(copy + 599) == ": it writes to w, which is read-only");
  CHECK(fault(copy + 600) == ": it reads or writes after the end of w");
  CHECK(fault(copy + 600 + page / sizeof(double) - 1) == ": it reads or writes after the end of w");
  CHECK(fault(copy + 600 + page / sizeof(double)) != ": it reads or writes after the end of w");
  CHECK(fault(w.data()).empty());
}

TEST_CASE("fenced weights free all their pages") {
  auto weights = std::make_unique<ReadOnlyWeights>(5000);
  const auto begin = reinterpret_cast<std::uintptr_t>(weights->values().data());
  const auto fence = begin + 5000 * sizeof(double);
  REQUIRE(fence % page == 0);
  for (std::uintptr_t at = begin; at <= fence; at += page) CHECK(is_mapped(at));
  weights.reset();
  for (std::uintptr_t at = begin; at <= fence; at += page) CHECK_FALSE(is_mapped(at));
  CHECK(fault(reinterpret_cast<const double*>(fence)).empty());
}
