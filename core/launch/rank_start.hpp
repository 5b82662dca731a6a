// rank_start.hpp - the ranks of a program that mpirun started.
//
// Called by library/program.cpp. libsculpt-mpi.so carries the messages. It is loaded only under
// mpirun, so machines without MPI need none.
#pragma once

#include <csignal>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string_view>

#include "base/surroundings.hpp"
#include "launch/stop_signal.hpp"
#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {

// nullptr: this process was started alone. Throws Failure: Exit::plugin if libsculpt-mpi.so is
// missing or belongs to another MPI than the one that started this process.
std::unique_ptr<Ranks> start_ranks();

// What is around a rank: that of the process. Only the first rank prints.
class RankSurroundings : public Surroundings {
 public:
  // Both outlive it.
  RankSurroundings(Surroundings& outer, Ranks& ranks) : outer_(outer), ranks_(ranks) {
    ranks_.watch_stop([&flag = outer_.stop_flag()] {
      if (!flag.stop_is_requested()) return 0;
      return core::stop_signal() != 0 ? core::stop_signal() : SIGTERM;
    });
  }

  std::ostream& out() override { return ranks_.is_first() ? outer_.out() : nowhere_; }
  std::ostream& error() override { return ranks_.is_first() ? outer_.error() : nowhere_; }
  void print_message(std::string_view text) override {
    if (ranks_.is_first()) outer_.print_message(text);
  }
  bool out_is_terminal() const override { return ranks_.is_first() && outer_.out_is_terminal(); }
  bool messages_are_terminal() const override {
    return ranks_.is_first() && outer_.messages_are_terminal();
  }
  StopFlag& stop_flag() override { return outer_.stop_flag(); }
  bool stop_is_requested() override { return ranks_.stop_is_requested(); }
  void clear_stop_request() override {
    outer_.clear_stop_request();
    ranks_.clear_stop_request();
  }
  Ranks* ranks() override { return &ranks_; }

 private:
  // Drops what is written.
  class NoBuffer : public std::streambuf {
    int_type overflow(int_type one) override { return traits_type::not_eof(one); }
    std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
  };

  Surroundings& outer_;
  Ranks& ranks_;
  NoBuffer no_buffer_;
  std::ostream nowhere_{&no_buffer_};
};

// What is around work that the first rank does by itself, while the others wait for what it tells
// them: they share none of it.
class LoneRankSurroundings : public Surroundings {
 public:
  // Both outlive it.
  LoneRankSurroundings(Surroundings& outer, Ranks& ranks) : outer_(outer), ranks_(ranks) {}

  std::ostream& out() override { return outer_.out(); }
  std::ostream& error() override { return outer_.error(); }
  void print_message(std::string_view text) override { outer_.print_message(text); }
  bool out_is_terminal() const override { return outer_.out_is_terminal(); }
  bool messages_are_terminal() const override { return outer_.messages_are_terminal(); }
  StopFlag& stop_flag() override { return outer_.stop_flag(); }
  // A signal to this rank, or to another one at the last step.
  bool stop_is_requested() override {
    return outer_.stop_flag().stop_is_requested() || ranks_.stop_is_requested();
  }
  void clear_stop_request() override { outer_.clear_stop_request(); }

 private:
  Surroundings& outer_;
  Ranks& ranks_;
};

}  // namespace sculpt::core
