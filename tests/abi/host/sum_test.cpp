// The service "sum" of the host, through features in C (sculpt/ext/draft/host_sum.h).

#include <doctest/doctest.h>
#include <sculpt/ext/draft/host_sum.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/refusal.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

std::unique_ptr<Component> dense(std::int64_t dimension, int times) {
  auto component = stub::create(SCULPT_KIND_FEATURES, "dense",
                                R"({"dimension": )" + std::to_string(dimension) + R"(, "times": )" +
                                    std::to_string(times) + "}");
  stub::bind_and_seal(*component);
  return component;
}

// Outputs of which whole blocks are 0, parts of a block, and parts of a block at the end.
const std::vector<std::vector<std::int32_t>> outputs = {
    {}, {0}, {7, 8}, {15, 3, 16, 99}, {98, 99, 100}, {64, 65, 66, 67, 68, 69, 70, 71, 72}};
constexpr std::int64_t dimension = 101;  // no multiple of a block

TEST_CASE("features in C add a dense psi by the host: in a list, repeated and merged") {
  for (const int times : {1, 3, 200}) {  // 1800 entries: more than four times the dimension
    const auto component = dense(dimension, times);
    Features features(*component, 1);
    for (const auto& y : outputs) {
      CAPTURE(y.size());
      SparseVector expected;
      std::map<std::int32_t, double> psi;
      for (std::size_t p = 0; p < y.size(); ++p) psi[y[p]] = static_cast<double>(1 + p) / 4;
      for (const auto& [j, value] : psi) {
        expected.index.push_back(j);
        expected.value.push_back(times * value);  // exact: quarters
      }
      const SparseVector found = stub::psi_of(features, 4, y);
      CHECK(found.index == expected.index);
      CHECK(found.value == expected.value);
    }
  }
}

TEST_CASE("a dense psi is added to a dense sum") {
  const auto component = dense(dimension, 2);
  SparseAccumulator sum(dimension);
  Vector whole(static_cast<std::size_t>(dimension), 1);
  const SparseAccumulator::DenseTarget target(sum, whole);
  const std::vector<std::int32_t> y = {100, 8};
  component->call("accumulate", 2, [&](sculpt_error* error) {
    return component->api<sculpt_features_api>().accumulate(component->self(), 2, {y.data(), 2}, -3,
                                                            sum.raw(), error);
  });
  Vector expected(static_cast<std::size_t>(dimension), 1);
  expected[100] = 1 - 2 * 3 * 0.5;
  expected[8] = 1 - 2 * 3 * 1.0;
  CHECK(whole == expected);
  CHECK(sum.raw()->size == 0);
}

TEST_CASE("numbers of a dense psi that are not finite are refused") {
  const auto component = dense(dimension, 1);
  Features features(*component, 1);
  CHECK(refusal_of([&] { stub::psi_of(features, 0, {70}); }).says("feature 70 is infinite"));
}

// A sum that grows by exactly what is asked for, up to a limit, at another address each time.
struct ExactSum {
  sculpt_accumulator raw = {nullptr, nullptr, 0, 0, dimension, grow, nullptr};
  std::vector<std::int32_t> index;
  std::vector<double> value;
  std::int64_t limit;

  explicit ExactSum(std::int64_t most) : limit(most) {}

  static sculpt_status grow(sculpt_accumulator* raw, std::int64_t min_capacity) {
    auto& self = *reinterpret_cast<ExactSum*>(raw);
    if (min_capacity > self.limit) return SCULPT_E_MEMORY;
    std::vector<std::int32_t> index(self.index);
    std::vector<double> value(self.value);
    index.resize(static_cast<std::size_t>(min_capacity));
    value.resize(static_cast<std::size_t>(min_capacity));
    self.index.swap(index);
    self.value.swap(value);
    raw->index = self.index.data();
    raw->value = self.value.data();
    raw->capacity = min_capacity;
    return SCULPT_OK;
  }
};

const sculpt_host_sum& service() {
  static const HostLink link("test", stub::services());
  return *static_cast<const sculpt_host_sum*>(link.raw()->extension(link.raw(), SCULPT_HOST_SUM));
}

TEST_CASE("a sum with exactly the capacity that it is asked for gets all numbers but 0 and -0") {
  std::vector<double> psi(static_cast<std::size_t>(dimension), 0.0);
  psi[3] = -0.0;
  psi[5] = psi[100] = 2;
  psi[9] = std::numeric_limits<double>::denorm_min();
  ExactSum sum(1000);
  REQUIRE(service().add(&sum.raw, 4, psi.data()) == SCULPT_OK);
  CHECK(sum.raw.size == 3);
  CHECK(sum.raw.capacity == 3);
  CHECK(sum.index == std::vector<std::int32_t>{5, 9, 100});
  CHECK(sum.value == std::vector<double>{8, 4 * std::numeric_limits<double>::denorm_min(), 8});
}

TEST_CASE("a sum that cannot grow returns its status") {
  const std::vector<double> psi(static_cast<std::size_t>(dimension), 1.0);
  ExactSum sum(50);
  CHECK(service().add(&sum.raw, 1, psi.data()) == SCULPT_E_MEMORY);
  CHECK(sum.raw.size == 50);
}

}  // namespace
}  // namespace sculpt::core
