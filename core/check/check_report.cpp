#include "check/check_report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/text/message_text.hpp"
#include "check/check_run.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t name_width = 24;
constexpr std::size_t verdict_width = 7;
constexpr std::size_t cases_width = 30;
constexpr std::size_t wide_width = 40;  // of experiments in brief
constexpr const char* declared_extensions_test = "library.extensions";
constexpr const char* answered_extensions_test = "life.extensions";

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

// Returns "oracle" of "oracle.exact".
std::string_view group_of(std::string_view test) {
  return test.substr(0, test.find('.'));
}

std::string part_title(const TestReport& report) {
  return report.experiment.empty() ? "the library itself" : report.experiment;
}

// Returns how many tests a group has.
std::ptrdiff_t test_count(std::string_view group) {
  const std::vector<std::string> names = check_names();
  return std::count_if(names.begin(), names.end(),
                       [group](const std::string& name) { return group_of(name) == group; });
}

}  // namespace

CheckReport::CheckReport(TextOut out, CheckTitle title, CheckForm form)
    : out_(out), title_(std::move(title)), form_(form) {}

void CheckReport::add(const TestReport& report) {
  const bool is_new_part = reports_.empty() || reports_.back().experiment != report.experiment;
  if (form_ != CheckForm::json) {
    if (reports_.empty()) print_head();
    if (is_new_part) {
      end_part();
      has_part_title_ = false;
    }
    print_row(report);
  }
  reports_.push_back(report);
}

void CheckReport::end_part() {
  if (form_ == CheckForm::rows) return print_skipped(last_part());
  print_passed();
}

void CheckReport::print_passed() {
  const Part part = last_part();
  std::int64_t count = 0;
  double seconds = 0;
  for (std::size_t k = part.begin; k < part.end; ++k) {
    if (reports_[k].verdict != Verdict::pass) continue;
    ++count;
    seconds += reports_[k].seconds;
  }
  if (count == 0) return;
  const std::string name = has_part_title_ ? "all others" : part_title(reports_[part.begin]);
  out_ << (has_part_title_ ? "  " : "") << padded(name, has_part_title_ ? name_width : wide_width)
       << padded("pass", verdict_width) << padded(count_text(count, "test"), cases_width)
       << seconds_text(seconds) << "\n";
  out_.flush();
}

CheckReport::Part CheckReport::last_part() const {
  std::size_t begin = reports_.size();
  while (begin > 0 && reports_[begin - 1].experiment == reports_.back().experiment) --begin;
  return {begin, reports_.size()};
}

void CheckReport::print_head() {
  out_ << "check " << title_.subject << (title_.library.empty() ? "" : " (" + title_.library + ")")
       << ", level " << title_.level << ", seed " << title_.seed << "\n";
}

const TestReport* CheckReport::skipped_alike(const TestReport& report, Part part) const {
  if (report.verdict != Verdict::skip || report.is_not_offered) return nullptr;
  for (std::size_t k = part.begin; k < part.end; ++k) {
    const TestReport& other = reports_[k];
    if (&other == &report) return nullptr;
    const bool is_like = other.experiment == report.experiment && other.verdict == Verdict::skip &&
                         !other.is_not_offered && other.reasons == report.reasons;
    if (is_like) return &other;
  }
  return nullptr;
}

template <class IsListed>
std::string CheckReport::test_names(Part part, IsListed is_listed) const {
  std::vector<std::string> names;
  for (std::size_t k = part.begin; k < part.end; ++k) {
    if (!is_listed(reports_[k])) continue;
    const std::string_view group = group_of(reports_[k].name);
    const auto listed_of_group = std::count_if(
        reports_.begin() + static_cast<std::ptrdiff_t>(part.begin),
        reports_.begin() + static_cast<std::ptrdiff_t>(part.end),
        [&](const TestReport& other) { return group_of(other.name) == group && is_listed(other); });
    const bool is_whole_group = listed_of_group == test_count(group);
    const std::string name = is_whole_group ? std::string(group) : reports_[k].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return joined(names, ", ");
}

void CheckReport::print_skipped(Part part) {
  for (std::size_t k = part.begin; k < part.end; ++k) {
    const TestReport& first = reports_[k];
    if (first.verdict != Verdict::skip) continue;
    const std::string alike = test_names(
        part, [&](const TestReport& report) { return skipped_alike(report, part) == &first; });
    if (!alike.empty()) out_ << "  skipped like " << first.name << ": " << alike << "\n";
  }
  const std::string names =
      test_names(part, [](const TestReport& report) { return report.is_not_offered; });
  if (!names.empty()) out_ << "  not offered: " << names << "\n";
}

void CheckReport::print_row(const TestReport& report) {
  const bool needs_no_row = report.verdict == Verdict::pass || report.verdict == Verdict::skip;
  if (form_ == CheckForm::brief && needs_no_row) return;
  if (!std::exchange(has_part_title_, true)) out_ << "\n" << part_title(report) << "\n";
  const bool has_row = report.verdict != Verdict::skip ||
                       (!report.is_not_offered && skipped_alike(report, last_part()) == nullptr);
  if (!has_row) return;
  out_ << "  " << padded(report.name, name_width)
       << padded(std::string(verdict_name(report.verdict)), verdict_width)
       << padded(cases_text(report), cases_width) << seconds_text(report.seconds) << "\n";
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

std::vector<std::string> CheckReport::unanswered_extensions() const {
  std::vector<std::string> unanswered;
  std::set<std::string> answered;
  bool has_asked = false;
  for (const TestReport& report : reports_) {
    if (report.name == declared_extensions_test) unanswered = report.extensions;
    if (report.name != answered_extensions_test) continue;
    has_asked = true;
    answered.insert(report.extensions.begin(), report.extensions.end());
  }
  if (!has_asked) return {};
  unanswered.erase(
      std::remove_if(unanswered.begin(), unanswered.end(),
                     [&](const std::string& entry) { return answered.count(entry) > 0; }),
      unanswered.end());
  return unanswered;
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

// With a library each experiment has tests of these names.
void CheckReport::print_failed_names() {
  if (!has_failures()) return;
  out_ << "\nfailed:\n";
  for (const TestReport& report : reports_) {
    if (!report.has_failed()) continue;
    out_ << "  " << report.name << (report.experiment.empty() ? "" : " of " + report.experiment)
         << "\n";
  }
}

void CheckReport::finish(bool is_bad) {
  const std::vector<std::pair<Verdict, const char*>> verdicts = {
      {Verdict::fail, "failed"}, {Verdict::crash, "crashed"}, {Verdict::pass, "passed"},
      {Verdict::note, "noted"},  {Verdict::warn, "warned"},   {Verdict::skip, "skipped"}};
  const auto not_offered =
      std::count_if(reports_.begin(), reports_.end(),
                    [](const TestReport& report) { return report.is_not_offered; });
  const std::vector<std::string> unanswered = unanswered_extensions();
  if (form_ == CheckForm::json) {
    Json tests = Json::array();
    for (const TestReport& report : reports_) {
      Json test = report_json(report);
      if (report.has_failed()) test["repeat"] = printable(repeat_command_of(report));
      tests.push_back(test);
    }
    Json document = {{"subject", printable(title_.subject)},
                     {"level", title_.level},
                     {"seed", title_.seed},
                     {"tests", tests},
                     {"not_offered", not_offered}};
    if (!title_.library.empty()) document["library"] = printable(title_.library);
    if (!unanswered.empty()) document["unanswered_extensions"] = unanswered;
    for (const auto& [verdict, word] : verdicts) document[word] = count_of(verdict);
    out_.json(document);
    return;
  }
  end_part();
  if (!unanswered.empty()) {
    out_ << "\nThese extensions are declared, but no component of an experiment offered them. They "
            "may depend\non parameters or on other components:\n";
    for (const std::string& entry : unanswered) out_ << "  " << entry << "\n";
  }
  std::vector<std::string> totals;
  for (const auto& [verdict, word] : verdicts) {
    if (count_of(verdict) == 0) continue;
    totals.push_back(std::to_string(count_of(verdict)) + " " + word);
    if (verdict == Verdict::skip && not_offered > 0) {
      totals.back() += " (" + std::to_string(not_offered) + " not offered)";
    }
  }
  print_failed_names();
  out_ << "\nresult: " << (is_bad ? "FAILED: " : "ok: ")
       << (totals.empty() ? "no test was run" : joined(totals, ", ")) << "\n";
}

}  // namespace sculpt::core
