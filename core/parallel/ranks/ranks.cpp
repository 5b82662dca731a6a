#include "parallel/ranks/ranks.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include "base/cancelled.hpp"
#include "base/infinity.hpp"
#include "base/stopwatch.hpp"

namespace sculpt::core {
namespace {

// A rank that failed waits so long for the others, in seconds.
constexpr double patience_after_failure = 0.7;

constexpr std::size_t max_name = 64;

using Name = std::array<char, max_name>;

// Cut to what fits, with a zero byte at the end.
Name name_of_text(std::string_view text) {
  Name name = {};
  std::copy_n(text.begin(), std::min(text.size(), max_name - 1), name.begin());
  return name;
}

std::int64_t sum_of(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

// Copies parts of blocks, of part_sizes bytes each, to where they begin in `all`: behind the first
// `begin` bytes of each block. The blocks have `sizes` bytes.
void place(std::string_view parts, std::span<const std::int64_t> part_sizes, std::int64_t begin,
           std::span<const std::int64_t> sizes, std::span<char> all) {
  const char* from = parts.data();
  char* to = all.data();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::copy_n(from, part_sizes[k], to + begin * (part_sizes[k] > 0));
    from += part_sizes[k];
    to += sizes[k];
  }
}

std::vector<std::string> gather_hosts(Transport& transport) {
  const Name own = name_of_text(transport.host());
  std::vector<Name> all(static_cast<std::size_t>(transport.count()));
  transport.start_gather(own, {all.front().data(), all.size() * max_name});
  while (!transport.is_done()) sched_yield();
  std::vector<std::string> hosts;
  for (const Name& name : all) hosts.emplace_back(name.data());
  return hosts;
}

}  // namespace

// What each rank tells the others at a step.
struct Ranks::Header {
  enum Status : std::int32_t { done, cancelled, failed };

  std::int64_t number = 0;  // of the step
  std::int64_t bytes = 0;   // of data, or of the text of a failure
  Status status = done;
  std::int32_t exit = 0;
  std::int32_t stop_signal = 0;  // 0: there was none
  std::int32_t time_is_over = 0;
  Name step = {};
};

Ranks::Ranks(std::unique_ptr<Transport> transport, std::int64_t most_bytes)
    : transport_(std::move(transport)),
      most_bytes_(most_bytes),
      rank_(transport_->rank()),
      count_(transport_->count()),
      hosts_(gather_hosts(*transport_)),
      own_header_(std::make_unique<Header>()),
      headers_(static_cast<std::size_t>(count_)),
      texts_(static_cast<std::size_t>(count_)),
      balance_(count_, rank_) {}

Ranks::~Ranks() = default;

const std::vector<std::string_view>& Ranks::gather(const char* step, const Work& work) {
  if (others_are_late_) throw Failure(*own_failure_);
  std::string_view own;
  *own_header_ = run(step, work, own);
  const bool has_own_failure = own_header_->status == Header::failed;
  if (!gather_headers(has_own_failure ? patience_after_failure : infinity)) {
    throw Failure(*own_failure_);
  }
  throw_if_failed();
  std::vector<std::int64_t> sizes;
  for (const Header& one : headers_) sizes.push_back(one.bytes);
  gather_parts(own, sizes);
  return blocks_;
}

// Sets blocks_ to those of all ranks, of these sizes.
void Ranks::gather_parts(std::string_view own, const std::vector<std::int64_t>& sizes) {
  between_messages([&] {
    received_.resize(static_cast<std::size_t>(sum_of(sizes)));
    if (!received_.empty()) gather_blocks(own, sizes, received_);
    blocks_.clear();
    std::size_t begin = 0;
    for (const std::int64_t size : sizes) {
      blocks_.push_back(std::string_view(received_).substr(begin, static_cast<std::size_t>(size)));
      begin += static_cast<std::size_t>(size);
    }
  });
}

void Ranks::together(const char* step, const std::function<void()>& work) {
  gather(step, [&] {
    work();
    return std::string_view();
  });
}

// Runs the work of this rank. Its exceptions become a part of the header.
Ranks::Header Ranks::run(const char* step, const Work& work, std::string_view& own) {
  is_in_step_ = true;
  Header header;
  try {
    own = work();
    header = header_of(step);
    header.bytes = std::ssize(own);
  } catch (const std::exception&) {
    header = failed_header(step, caught_failure());
  }
  is_in_step_ = false;
  return header;
}

// The exception that is being handled, as a Failure.
Failure Ranks::caught_failure() const {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::bad_alloc&) {
    return Failure(Exit::memory, "out of memory");
  } catch (const std::exception& error) {
    return Failure(Exit::internal, std::string("internal error: ") + error.what());
  }
}

void Ranks::between_messages(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception&) {
    own_failure_ = std::make_unique<Failure>(caught_failure());
    others_are_late_ = true;
    throw Failure(*own_failure_);
  }
}

Ranks::Header Ranks::header_of(const char* step) const {
  Header header;
  header.number = costs_.steps;
  header.step = name_of_text(step);
  header.stop_signal = own_stop_ ? own_stop_() : 0;
  header.time_is_over = is_first() && own_time_is_over_ && own_time_is_over_() ? 1 : 0;
  return header;
}

Ranks::Header Ranks::failed_header(const char* step, const Failure& failure) {
  Header header = header_of(step);
  own_failure_ = std::make_unique<Failure>(failure);
  header.exit = static_cast<std::int32_t>(failure.exit_code());
  if (failure.exit_code() == Exit::interrupted) {
    header.status = Header::cancelled;
    return header;
  }
  header.status = Header::failed;
  failure_text_ = failure.text_in_one_line();
  header.bytes = std::ssize(failure_text_);
  return header;
}

// Sends the own header. Returns false if not all ranks came in time.
bool Ranks::gather_headers(double max_seconds) {
  static_assert(sizeof(Header) == step_header_bytes);
  transport_->start_gather(
      {reinterpret_cast<const char*>(own_header_.get()), sizeof(Header)},
      {reinterpret_cast<char*>(headers_.data()), headers_.size() * sizeof(Header)});
  others_are_late_ = !wait(costs_.waiting_seconds, max_seconds);
  if (others_are_late_) return false;
  ++costs_.steps;
  costs_.sent_bytes += static_cast<std::int64_t>(sizeof(Header)) * (count_ - 1);
  int signal = 0;
  for (const Header& header : headers_) signal = std::max(signal, header.stop_signal);
  agreed_stop_ = signal;
  is_time_over_agreed_ = headers_.front().time_is_over != 0;
  return true;
}

// Throws the failure of the first rank that has one, on all ranks; else Cancelled if one was.
void Ranks::throw_if_failed() {
  const auto has = [&](Header::Status status) {
    return std::any_of(headers_.begin(), headers_.end(),
                       [&](const Header& header) { return header.status == status; });
  };
  if (!has(Header::failed)) {
    if (has(Header::cancelled)) throw Cancelled();
    return require_one_step();
  }
  has_failed_ = true;
  gather_texts();
  const auto first = std::find_if(headers_.begin(), headers_.end(), [](const Header& header) {
    return header.status == Header::failed;
  });
  const auto rank = static_cast<int>(first - headers_.begin());
  const bool is_common = std::all_of(headers_.begin(), headers_.end(), [&](const Header& header) {
    return header.status == Header::failed && header.exit == first->exit &&
           texts_[static_cast<std::size_t>(&header - headers_.data())] == texts_.front();
  });
  if (is_common) throw RankFailure(*own_failure_);
  throw RankFailure(Failure(static_cast<Exit>(first->exit),
                            name_of(rank) + ": " + texts_[static_cast<std::size_t>(rank)]));
}

void Ranks::gather_texts() {
  std::vector<std::int64_t> sizes;
  for (const Header& header : headers_) {
    sizes.push_back(header.status == Header::failed ? header.bytes : 0);
  }
  const bool has_own_failure = own_header_->status == Header::failed;
  gather_parts(has_own_failure ? std::string_view(failure_text_) : std::string_view(), sizes);
  texts_.assign(blocks_.begin(), blocks_.end());
}

std::string Ranks::name_of(int rank) const {
  return "rank " + std::to_string(rank) + " of " + std::to_string(count_) + " on " +
         hosts_[static_cast<std::size_t>(rank)];
}

// All ranks must make the same step. Anything else is a bug of the host or of a plugin that answers
// differently on another machine.
void Ranks::require_one_step() {
  for (int k = 1; k < count_; ++k) {
    const Header& one = headers_[static_cast<std::size_t>(k)];
    const Header& first = headers_.front();
    if (one.step == first.step && one.number == first.number) continue;
    has_failed_ = true;
    throw RankFailure(Failure(
        Exit::internal, "rank " + std::to_string(k) + " on " + hosts_[static_cast<std::size_t>(k)] +
                            " is at step " + std::to_string(one.number) + ", " + one.step.data() +
                            ", and rank 0 on " + hosts_.front() + " at step " +
                            std::to_string(first.number) + ", " + first.step.data() +
                            ": they computed different numbers; use machines of one kind"));
  }
}

void Ranks::exchange(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                     std::span<char> received, std::span<const std::int64_t> receive_sizes,
                     std::int64_t largest) {
  costs_.sent_bytes += std::ssize(send) - send_sizes[static_cast<std::size_t>(rank_)];
  const std::int64_t part = std::max<std::int64_t>(most_bytes_ / count_, 1);
  for (std::int64_t begin = 0; begin < largest; begin += part) {
    exchange_part(send, send_sizes, received, receive_sizes, begin, begin + part);
  }
}

// The bytes [begin, end) of all blocks, as far as they have so many.
void Ranks::exchange_part(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                          std::span<char> received, std::span<const std::int64_t> receive_sizes,
                          std::int64_t begin, std::int64_t end) {
  const auto parts_of = [&](std::span<const std::int64_t> sizes) {
    std::vector<std::int64_t> parts;
    for (const std::int64_t size : sizes) {
      parts.push_back(std::max<std::int64_t>(0, std::min(size, end) - begin));
    }
    return parts;
  };
  const std::vector<std::int64_t> sent = parts_of(send_sizes);
  const std::vector<std::int64_t> got = parts_of(receive_sizes);
  const bool is_whole = begin == 0 && std::equal(sent.begin(), sent.end(), send_sizes.begin()) &&
                        std::equal(got.begin(), got.end(), receive_sizes.begin());
  if (is_whole) {
    transport_->start_exchange(send, sent, received, got);
    wait(costs_.transfer_seconds, infinity);
    return;
  }
  std::string packed;
  const char* block = send.data();
  for (std::size_t k = 0; k < sent.size(); ++k) {
    packed.append(block + begin * (sent[k] > 0), static_cast<std::size_t>(sent[k]));
    block += send_sizes[k];
  }
  std::string arrived(static_cast<std::size_t>(sum_of(got)), '\0');
  transport_->start_exchange(packed, sent, arrived, got);
  wait(costs_.transfer_seconds, infinity);
  place(arrived, got, begin, receive_sizes, received);
}

void Ranks::gather_blocks(std::span<const char> own, std::span<const std::int64_t> sizes,
                          std::span<char> all) {
  if (std::ssize(all) <= most_bytes_) {
    transport_->start_gather_blocks(own, sizes, all);
    costs_.sent_bytes += std::ssize(own) * (count_ - 1);
    wait(costs_.transfer_seconds, infinity);
    return;
  }
  // Each part is sent to all.
  const std::int64_t part = std::max<std::int64_t>(most_bytes_ / count_, 1);
  const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
  std::string parts;
  for (std::int64_t begin = 0; begin < largest; begin += part) {
    std::vector<std::int64_t> got;
    for (const std::int64_t size : sizes) {
      got.push_back(std::clamp<std::int64_t>(size - begin, 0, part));
    }
    const std::int64_t sent = got[static_cast<std::size_t>(rank_)];
    parts.resize(static_cast<std::size_t>(sum_of(got)));
    transport_->start_gather_blocks(
        own.subspan(static_cast<std::size_t>(sent > 0 ? begin : 0), static_cast<std::size_t>(sent)),
        got, parts);
    costs_.sent_bytes += sent * (count_ - 1);
    wait(costs_.transfer_seconds, infinity);
    place(parts, got, begin, sizes, all);
  }
}

// Waits for the end of the operation, and adds the time to `seconds`. A rank that waits long gives
// its core away, because ranks may share one. Returns false after max_seconds.
bool Ranks::wait(double& seconds, double max_seconds) {
  constexpr double spinning = 20e-6;
  constexpr double yielding = 200e-6;
  constexpr double shortest_nap = 50e-6;
  // A transfer goes on only while it is asked for.
  const double longest_nap = &seconds == &costs_.transfer_seconds ? shortest_nap : 5e-3;
  const Stopwatch watch;
  bool is_done = false;
  while (!(is_done = transport_->is_done())) {
    const double waited = watch.seconds();
    if (waited > max_seconds) break;
    if (waited > yielding) {
      const double nap = std::clamp(waited / 500, shortest_nap, longest_nap);
      std::this_thread::sleep_for(std::chrono::duration<double>(nap));
    } else if (waited > spinning) {
      sched_yield();
    }
  }
  seconds += watch.seconds();
  return is_done;
}

int Ranks::stop_signal() const {
  if (!is_in_step_) return agreed_stop_;
  return own_stop_ ? own_stop_() : 0;
}

void Ranks::set_time_limit(std::function<bool()> is_over) {
  own_time_is_over_ = std::move(is_over);
  is_time_over_agreed_ = false;
}

bool Ranks::time_is_over() const {
  if (!is_in_step_) return is_time_over_agreed_;
  return is_first() && own_time_is_over_ && own_time_is_over_();
}

int Ranks::end(int exit, const Failure* failure, const std::function<void()>& print) {
  own_time_is_over_ = {};
  if (has_failed_) return exit;
  if (!others_are_late_) {
    *own_header_ = failure == nullptr ? header_of("end") : failed_header("end", *failure);
    if (failure == nullptr) own_header_->exit = exit;
    gather_headers(failure == nullptr ? infinity : patience_after_failure);
  }
  if (others_are_late_) {
    print();
    transport_->abort(exit);
  }
  throw_if_failed();
  return headers_.front().exit;
}

}  // namespace sculpt::core
