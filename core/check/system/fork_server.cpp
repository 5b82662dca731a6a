#include "check/system/fork_server.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file/open_file.hpp"
#include "base/memory/out_of_memory.hpp"
#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/system/test_process.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::string printable_json(const std::string& text) {
  return Json::accept(text, true) ? text : printable(text);
}

// Handles the messages of a fork server, and sets the time limits for them.
class ForkServerMessages {
 public:
  ForkServerMessages(double limit, const std::function<void(const TestReport&)>& sink)
      : limit_(limit), sink_(sink) {}

  // The first line and the end may each take as long as a test. Between them, each test has its own
  // limit.
  double limit(int lines) const { return lines == 0 || ending_ || outcome_.refused ? limit_ : 0; }

  void handle_line(const std::string& line) {
    begun_ = true;
    watch_ = Stopwatch();
    const Json json = Json::parse(line);
    if (json.contains("report")) {
      sink_(report_in(json["report"]));
    } else if (json.contains("experiment")) {
      outcome_.experiments.push_back(json["experiment"]);
    } else if (json.contains("ending")) {
      ending_ = true;
    } else if (json.contains("ended")) {
      ended_ = true;
    } else if (json.contains("threaded")) {
      outcome_.threaded = true;
      outcome_.oracles = json["threaded"].get<std::vector<std::string>>();
    } else {
      outcome_.refused.emplace(static_cast<Exit>(json.at("refused").get<int>()),
                               json.at("text").get<std::string>(),
                               json.at("advice").get<std::string>());
    }
  }

  // Reports how the fork server ended, under the name of its current step. A component that calls
  // exit(0) in that step ends the process with code 0, so `ended_` is also tested.
  void end(const ChildExit& end, const ForkServer& fork_server) const {
    const bool sound = begun_ && end.sound() && ended_ == ending_;
    if (outcome_.refused || (sound && !ending_)) return;
    TestReport report;
    report.experiment = fork_server.experiment;
    report.name = begun_ ? fork_server.end_test : fork_server.first_test;
    report.seconds = watch_.seconds();
    report.cases = 1;
    if (!sound) report_abnormal_exit(report, end, limit_);
    sink_(report);
  }

  const ForkServerOutcome& outcome() const { return outcome_; }

 private:
  double limit_;
  const std::function<void(const TestReport&)>& sink_;
  ForkServerOutcome outcome_;
  bool begun_ = false;
  bool ending_ = false;
  bool ended_ = false;
  Stopwatch watch_;  // since the last line
};

int threads_now() {
  constexpr const char* tasks = "/proc/self/task";
  std::error_code error;
  std::filesystem::directory_iterator task(tasks, error);
  if (error) {
    throw system_failure(Exit::memory, std::string(tasks) + ": cannot be opened", error.value());
  }
  return static_cast<int>(std::distance(begin(task), end(task)));
}

}  // namespace

void ForkServerLink::report(TestReport report) const {
  if (report.experiment.empty()) report.experiment = experiment_;
  link_.send(Json{{"report", report_json(report)}}.dump());
}

void ForkServerLink::refused(const Failure& failure) const {
  const Failure told = with_memory_figures(failure);
  link_.send(Json{{"refused", static_cast<int>(told.exit())},
                  {"text", printable(told.what())},
                  {"advice", told.advice()}}
                 .dump());
}

void ForkServerLink::carries(const std::string& experiment) const {
  link_.send(Json{{"experiment", printable_json(experiment)}}.dump());
}

void ForkServerLink::threaded(const std::vector<std::string>& oracles) const {
  link_.send(Json{{"threaded", oracles}}.dump());
}

void ForkServerLink::ending(const std::string& what) const {
  link_.note(what);
  link_.send(Json{{"ending", true}}.dump());
}

void ForkServerLink::ended() const {
  link_.send(Json{{"ended", true}}.dump());
}

ForkServerOutcome run_fork_server(const ForkServer& fork_server, double limit,
                                  const std::function<void(const TestReport&)>& sink) {
  ForkServerMessages ear(limit, sink);
  const ChildExit end = run_in_child(
      [&](const ChildLink& link) {
        const ForkServerLink said(link, fork_server.experiment);
        try {
          fork_server.body(said);
        } catch (const Failure& failure) {  // no process for a test, or not enough memory in it
          said.refused(failure);
        }
      },
      [&](int lines) { return ear.limit(lines); },
      [&](const std::string& line) { ear.handle_line(line); });
  ear.end(end, fork_server);
  return ear.outcome();
}

// Waits a moment, because a joined thread is still listed for a short time.
int lasting_threads() {
  int count = threads_now();
  for (int k = 0; count > 1 && k < 10; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    count = std::min(count, threads_now());
  }
  return count;
}

}  // namespace sculpt::core
