// Arrays of datasets in memory of the host (sculpt/cpp/large_arrays.hpp).
#include <doctest/doctest.h>
#include <sculpt/cpp/large_arrays.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>

namespace {

// A host whose storage is the heap, that counts.
struct CountingHost {
  std::set<void*> lent;
  std::int64_t most_bytes = std::int64_t{1} << 40;
  bool has_storage = true;
  sculpt_host raw{sizeof(sculpt_host), {0, 2}, this, "test", find};

  static CountingHost& of(const sculpt_host* host) {
    return *static_cast<CountingHost*>(host->self);
  }
  static sculpt_status allocate(const sculpt_host* host, std::int64_t size, void** memory,
                                sculpt_error* error) {
    CountingHost& self = of(host);
    *memory = nullptr;
    if (size > self.most_bytes) {
      sculpt::detail::write_error(error, "the disk is full");
      return SCULPT_E_MEMORY;
    }
    if (!self.has_storage) return SCULPT_OK;
    *memory = std::calloc(1, static_cast<std::size_t>(size));
    self.lent.insert(*memory);
    return SCULPT_OK;
  }
  static std::int32_t release(const sculpt_host* host, void* memory) {
    if (of(host).lent.erase(memory) == 0) return 0;
    std::free(memory);
    return 1;
  }
  static const void* find(const sculpt_host*, const char* id) {
    static constexpr sculpt_host_storage table = {allocate, release};
    return std::strcmp(id, SCULPT_HOST_STORAGE) == 0 ? &table : nullptr;
  }
};

constexpr int many = 1'000'000;

int sum_of_growing(sculpt::LargeVector<int>& numbers) {
  for (int k = 0; k < many; ++k) numbers.push_back(k % 7);
  return std::accumulate(numbers.begin(), numbers.end(), 0);
}

}  // namespace

TEST_CASE("large arrays grow in memory of the host, and small ones do not") {
  CountingHost host;
  {
    const sculpt::detail::ScopedHostOfArrays scope(&host.raw);
    sculpt::LargeVector<int> numbers;
    numbers.resize(1000);
    CHECK(host.lent.empty());
    numbers.clear();
    CHECK(sum_of_growing(numbers) == 2'999'997);
    CHECK(host.lent.size() == 1);
    sculpt::LargeVector<int> moved = std::move(numbers);
    CHECK(host.lent.size() == 1);
    const sculpt::LargeText text(std::size_t{3} << 20, 'x');
    CHECK(host.lent.size() == 2);
  }
  CHECK(host.lent.empty());
}

TEST_CASE("arrays that were made in a call keep their host after it") {
  CountingHost host;
  {
    sculpt::LargeVector<int> outside;
    std::unique_ptr<sculpt::LargeVector<int>> inside;
    {
      const sculpt::detail::ScopedHostOfArrays scope(&host.raw);
      inside = std::make_unique<sculpt::LargeVector<int>>();
    }
    sum_of_growing(outside);
    CHECK(host.lent.empty());
    sum_of_growing(*inside);
    CHECK(host.lent.size() == 1);
  }
  CHECK(host.lent.empty());
}

TEST_CASE("without storage of the host large arrays are ordinary memory") {
  CountingHost host;
  host.has_storage = false;
  const sculpt::detail::ScopedHostOfArrays scope(&host.raw);
  sculpt::LargeVector<int> numbers;
  CHECK(sum_of_growing(numbers) == 2'999'997);
  CHECK(host.lent.empty());
}

TEST_CASE("a full disk is an error of the host, and the old contents stay") {
  CountingHost host;
  const sculpt::detail::ScopedHostOfArrays scope(&host.raw);
  sculpt::LargeVector<int> numbers(300'000, 5);
  host.most_bytes = 1;
  CHECK_THROWS_WITH_AS(numbers.resize(many), "the disk is full", sculpt::Error);
  CHECK(numbers.size() == 300'000);
  CHECK(numbers.back() == 5);
  numbers.clear();
  numbers.shrink_to_fit();
  CHECK(host.lent.empty());
}
