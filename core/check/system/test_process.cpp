#include "check/system/test_process.hpp"

#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/cancelled.hpp"
#include "base/failure.hpp"
#include "base/memory/out_of_memory.hpp"
#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* ready_line = "ready";
const std::string no_memory_prefix = "no memory: ";  // prefix of the message

std::string limit_text(double seconds, const std::string& activity) {
  return "took longer than " + exact_number_text(seconds) + " s" +
         (activity.empty() ? "" : ", in the middle of: " + activity) + " (--time-limit)";
}

// Returns the line of the crash report (launch/crash_report.hpp) without the host's name, or "".
std::string crash_line(const std::string& line) {
  constexpr std::string_view host = "sculpt: ";
  if (!line.starts_with(host)) return "";
  for (const char* what : {": crashed in ", ": ended the process in ", ": was still inside of "}) {
    if (line.find(what) != std::string::npos) return line.substr(host.size());
  }
  return "";
}

// Returns the Failure if memory has run out, which is not an error of a plugin. Nothing for others.
std::optional<Failure> no_memory_failure(const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return out_of_memory("out of memory");
  }
  const auto* const failure = dynamic_cast<const Failure*>(&exception);
  if (failure == nullptr || failure->exit_code() != Exit::memory) return std::nullopt;
  return with_memory_figures(*failure);
}

// Calls body(context) and turns its exceptions into a verdict, except if memory has run out.
template <class Body>
TestReport run_body(const ChildLink& link, Body&& body) {
  TestContext context([&link](const std::string& what) { link.set_activity(what); });
  const auto set_failed = [&](const char* text) {
    context.report().verdict = Verdict::fail;
    context.report().reasons = {text};
  };
  try {
    body(context);
  } catch (const TestEnded&) {
  } catch (const Cancelled&) {
    set_failed("a plugin returned SCULPT_E_CANCELLED, but no stop was requested");
  } catch (const std::exception& exception) {
    if (no_memory_failure(exception)) throw;
    set_failed(exception.what());
  }
  return context.report();
}

}  // namespace

void report_abnormal_exit(TestReport& report, const ChildExit& end, double limit) {
  report.verdict = end.has_timed_out ? Verdict::fail : Verdict::crash;
  report.has_timed_out = end.has_timed_out;
  const bool is_hanging = end.has_timed_out && end.open_seconds >= limit / 2;
  report.hanging_component = is_hanging ? end.open_component : "";
  report.facts.clear();  // the crash counts, not what was found before it
  report.reasons = {end.has_timed_out ? limit_text(limit, end.activity)
                                      : "its process " + exit_text(end)};
  std::istringstream printed(end.printed);
  std::vector<std::string> lines;
  for (std::string line; std::getline(printed, line);) {
    const std::string crash = crash_line(line);
    if (!crash.empty()) {
      report.reasons.insert(report.reasons.begin(), crash);
    } else if (!line.empty()) {
      lines.push_back("  " + line);
    }
  }
  if (lines.empty()) return;
  report.reasons.emplace_back("it printed:");
  report.reasons.insert(report.reasons.end(), lines.begin(), lines.end());
}

TestReport run_test(const std::string& name, double limit, const TestBody& body) {
  const Stopwatch watch;
  TestReport report;
  bool has_report = false;
  std::optional<Failure> no_memory;
  const auto run = [&](const ChildLink& link) {
    std::optional<TestReport> result;
    try {
      result = run_body(link, [&](TestContext& context) {
        if (body.prepare) {
          context.set_activity("creating, loading and binding the components once more");
          body.prepare();
          context.set_activity("");
        }
        link.send(ready_line);
        body.run(context);
      });
    } catch (const std::exception& exception) {
      const auto failure = no_memory_failure(exception);
      if (!failure) throw;
      return link.send(no_memory_prefix +
                       Json{printable(failure->what()), failure->advice()}.dump());
    }
    link.send(report_json(*result).dump());
  };
  const ChildExit end = run_in_child(
      run, [&](int lines) { return lines < 2 ? limit : 5.0; },  // 5 s to end after its result
      [&](const std::string& line) {
        if (line == ready_line) return;
        if (line.starts_with(no_memory_prefix)) {
          const Json message = Json::parse(line.substr(no_memory_prefix.size()));
          no_memory.emplace(Exit::memory, name + ": " + message.at(0).get<std::string>(),
                            message.at(1).get<std::string>());
          return;
        }
        report = report_from_json(Json::parse(line));
        has_report = true;
      });
  if (no_memory) throw Failure(*no_memory);
  const bool is_valid = has_report && (end.has_succeeded() || report.has_failed());
  if (!is_valid) report_abnormal_exit(report, end, limit);
  report.name = name;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace sculpt::core
