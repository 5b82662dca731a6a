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
const std::string no_memory_line = "no memory: ";  // prefix of the message

std::string limit_text(double seconds, const std::string& note) {
  return "took longer than " + exact_number_text(seconds) + " s" +
         (note.empty() ? "" : ", in the middle of: " + note) + " (--time-limit)";
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
std::optional<Failure> want_of_memory(const std::exception& problem) {
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) {
    return out_of_memory("out of memory");
  }
  const auto* const failure = dynamic_cast<const Failure*>(&problem);
  if (failure == nullptr || failure->exit() != Exit::memory) return std::nullopt;
  return with_memory_figures(*failure);
}

// Calls body(context) and turns its exceptions into a verdict, except if memory has run out.
template <class Body>
TestReport judged(const ChildLink& link, Body&& body) {
  TestContext context([&link](const std::string& what) { link.note(what); });
  const auto fault = [&](const char* text) {
    context.report().verdict = Verdict::fail;
    context.report().reasons = {text};
  };
  try {
    body(context);
  } catch (const TestEnded&) {
  } catch (const Cancelled&) {
    fault("a component stopped as if asked to, but nobody asked");
  } catch (const std::exception& problem) {
    if (want_of_memory(problem)) throw;
    fault(problem.what());
  }
  return context.report();
}

}  // namespace

void report_abnormal_exit(TestReport& report, const ChildExit& end, double limit) {
  report.verdict = end.late ? Verdict::fail : Verdict::crash;
  report.reasons = {end.late ? limit_text(limit, end.note) : "its process " + exit_text(end)};
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
  bool told = false;
  std::optional<Failure> no_memory;
  const auto run = [&](const ChildLink& link) {
    std::optional<TestReport> made;
    try {
      made = judged(link, [&](TestContext& context) {
        if (body.prepare) {
          context.now("creating, loading and binding the components once more");
          body.prepare();
          context.now("");
        }
        link.send(ready_line);
        body.run(context);
      });
    } catch (const std::exception& problem) {
      const auto want = want_of_memory(problem);
      if (!want) throw;
      return link.send(no_memory_line + Json{printable(want->what()), want->advice()}.dump());
    }
    link.send(report_json(*made).dump());
  };
  const ChildExit end = run_in_child(
      run, [&](int lines) { return lines < 2 ? limit : 5.0; },  // 5 s to end after its result
      [&](const std::string& line) {
        if (line == ready_line) return;
        if (line.starts_with(no_memory_line)) {
          const Json message = Json::parse(line.substr(no_memory_line.size()));
          no_memory.emplace(Exit::memory, name + ": " + message.at(0).get<std::string>(),
                            message.at(1).get<std::string>());
          return;
        }
        report = report_in(Json::parse(line));
        told = true;
      });
  if (no_memory) throw Failure(*no_memory);
  const bool judged_well = told && (end.sound() || report.broken());
  if (!judged_well) report_abnormal_exit(report, end, limit);
  report.name = name;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace sculpt::core
