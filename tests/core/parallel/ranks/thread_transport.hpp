// thread_transport.hpp - ranks that are threads of one process, for tests.
//
// A message waits as long as a network would make it wait, if the test says so. The operations are
// checked as MPI does not: all ranks must start the same one, with sizes that fit together.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/failure.hpp"
#include "parallel/ranks/ranks.hpp"
#include "parallel/ranks/transport.hpp"

namespace sculpt::core {

// How long an operation takes after all ranks have started it.
struct MessageDelay {
  double latency_seconds = 0;
  double seconds_per_byte = 0;  // of the rank that receives most
};

// What abort() of one rank does to all of them.
struct RanksAborted {
  int rank;  // that called it
  int exit;
};

// The place where the ranks meet. Must outlive their transports.
class RankMeeting {
 public:
  explicit RankMeeting(int count, MessageDelay delay = {}) : count_(count), delay_(delay) {}

  int count() const { return count_; }

  // What a rank brings to operation `number`: blocks[k] is for rank k.
  void start(std::int64_t number, int rank, const char* kind, std::vector<std::string> blocks) {
    const std::lock_guard guard(mutex_);
    Operation& operation = operations_[number];
    if (operation.kinds.empty()) {
      operation.kinds.resize(static_cast<std::size_t>(count_));
      operation.blocks.resize(static_cast<std::size_t>(count_));
    }
    operation.kinds[static_cast<std::size_t>(rank)] = kind;
    operation.blocks[static_cast<std::size_t>(rank)] = std::move(blocks);
    if (++operation.started == count_) operation.end = end_of(operation);
  }

  // The blocks for this rank, once all ranks have started the operation and its time is over.
  std::optional<std::vector<std::string>> take(std::int64_t number, int rank) {
    const std::lock_guard guard(mutex_);
    if (aborted_) throw RanksAborted(*aborted_);
    Operation& operation = operations_.at(number);
    if (operation.started < count_ || Clock::now() < operation.end) return std::nullopt;
    for (const std::string& kind : operation.kinds) {
      if (kind != operation.kinds.front()) {
        throw std::logic_error("a rank starts " + kind + ", another " + operation.kinds.front());
      }
    }
    std::vector<std::string> taken;
    for (auto& blocks : operation.blocks) {
      taken.push_back(std::move(blocks[static_cast<std::size_t>(rank)]));
    }
    if (++operation.taken == count_) operations_.erase(number);
    return taken;
  }

  [[noreturn]] void abort(int rank, int exit) {
    const std::lock_guard guard(mutex_);
    if (!aborted_) aborted_ = RanksAborted{rank, exit};
    throw RanksAborted(*aborted_);
  }

  std::optional<RanksAborted> aborted() {
    const std::lock_guard guard(mutex_);
    return aborted_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Operation {
    int started = 0;  // ranks
    int taken = 0;
    Clock::time_point end;
    std::vector<std::string> kinds;                // [rank]
    std::vector<std::vector<std::string>> blocks;  // [sender][receiver]
  };

  Clock::time_point end_of(const Operation& operation) const {
    std::size_t most_bytes = 0;
    for (std::size_t receiver = 0; receiver < operation.blocks.size(); ++receiver) {
      std::size_t bytes = 0;
      for (std::size_t sender = 0; sender < operation.blocks.size(); ++sender) {
        if (sender != receiver) bytes += operation.blocks[sender][receiver].size();
      }
      most_bytes = std::max(most_bytes, bytes);
    }
    const double seconds =
        delay_.latency_seconds + delay_.seconds_per_byte * static_cast<double>(most_bytes);
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  int count_;
  MessageDelay delay_;
  std::mutex mutex_;
  std::map<std::int64_t, Operation> operations_;  // that some rank has not ended
  std::optional<RanksAborted> aborted_;
};

class ThreadTransport : public Transport {
 public:
  // `hosts`: that the ranks are on, one after the other.
  ThreadTransport(RankMeeting& meeting, int rank, int hosts)
      : meeting_(meeting), rank_(rank), hosts_(hosts) {}

  int rank() const override { return rank_; }
  int count() const override { return meeting_.count(); }
  int local_count() const override { return (count() + hosts_ - 1) / hosts_; }
  std::string host() const override { return "host" + std::to_string(rank_ % hosts_); }
  std::string name() const override { return "threads"; }

  void start_gather(std::span<const char> own, std::span<char> all) override {
    start("a gather", std::vector(ranks(), std::string(own.data(), own.size())),
          std::vector(ranks(), std::ssize(own)), all);
  }
  void start_gather_blocks(std::span<const char> own, std::span<const std::int64_t> sizes,
                           std::span<char> all) override {
    require(std::ssize(own) == sizes[static_cast<std::size_t>(rank_)], "the size of an own block");
    start("a gather of blocks", std::vector(ranks(), std::string(own.data(), own.size())),
          {sizes.begin(), sizes.end()}, all);
  }
  void start_exchange(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                      std::span<char> received,
                      std::span<const std::int64_t> receive_sizes) override {
    std::vector<std::string> blocks;
    std::size_t begin = 0;
    for (const std::int64_t size : send_sizes) {
      blocks.emplace_back(send.subspan(begin, static_cast<std::size_t>(size)).data(),
                          static_cast<std::size_t>(size));
      begin += static_cast<std::size_t>(size);
    }
    require(begin == send.size(), "the sizes of what is sent");
    start("an exchange", std::move(blocks), {receive_sizes.begin(), receive_sizes.end()}, received);
  }
  bool is_done() override {
    if (is_ended_) return true;
    const auto blocks = meeting_.take(number_, rank_);
    if (!blocks) return false;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < blocks->size(); ++k) {
      const std::string& block = (*blocks)[k];
      require(std::ssize(block) == sizes_[k], "the size of a block that arrives");
      require(begin + block.size() <= received_.size(), "the memory for the blocks");
      std::copy(block.begin(), block.end(), received_.data() + begin);
      begin += block.size();
    }
    require(begin == received_.size(), "the size of all blocks");
    ++number_;
    is_ended_ = true;
    return true;
  }
  [[noreturn]] void abort(int exit) override { meeting_.abort(rank_, exit); }
  void close() override {}

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(count()); }

  static void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string(what) + " is wrong");
  }
  void start(const char* kind, std::vector<std::string> blocks, std::vector<std::int64_t> sizes,
             std::span<char> received) {
    require(is_ended_, "an operation that begins before the one before it has ended");
    is_ended_ = false;
    sizes_ = std::move(sizes);
    received_ = received;
    meeting_.start(number_, rank_, kind, std::move(blocks));
  }

  RankMeeting& meeting_;
  int rank_;
  int hosts_;
  std::int64_t number_ = 0;  // of the operation
  bool is_ended_ = true;
  std::vector<std::int64_t> sizes_;  // of the blocks that arrive
  std::span<char> received_;
};

// How the work of a rank ended.
struct RankEnd {
  bool is_failure = false;  // a Failure was thrown
  bool is_rank_failure = false;
  Exit exit = Exit::reached;
  std::string text;       // of the exception
  bool is_abort = false;  // this rank or another called abort()
  bool is_other = false;  // any other exception: a mistake in a test or in Ranks
};

struct ThreadRankOptions {
  std::int64_t most_bytes = std::int64_t{1} << 30;
  MessageDelay delay;
  int hosts = 1;
};

// Runs work(ranks) on `count` ranks, a thread each. Returns how they ended, [count].
inline std::vector<RankEnd> run_thread_ranks(int count, const std::function<void(Ranks&)>& work,
                                             const ThreadRankOptions& options = {}) {
  RankMeeting meeting(count, options.delay);
  std::vector<RankEnd> ends(static_cast<std::size_t>(count));
  const auto run = [&](int rank) {
    RankEnd& end = ends[static_cast<std::size_t>(rank)];
    try {
      Ranks ranks(std::make_unique<ThreadTransport>(meeting, rank, options.hosts),
                  options.most_bytes);
      work(ranks);
    } catch (const RankFailure& failure) {
      end = {true, true, failure.exit_code(), failure.what()};
    } catch (const Failure& failure) {
      end = {true, false, failure.exit_code(), failure.what()};
    } catch (const RanksAborted& aborted) {
      end.is_abort = true;
      end.exit = static_cast<Exit>(aborted.exit);
      end.text = "aborted by rank " + std::to_string(aborted.rank);
    } catch (const std::exception& error) {
      end.is_other = true;
      end.text = error.what();
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  return ends;
}

// True if the work of all ranks returned.
inline bool all_returned(const std::vector<RankEnd>& ends) {
  return std::all_of(ends.begin(), ends.end(), [](const RankEnd& end) { return end.text.empty(); });
}

}  // namespace sculpt::core
