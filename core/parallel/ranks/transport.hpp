// transport.hpp - what moves bytes between the processes of a run.
//
// Implemented for Open MPI by launch/mpi_start.cpp, and for threads by tests. Used by Ranks alone,
// on one thread. Operations as in transport.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sculpt::core {

class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;         // in [0, count())
  virtual int count() const = 0;        // processes
  virtual int local_count() const = 0;  // of these on this machine
  virtual std::string host() const = 0;
  virtual std::string name() const = 0;  // of what carries the messages

  // all[count * own.size()] = the bytes of all ranks, in their order.
  virtual void start_gather(std::span<const char> own, std::span<char> all) = 0;
  // The same for blocks of sizes[count] bytes.
  virtual void start_gather_blocks(std::span<const char> own, std::span<const std::int64_t> sizes,
                                   std::span<char> all) = 0;
  // Rank k gets send_sizes[k] bytes of `send`, the blocks one after the other. `received` likewise.
  virtual void start_exchange(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                              std::span<char> received,
                              std::span<const std::int64_t> receive_sizes) = 0;
  // True if the operation has ended. Its memory must stay until then.
  virtual bool is_done() = 0;
  // Ends all processes with this exit code.
  [[noreturn]] virtual void abort(int exit) = 0;
  // The last call, on all ranks.
  virtual void close() = 0;
};

}  // namespace sculpt::core
