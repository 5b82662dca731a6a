#include "check/check_report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

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
  std::string cases = count_text(report.cases, "case");
  if (report.brute_forced == 0) return cases;
  const bool all_forced = report.brute_forced == report.cases;
  return cases + ", " + (all_forced ? "all" : std::to_string(report.brute_forced)) +
         " brute-forced";
}

}  // namespace

CheckReport::CheckReport(CheckTitle title, bool is_json)
    : out_(report_out()), title_(std::move(title)), is_json_(is_json) {}

void CheckReport::add(const TestReport& report) {
  if (!is_json_) print_row(report);
  reports_.push_back(report);
}

void CheckReport::print_row(const TestReport& report) {
  if (reports_.empty()) {
    out_ << "check " << title_.subject
         << (title_.library.empty() ? "" : " (" + title_.library + ")") << ", level "
         << title_.level << ", seed " << title_.seed << "\n";
  }
  const bool is_new_group = reports_.empty() || reports_.back().experiment != report.experiment;
  if (is_new_group) {
    out_ << "\n" << (report.experiment.empty() ? "the library itself" : report.experiment) << "\n";
  }
  out_ << "  " << padded(report.name, name_width)
       << padded(std::string(verdict_name(report.verdict)), verdict_width)
       << padded(cases_text(report), 30) << seconds_text(report.seconds) << "\n";
  if (const TestReport* const duplicate = earlier_duplicate(report)) {
    out_ << "      the same as " << duplicate->name << "\n";
    out_.flush();
    return;
  }
  for (const std::string& line : report.reasons) out_ << "      " << line << "\n";
  if (report.has_failed()) out_ << "      repeat: " << repeat_command_of(report) << "\n";
  out_.flush();
}

// Two crashes are the same if their first lines are equal. The later lines depend on the query.
const TestReport* CheckReport::earlier_duplicate(const TestReport& report) const {
  if (!report.has_failed() || report.reasons.empty()) return nullptr;
  const auto duplicate =
      std::find_if(reports_.begin(), reports_.end(), [&](const TestReport& other) {
        if (other.experiment != report.experiment || other.verdict != report.verdict) return false;
        return report.verdict == Verdict::crash && !other.reasons.empty()
                   ? other.reasons.front() == report.reasons.front()
                   : other.reasons == report.reasons;
      });
  return duplicate == reports_.end() ? nullptr : &*duplicate;
}

std::string CheckReport::repeat_command_of(const TestReport& report) const {
  return title_.repeat_command + " --only " + report.name;
}

std::size_t CheckReport::count_of(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(reports_.begin(), reports_.end(),
                    [verdict](const TestReport& report) { return report.verdict == verdict; }));
}

bool CheckReport::has_failures() const {
  return count_of(Verdict::fail) + count_of(Verdict::crash) > 0;
}

void CheckReport::finish() {
  const std::vector<std::pair<Verdict, const char*>> verdicts = {{Verdict::pass, "passed"},
                                                                 {Verdict::warn, "warned"},
                                                                 {Verdict::skip, "skipped"},
                                                                 {Verdict::fail, "failed"},
                                                                 {Verdict::crash, "crashed"}};
  if (is_json_) {
    Json tests = Json::array();
    for (const TestReport& report : reports_) {
      Json test = report_json(report);
      if (report.has_failed()) test["repeat"] = printable(repeat_command_of(report));
      tests.push_back(test);
    }
    Json document = {{"subject", printable(title_.subject)},
                     {"level", title_.level},
                     {"seed", title_.seed},
                     {"tests", tests}};
    if (!title_.library.empty()) document["library"] = printable(title_.library);
    for (const auto& [verdict, word] : verdicts) document[word] = count_of(verdict);
    print_json(document);
    return;
  }
  std::vector<std::string> totals;
  for (const auto& [verdict, word] : verdicts) {
    if (count_of(verdict) > 0) totals.push_back(std::to_string(count_of(verdict)) + " " + word);
  }
  out_ << "\n" << (totals.empty() ? "no test was run" : joined(totals, ", ")) << "\n";
}

}  // namespace sculpt::core
