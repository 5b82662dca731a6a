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
  double limit(int lines) const { return lines == 0 || ending_ || outcome_.refusal ? limit_ : 0; }

  void handle_line(const std::string& line) {
    begun_ = true;
    watch_ = Stopwatch();
    const Json json = Json::parse(line);
    if (json.contains("report")) {
      sink_(report_from_json(json["report"]));
    } else if (json.contains("experiment")) {
      outcome_.experiments.push_back(json["experiment"]);
    } else if (json.contains("ending")) {
      ending_ = true;
    } else if (json.contains("ended")) {
      ended_ = true;
    } else if (json.contains("threaded")) {
      outcome_.has_threads = true;
      outcome_.oracles = json["threaded"].get<std::vector<std::string>>();
    } else {
      outcome_.refusal.emplace(static_cast<Exit>(json.at("refused").get<int>()),
                               json.at("text").get<std::string>(),
                               json.at("advice").get<std::string>());
    }
  }

  // Reports how the fork server ended, under the name of its current step. A component that calls
  // exit(0) in that step ends the process with code 0, so `ended_` is also tested.
  void report_end(const ChildExit& end, const ForkServer& fork_server) const {
    const bool has_succeeded = begun_ && end.has_succeeded() && ended_ == ending_;
    if (outcome_.refusal || (has_succeeded && !ending_)) return;
    TestReport report;
    report.experiment = fork_server.experiment;
    report.name = begun_ ? fork_server.end_test : fork_server.first_test;
    report.seconds = watch_.seconds();
    report.cases = 1;
    if (!has_succeeded) report_abnormal_exit(report, end, limit_);
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

int count_threads() {
  constexpr const char* folder = "/proc/self/task";  // has one entry for each thread
  std::error_code error;
  std::filesystem::directory_iterator thread(folder, error);
  if (error) {
    throw system_failure(Exit::memory, std::string(folder) + ": cannot be opened", error.value());
  }
  return static_cast<int>(std::distance(begin(thread), end(thread)));
}

}  // namespace

void ForkServerLink::send_report(TestReport report) const {
  if (report.experiment.empty()) report.experiment = experiment_;
  link_.send(Json{{"report", report_json(report)}}.dump());
}

void ForkServerLink::send_refusal(const Failure& failure) const {
  const Failure complete = with_memory_figures(failure);
  link_.send(Json{{"refused", static_cast<int>(complete.exit_code())},
                  {"text", printable(complete.what())},
                  {"advice", complete.advice()}}
                 .dump());
}

void ForkServerLink::send_experiment(const std::string& experiment) const {
  link_.send(Json{{"experiment", printable_json(experiment)}}.dump());
}

void ForkServerLink::send_has_threads(const std::vector<std::string>& oracles) const {
  link_.send(Json{{"threaded", oracles}}.dump());
}

void ForkServerLink::send_ending(const std::string& what) const {
  link_.set_activity(what);
  link_.send(Json{{"ending", true}}.dump());
}

void ForkServerLink::send_ended() const {
  link_.send(Json{{"ended", true}}.dump());
}

ForkServerOutcome run_fork_server(const ForkServer& fork_server, double limit,
                                  const std::function<void(const TestReport&)>& sink) {
  ForkServerMessages messages(limit, sink);
  const ChildExit end = run_in_child(
      [&](const ChildLink& child_link) {
        const ForkServerLink link(child_link, fork_server.experiment);
        try {
          fork_server.body(link);
        } catch (const Failure& failure) {  // no process for a test, or not enough memory in it
          link.send_refusal(failure);
        }
      },
      [&](int lines) { return messages.limit(lines); },
      [&](const std::string& line) { messages.handle_line(line); });
  messages.report_end(end, fork_server);
  return messages.outcome();
}

// Waits a moment, because a joined thread is still listed for a short time.
int remaining_thread_count() {
  int count = count_threads();
  for (int k = 0; count > 1 && k < 10; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    count = std::min(count, count_threads());
  }
  return count;
}

}  // namespace sculpt::core
