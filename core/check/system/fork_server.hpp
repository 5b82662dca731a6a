// fork_server.hpp - the process that loads one experiment or one library and forks a child for each
// test. Used by check_run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "check/system/forked_function.hpp"
#include "check/system/test_report.hpp"

namespace sculpt::core {

// Sends messages from the fork server to its parent: reports, a refusal, and the experiments of a
// library.
class ForkServerLink {
 public:
  ForkServerLink(const ChildLink& link, std::string experiment)
      : link_(link), experiment_(std::move(experiment)) {}

  // Pass on a report, the Failure of a refusal, and an experiment of the library.
  void send_report(TestReport report) const;
  void send_refusal(const Failure& failure) const;
  void send_experiment(const std::string& experiment) const;
  // The tests must run in other processes, because a fork has no threads of a plugin. `oracles`:
  // the names of the experiment's oracles.
  void send_has_threads(const std::vector<std::string>& oracles = {}) const;
  // After this call, send_ended() must follow within the time limit of one test. Nothing is sent
  // after send_ended().
  void send_ending(const std::string& what) const;
  void send_ended() const;
  void set_activity(const std::string& what) const { link_.set_activity(what); }

 private:
  const ChildLink& link_;
  std::string experiment_;
};

struct ForkServer {
  std::string experiment;  // "": a library
  std::string first_test;  // named in the report if no line comes
  std::string end_test;    // named in the report if it ends badly later
  std::function<void(const ForkServerLink&)> body;
};

struct ForkServerOutcome {
  std::optional<Failure> refusal;
  std::vector<std::string> experiments;  // of the library
  bool has_threads = false;              // the plugins left threads running
  std::vector<std::string> oracles;      // if `has_threads`
};

// Passes every report to `sink`. `limit`: the seconds until the first line, and from send_ending()
// or a refusal to the end. Requires that the calling process has one thread.
ForkServerOutcome run_fork_server(const ForkServer& fork_server, double limit,
                                  const std::function<void(const TestReport&)>& sink);

// Returns the number of threads of this process that do not end within some milliseconds.
int remaining_thread_count();

}  // namespace sculpt::core
