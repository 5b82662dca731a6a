// Steps of several ranks: what they tell each other, and how they stop together.

#include "parallel/ranks/ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <vector>

#include "base/cancelled.hpp"
#include "base/stopwatch.hpp"
#include "core/parallel/ranks/thread_transport.hpp"

using namespace sculpt::core;

namespace {

// Of a length and with letters that depend on the rank.
std::string text_of_rank(int rank, std::size_t unit) {
  std::string text(static_cast<std::size_t>((rank * 5) % 7) * unit, static_cast<char>('a' + rank));
  for (std::size_t j = 0; j < text.size(); j += 3) text[j] = static_cast<char>('A' + j % 26);
  return text;
}

// The same on all ranks, or "different".
template <class Value>
Value common_value(const std::vector<Value>& values, const Value& different) {
  for (const Value& one : values) {
    if (one != values.front()) return different;
  }
  return values.front();
}

}  // namespace

TEST_CASE("threads: each rank gets the blocks of all ranks, also empty ones, in large messages") {
  for (const int count : {1, 2, 3, 5, 7}) {
    for (const std::size_t unit : {std::size_t{0}, std::size_t{1}, std::size_t{10000}}) {
      CAPTURE(count);
      CAPTURE(unit);
      const auto ends = run_thread_ranks(count, [&](Ranks& ranks) {
        const std::string own = text_of_rank(ranks.rank(), unit);
        const auto& blocks = ranks.gather("texts", [&] { return std::string_view(own); });
        for (int rank = 0; rank < count; ++rank) {
          CHECK(blocks.at(static_cast<std::size_t>(rank)) == text_of_rank(rank, unit));
        }
        CHECK(std::ssize(blocks) == count);
      });
      CHECK(all_returned(ends));
    }
  }
}

TEST_CASE("threads: messages in parts arrive as whole ones do") {
  for (const std::int64_t most_bytes : {1, 7, 64}) {
    ThreadRankOptions options;
    options.most_bytes = most_bytes;
    const auto ends = run_thread_ranks(
        3,
        [](Ranks& ranks) {
          const std::string own = text_of_rank(ranks.rank(), 10);
          const auto& blocks = ranks.gather("texts", [&] { return std::string_view(own); });
          for (int rank = 0; rank < 3; ++rank) {
            CHECK(blocks.at(static_cast<std::size_t>(rank)) == text_of_rank(rank, 10));
          }
          // Rank j sends rank k the text "jk" j + 2 k times.
          std::string sent;
          std::string expected;
          std::vector<std::int64_t> send_sizes;
          std::vector<std::int64_t> receive_sizes;
          const auto text = [](int from, int to) {
            std::string all;
            for (int k = 0; k < from + 2 * to; ++k) all += std::to_string(10 * from + to) + ";";
            return all;
          };
          std::int64_t largest = 0;
          for (int from = 0; from < 3; ++from) {
            for (int to = 0; to < 3; ++to) largest = std::max(largest, std::ssize(text(from, to)));
          }
          for (int other = 0; other < 3; ++other) {
            sent += text(ranks.rank(), other);
            send_sizes.push_back(std::ssize(text(ranks.rank(), other)));
            expected += text(other, ranks.rank());
            receive_sizes.push_back(std::ssize(text(other, ranks.rank())));
          }
          std::string received(expected.size(), '?');
          ranks.exchange(sent, send_sizes, received, receive_sizes, largest);
          CHECK(received == expected);
        },
        options);
    for (const RankEnd& end : ends) CHECK(end.text == "");
  }
}

TEST_CASE("threads: ranks know their hosts, and how many share theirs") {
  ThreadRankOptions options;
  options.hosts = 2;
  const auto ends = run_thread_ranks(
      4,
      [](Ranks& ranks) {
        CHECK(ranks.hosts() == std::vector<std::string>{"host0", "host1", "host0", "host1"});
        CHECK(ranks.local_count() == 2);
        CHECK(ranks.is_first() == (ranks.rank() == 0));
      },
      options);
  CHECK(all_returned(ends));
}

TEST_CASE("threads: a stop asked of any rank stops all, and between steps all say the same") {
  for (int asked = 0; asked < 3; ++asked) {
    CAPTURE(asked);
    std::array<std::atomic<int>, 3> signals = {};
    const auto ends = run_thread_ranks(3, [&](Ranks& ranks) {
      std::atomic<int>& own = signals[static_cast<std::size_t>(ranks.rank())];
      ranks.watch_stop([&own] { return own.load(); });
      ranks.together("before", [] {});
      CHECK_FALSE(ranks.stop_is_requested());
      if (ranks.rank() == asked) own = SIGINT;
      // Not before the next step, though this rank knows.
      CHECK_FALSE(ranks.stop_is_requested());
      ranks.together("within",
                     [&] { CHECK(ranks.stop_is_requested() == (ranks.rank() == asked)); });
      CHECK(ranks.stop_signal() == SIGINT);
      own = 0;
      ranks.clear_stop_request();
      CHECK_FALSE(ranks.stop_is_requested());
      ranks.together("after", [] {});
      CHECK_FALSE(ranks.stop_is_requested());
    });
    for (const RankEnd& end : ends) CHECK(end.text == "");
  }
}

TEST_CASE("threads: only the clock of the first rank ends the time of a run") {
  for (int late = 0; late < 3; ++late) {
    CAPTURE(late);
    const bool is_over = late == 0;
    const auto ends = run_thread_ranks(3, [&](Ranks& ranks) {
      ranks.set_time_limit([&] { return ranks.rank() == late; });
      CHECK_FALSE(ranks.time_is_over());  // no step has been made
      ranks.together("work", [&] { CHECK(ranks.time_is_over() == (is_over && ranks.is_first())); });
      CHECK(ranks.time_is_over() == is_over);
      ranks.set_time_limit({});
      CHECK_FALSE(ranks.time_is_over());
      ranks.together("no limit", [] {});
      CHECK_FALSE(ranks.time_is_over());
    });
    for (const RankEnd& end : ends) CHECK(end.text == "");
  }
}

TEST_CASE("threads: between steps all ranks say the same, whenever the stop and the end come") {
  constexpr int steps = 200;
  std::vector<std::vector<int>> said(3);
  std::array<std::atomic<int>, 3> signals = {};
  const auto ends = run_thread_ranks(3, [&](Ranks& ranks) {
    const Stopwatch watch;
    const auto rank = static_cast<std::size_t>(ranks.rank());
    ranks.watch_stop([&] { return signals[rank].load(); });
    ranks.set_time_limit([&] { return watch.seconds() > 0.01; });
    for (int step = 0; step < steps; ++step) {
      ranks.together("work", [&] {
        if (step == 100 && rank == 1) signals[2] = SIGTERM;  // in the middle of a step of rank 2
      });
      said[rank].push_back(ranks.stop_signal() + (ranks.time_is_over() ? 1000 : 0));
    }
  });
  for (const RankEnd& end : ends) CHECK(end.text == "");
  CHECK(said[0].back() % 1000 == SIGTERM);
  CHECK(common_value(said, {}) == said[0]);
}

TEST_CASE("threads: messages that wait cost the time of a network, and their bytes are counted") {
  ThreadRankOptions options;
  options.delay.latency_seconds = 0.01;
  const auto ends = run_thread_ranks(
      2,
      [](Ranks& ranks) {
        const Stopwatch watch;
        const RankCosts before = ranks.costs();
        const std::string own(1000, 'x');
        ranks.gather("texts", [&] { return std::string_view(own); });
        CHECK(watch.seconds() >= 0.02);
        CHECK(ranks.costs().steps == before.steps + 1);
        CHECK(ranks.costs().sent_bytes >= before.sent_bytes + 1000);
        CHECK(ranks.costs().sent_bytes <= before.sent_bytes + 1200);
        CHECK(ranks.costs().transfer_seconds >= 0.01);
        CHECK(ranks.costs().waiting_seconds >= 0.01);
      },
      options);
  for (const RankEnd& end : ends) CHECK(end.text == "");
}
