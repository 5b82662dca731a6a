#include "check/check_report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t name_width = 24;
constexpr std::size_t verdict_width = 7;

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%8.2f s", seconds);
  return text;
}

std::string cases_text(const TestReport& report) {
  if (report.cases == 0 || report.verdict == Verdict::skip) return "";
  std::string cases = std::to_string(report.cases) + (report.cases == 1 ? " case" : " cases");
  if (report.brute_forced == 0) return cases;
  const bool all = report.brute_forced == report.cases;
  return cases + ", " + (all ? "all" : std::to_string(report.brute_forced)) + " brute-forced";
}

}  // namespace

CheckReport::CheckReport(std::ostream& out, CheckTitle title, bool json)
    : out_(out), title_(std::move(title)), json_(json) {}

void CheckReport::add(const TestReport& report) {
  if (!json_) print_row(report);
  reports_.push_back(report);
}

void CheckReport::print_row(const TestReport& report) {
  if (reports_.empty()) {
    out_ << "check " << printable(title_.subject)
         << (title_.library.empty() ? "" : " (" + printable(title_.library) + ")") << ", level "
         << title_.level << ", seed " << title_.seed << "\n";
  }
  const bool heading = reports_.empty() || reports_.back().experiment != report.experiment;
  if (heading) {
    out_ << "\n"
         << (report.experiment.empty() ? "the library itself" : printable(report.experiment))
         << "\n";
  }
  out_ << "  " << padded(report.name, name_width)
       << padded(std::string(verdict_name(report.verdict)), verdict_width)
       << padded(cases_text(report), 30) << seconds_text(report.seconds) << "\n";
  if (const TestReport* const same = same_before(report)) {
    out_ << "      the same as " << same->name << "\n";
    out_.flush();
    return;
  }
  const bool again = !heading && report.verdict == Verdict::skip &&
                     reports_.back().verdict == Verdict::skip &&
                     reports_.back().reasons == report.reasons;
  if (again) return;  // the reason is printed once per group
  for (const std::string& line : report.reasons) out_ << "      " << printable(line) << "\n";
  if (report.broken()) out_ << "      repeat: " << printable(repeat_of(report)) << "\n";
  out_.flush();
}

// Two crashes are the same if their first lines are equal. The later lines depend on the query.
const TestReport* CheckReport::same_before(const TestReport& report) const {
  if (!report.broken() || report.reasons.empty()) return nullptr;
  const auto same = std::find_if(reports_.begin(), reports_.end(), [&](const TestReport& other) {
    if (other.experiment != report.experiment || other.verdict != report.verdict) return false;
    return report.verdict == Verdict::crash && !other.reasons.empty()
               ? other.reasons.front() == report.reasons.front()
               : other.reasons == report.reasons;
  });
  return same == reports_.end() ? nullptr : &*same;
}

std::string CheckReport::repeat_of(const TestReport& report) const {
  return title_.repeat + " --only " + report.name;
}

std::size_t CheckReport::number_of(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(reports_.begin(), reports_.end(),
                    [verdict](const TestReport& report) { return report.verdict == verdict; }));
}

bool CheckReport::broken() const {
  return number_of(Verdict::fail) + number_of(Verdict::crash) > 0;
}

void CheckReport::finish() {
  const std::vector<std::pair<Verdict, const char*>> verdicts = {{Verdict::pass, "passed"},
                                                                 {Verdict::warn, "warned"},
                                                                 {Verdict::skip, "skipped"},
                                                                 {Verdict::fail, "failed"},
                                                                 {Verdict::crash, "crashed"}};
  if (json_) {
    Json tests = Json::array();
    for (const TestReport& report : reports_) {
      Json test = report_json(report);
      if (report.broken()) test["repeat"] = printable(repeat_of(report));
      tests.push_back(test);
    }
    Json all = {{"subject", printable(title_.subject)},
                {"level", title_.level},
                {"seed", title_.seed},
                {"tests", tests}};
    if (!title_.library.empty()) all["library"] = printable(title_.library);
    for (const auto& [verdict, word] : verdicts) all[word] = number_of(verdict);
    out_ << all.dump(2) << "\n";
    return;
  }
  std::vector<std::string> words;
  for (const auto& [verdict, word] : verdicts) {
    if (number_of(verdict) > 0) words.push_back(std::to_string(number_of(verdict)) + " " + word);
  }
  out_ << "\n" << (words.empty() ? "no test was run" : joined(words, ", ")) << "\n";
}

}  // namespace sculpt::core
