// The dataset arrays borrows what is lent to it.

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "base/memory/process_memory.hpp"
#include "problem/components/dataset.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/components/memory_rows.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

// AddressSanitizer keeps a shadow of all memory that is read.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCULPT_TEST_HAS_SHADOW
#endif
#endif

// 32 MB of values, none of them 0: the dataset takes no memory of their order.
TEST_CASE("the values of lent arrays are not copied") {
  constexpr std::int64_t examples = 200000;
  constexpr std::int64_t features = 20;
  const std::vector<double> value(static_cast<std::size_t>(examples * features), 0.5);
  const std::vector<std::int32_t> label(static_cast<std::size_t>(examples), 1);
  sculpt_memory_rows raw = {};
  raw.struct_size = sizeof raw;
  raw.state_count = 2;
  raw.example_count = raw.site_count = examples;
  raw.feature_count = features;
  raw.value = value.data();
  raw.label = label.data();
  [[maybe_unused]] const std::int64_t before = process_memory().resident;
  const auto rows = std::make_shared<MemoryRows>("train", raw);
  const auto component = stub::create(SCULPT_KIND_DATASET, "arrays");
  Dataset dataset(*component, 1);
  dataset.load({"train", "", {}, "", rows});
  stub::bind_and_seal(*component);
  CHECK(DatasetRows(*component).sites(7).value == value.data() + 7 * features);
  CHECK(dataset.truth(7).data == label.data() + 7);
#ifndef SCULPT_TEST_HAS_SHADOW
  CHECK(process_memory().resident - before < 4'000'000);
#endif
}

}  // namespace
}  // namespace sculpt::core
