// Items that the ranks divide among them.

#include "parallel/ranks/shared_items.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <mutex>
#include <vector>

#include "core/parallel/ranks/thread_transport.hpp"

using namespace sculpt::core;

namespace {

struct SharedResult {
  std::vector<std::int64_t> items;
  std::int64_t more = 0;
};

// The items k^2 for each rank, with the number of items that the others computed.
std::vector<SharedResult> squares(int rank_count, std::int64_t count, std::vector<int>& computed) {
  std::vector<SharedResult> results(static_cast<std::size_t>(rank_count));
  std::mutex mutex;
  const auto ends = run_thread_ranks(rank_count, [&](Ranks& ranks) {
    SharedResult& result = results[static_cast<std::size_t>(ranks.rank())];
    result.items.assign(static_cast<std::size_t>(count), -1);
    std::int64_t own = 0;
    share_items(
        &ranks, StepItems{"squares", count, std::identity()},
        [&](std::int64_t begin, std::int64_t end, StepParts*) {
          for (std::int64_t k = begin; k < end; ++k) {
            result.items[static_cast<std::size_t>(k)] = k * k;
            const std::lock_guard guard(mutex);
            ++computed[static_cast<std::size_t>(k)];
          }
          own = end - begin;
        },
        [&](std::int64_t k, StateWriter& out) {
          // Items of different sizes.
          std::vector<std::int64_t> copies(static_cast<std::size_t>(k % 4 + 1),
                                           result.items[static_cast<std::size_t>(k)]);
          out.put_array(copies);
        },
        [&](std::int64_t k, StateReader& in) {
          std::vector<std::int64_t> copies;
          in.get_array(copies);
          result.items[static_cast<std::size_t>(k)] = copies.back();
        },
        [&](StateWriter& out) { out.put(own); },
        [&](StateReader& in) { result.more += in.get<std::int64_t>(); });
    result.more += own;
  });
  for (const RankEnd& end : ends) CHECK(end.text == "");
  return results;
}

}  // namespace

TEST_CASE("threads: each item is computed once, and all ranks have all, also with fewer items") {
  for (const int rank_count : {1, 2, 3, 7}) {
    for (const std::int64_t count : {0, 1, 2, 5, 100}) {
      CAPTURE(rank_count);
      CAPTURE(count);
      std::vector<int> computed(static_cast<std::size_t>(count));
      std::vector<std::int64_t> expected;
      for (std::int64_t k = 0; k < count; ++k) expected.push_back(k * k);
      for (const SharedResult& result : squares(rank_count, count, computed)) {
        CHECK(result.items == expected);
        CHECK(result.more == count);
      }
      CHECK(computed == std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }
}

TEST_CASE("a process without ranks computes all items, and neither saves nor loads") {
  std::int64_t first = -1;
  std::int64_t last = -1;
  share_items(
      nullptr, StepItems{"items", 7, std::identity()},
      [&](std::int64_t begin, std::int64_t end, StepParts* parts) {
        CHECK(parts == nullptr);
        first = begin;
        last = end;
      },
      [](std::int64_t, StateWriter&) { FAIL("saved"); },
      [](std::int64_t, StateReader&) { FAIL("loaded"); });
  CHECK(first == 0);
  CHECK(last == 7);
}
