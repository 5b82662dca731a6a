// fork_server.hpp - the process of a whole experiment, or of one library, which loads it and forks
// one child for each test.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "check/system/forked_function.hpp"
#include "check/system/test_report.hpp"

namespace sculpt::core {

// The fork_server's end of the line: reports, what was refused, and what a library carries.
class ForkServerLink {
 public:
  ForkServerLink(const ChildLink& link, std::string experiment)
      : link_(link), experiment_(std::move(experiment)) {}

  void report(TestReport report) const;
  void refused(const Failure& failure) const;
  void carries(const std::string& experiment) const;
  // Its tests have to be run elsewhere: a fork has none of the threads of a plugin. `oracles`: the
  // names of those of an experiment.
  void threaded(const std::vector<std::string>& oracles = {}) const;
  // From here on the word that all has ended has to come within the time of a test, and is the
  // last.
  void ending(const std::string& what) const;
  void ended() const;
  void note(const std::string& what) const { link_.note(what); }

 private:
  const ChildLink& link_;
  std::string experiment_;
};

struct ForkServer {
  std::string experiment;  // "": of a library
  std::string first_test;  // which takes the blame when not even one line comes
  std::string end_test;    // likewise when it ends badly later on
  std::function<void(const ForkServerLink&)> body;
};

struct ForkServerOutcome {
  std::optional<Failure> refused;
  std::vector<std::string> experiments;  // that the library carries
  bool threaded = false;
  std::vector<std::string> oracles;  // where it is threaded
};

// Hands every report to `sink`; `limit`: the seconds until the first line, and for the end, also
// that of a process that has refused.
// Requires that the calling process has one thread.
ForkServerOutcome run_fork_server(const ForkServer& fork_server, double limit,
                                  const std::function<void(const TestReport&)>& sink);

// Threads of this process that are there to stay.
int lasting_threads();

}  // namespace sculpt::core
