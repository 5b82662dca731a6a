#include "check/test_process.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "cancelled.hpp"
#include "message_text.hpp"
#include "stopwatch.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* ready_line = "ready";

std::string limit_text(double seconds, const std::string& note) {
  return "took longer than " + exact_number_text(seconds) + " s" +
         (note.empty() ? "" : ", in the middle of: " + note) + " (--time-limit)";
}

// The line of the crash report (command/crash_report.hpp) without the host's name, or "".
std::string crash_line(const std::string& line) {
  constexpr std::string_view host = "sculpt: ";
  if (!line.starts_with(host)) return "";
  for (const char* what : {": crashed in ", ": ended the process in ", ": was still inside of "}) {
    if (line.find(what) != std::string::npos) return line.substr(host.size());
  }
  return "";
}

// Calls body(findings), and turns whatever it throws into a verdict.
template <class Body>
TestReport judged(const ChildLink& link, Body&& body) {
  Findings findings([&link](const std::string& what) { link.note(what); });
  const auto fault = [&](const char* text) {
    findings.report().verdict = Verdict::fail;
    findings.report().reasons = {text};
  };
  try {
    body(findings);
  } catch (const TestEnded&) {
  } catch (const Cancelled&) {
    fault("a component stopped as if asked to, but nobody asked");
  } catch (const std::exception& problem) {
    fault(problem.what());
  }
  return findings.report();
}

}  // namespace

void blame_end(TestReport& report, const ChildEnd& end, double limit) {
  report.verdict = end.late ? Verdict::fail : Verdict::crash;
  report.reasons = {end.late ? limit_text(limit, end.note) : "its process " + end_text(end)};
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
  const auto run = [&](const ChildLink& link) {
    const TestReport made = judged(link, [&](Findings& findings) {
      if (body.prepare) {
        findings.now("creating, loading and binding the components once more");
        body.prepare();
        findings.now("");
      }
      link.send(ready_line);
      body.run(findings);
    });
    link.send(report_json(made).dump());
  };
  const ChildEnd end = run_in_child(
      run, [&](int lines) { return lines < 2 ? limit : 5.0; },  // once told, it has only to end
      [&](const std::string& line) {
        if (line == ready_line) return;
        report = report_in(Json::parse(line));
        told = true;
      });
  const bool judged_well = told && (end.sound() || report.broken());
  if (!judged_well) blame_end(report, end, limit);
  report.name = name;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace sculpt::core
