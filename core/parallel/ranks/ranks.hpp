// ranks.hpp - the processes of a run that share its work: a rank each, as under mpirun.
//
// Every rank runs the same program on the same input, and all of them make the same decisions. Only
// the calls of oracles and features are divided: each rank works on its part of the examples, and
// then all get the answers of all. So a rank always knows the whole state of the solver, and the
// result has the same bytes for any number of ranks, also one.
//
//   step   a piece of work that is divided. All ranks make the same steps in the same order.
//
// A rank that fails in a step or outside of one says so at the next step. Then all ranks throw its
// error. If the others do not come soon, it throws its error alone, and end() ends all processes.
// What would differ between ranks, the clock and the wish to stop, is decided by what the ranks
// told each other at the last step.
//
// Held by Surroundings (base/surroundings.hpp). Called by objective/, problem/ and the commands, on
// the main thread. nullptr stands for a single process everywhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "parallel/ranks/part_balance.hpp"
#include "parallel/ranks/transport.hpp"

namespace sculpt::core {

// What each rank sends to each other one at every step, beside its data.
inline constexpr std::int64_t step_header_bytes = 96;

// A rank failed, this one or another. All ranks throw it at the same step, so none of them waits.
class RankFailure : public Failure {
 public:
  explicit RankFailure(const Failure& failure) : Failure(failure) {}
};

// What the messages between ranks have cost this rank so far.
struct RankCosts {
  std::int64_t steps = 0;
  std::int64_t sent_bytes = 0;
  double waiting_seconds = 0;   // until all ranks had ended their part
  double transfer_seconds = 0;  // afterwards, until the data were there
};

class Ranks {
 public:
  // `most_bytes`: of one message to or from all ranks; MPI counts in 31 bits.
  explicit Ranks(std::unique_ptr<Transport> transport,
                 std::int64_t most_bytes = std::int64_t{1} << 30);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  // The first rank writes the files and the messages.
  bool is_first() const { return rank_ == 0; }
  int local_count() const { return transport_->local_count(); }
  const std::vector<std::string>& hosts() const { return hosts_; }  // [count]
  // "rank 1 of 4 on machine7".
  std::string name_of(int rank) const;

  // Divides the items of a step among the ranks. On all ranks, between the same steps.
  PartBalance& balance() { return balance_; }

  // One step: runs `work` and waits until all ranks have. Returns [count] the bytes that `work` of
  // each rank returned, valid until the next step. If `work` throws, on any rank, all ranks throw:
  // RankFailure with the error of the first rank that failed, else Cancelled. `step`: its name, a
  // literal. It is compared, so that a bug that leaves ranks at different steps is found. If this
  // rank fails and others do not come within a second, it alone throws, its own Failure.
  using Work = std::function<std::string_view()>;
  const std::vector<std::string_view>& gather(const char* step, const Work& work);

  // The same without data.
  void together(const char* step, const std::function<void()>& work);

  // Work of this rank between the messages of one step or sum, while others wait for its next
  // message. So if it throws, as without memory, this rank alone throws, and end() ends all.
  void between_messages(const std::function<void()>& work);

  // Between two steps, on all ranks, with sizes that all know. Rank k gets send_sizes[k] bytes of
  // `send`; `received` gets receive_sizes[k] bytes from it. `largest`: the largest size of all
  // ranks.
  void exchange(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                std::span<char> received, std::span<const std::int64_t> receive_sizes,
                std::int64_t largest);
  // Likewise: all = the blocks of all ranks, of sizes[count] bytes.
  void gather_blocks(std::span<const char> own, std::span<const std::int64_t> sizes,
                     std::span<char> all);

  // The signal by which this rank was asked to stop, or 0. [any]
  void watch_stop(std::function<int()> signal) { own_stop_ = std::move(signal); }
  // Within the work of a step: that of this rank. Between steps: that of one of them at the last
  // step. 0: there is none. [any]
  int stop_signal() const;
  bool stop_is_requested() const { return stop_signal() != 0; }
  // On all ranks, between the same steps.
  void clear_stop_request() { agreed_stop_ = 0; }

  // Whether the time of the run is over, by the clock of this rank; only that of the first rank
  // counts. Empty: there is no limit. On all ranks, between the same steps. [any]
  void set_time_limit(std::function<bool()> is_over);
  // Within the work of a step: by the clock of this rank if it is the first, else false. Between
  // steps: what the first rank said at the last one. [any]
  bool time_is_over() const;

  const RankCosts& costs() const { return costs_; }

  // The end of the program on this rank: waits for the others, and returns the exit code for all.
  // `failure`: what ended it here, or nullptr; it is reported to the other ranks, and thrown. If
  // they do not come to a step within a second, `print` is called and all processes end.
  int end(int exit, const Failure* failure, const std::function<void()>& print);
  // The last call, on all ranks.
  void close() { transport_->close(); }

 private:
  struct Header;

  Header run(const char* step, const Work& work, std::string_view& own);
  Header header_of(const char* step) const;
  Header failed_header(const char* step, const Failure& failure);
  Failure caught_failure() const;
  bool gather_headers(double max_seconds);
  void gather_parts(std::string_view own, const std::vector<std::int64_t>& sizes);
  void gather_texts();
  void throw_if_failed();
  void require_one_step();
  void exchange_part(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                     std::span<char> received, std::span<const std::int64_t> receive_sizes,
                     std::int64_t begin, std::int64_t end);
  bool wait(double& seconds, double max_seconds);

  std::unique_ptr<Transport> transport_;
  std::int64_t most_bytes_;
  int rank_;
  int count_;
  std::vector<std::string> hosts_;
  std::unique_ptr<Header> own_header_;
  std::vector<Header> headers_;  // [count] of the last step
  std::string received_;
  std::vector<std::string_view> blocks_;
  std::string failure_text_;        // of this rank, for the others
  std::vector<std::string> texts_;  // [count] of the ranks that failed
  std::unique_ptr<Failure> own_failure_;
  std::function<int()> own_stop_;
  std::function<bool()> own_time_is_over_;
  std::atomic<bool> is_in_step_ = false;
  std::atomic<int> agreed_stop_ = 0;
  std::atomic<bool> is_time_over_agreed_ = false;
  PartBalance balance_;
  RankCosts costs_;
  bool has_failed_ = false;       // all ranks know
  bool others_are_late_ = false;  // or wait for a message of this rank; only it knows
};

}  // namespace sculpt::core
