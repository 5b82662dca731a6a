#include "check/variants/variant_row.hpp"

#include <algorithm>
#include <string_view>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_shown_change = 400;
constexpr std::size_t max_shown_titles = 20;

// "features.order = 2, 3; features.bias = false": titles with the same left side in a row become
// one. Of many, the first ones.
std::string titles_text(const std::vector<std::string>& all) {
  const std::vector<std::string> titles(
      all.begin(),
      all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), max_shown_titles)));
  constexpr std::string_view equals = " = ";
  std::string text;
  std::string key_before;
  for (const std::string& title : titles) {
    const std::size_t at = title.find(equals);
    const std::string key = at == std::string::npos ? "" : title.substr(0, at);
    const bool is_same = !key.empty() && key == key_before;
    if (!text.empty()) text += is_same ? ", " : "; ";
    text += is_same ? title.substr(at + equals.size()) : title;
    key_before = key;
  }
  if (titles.size() == all.size()) return text;
  return text + " and " + std::to_string(all.size() - titles.size()) + " more";
}

}  // namespace

bool VariantRow::takes_another(const std::string& title) {
  if (report_.has_failed()) return false;
  if (changes_ == 0) return true;
  if (changes_ >= budget_.changes) {
    left_out_by_count_.push_back(title);
  } else if (is_time_over()) {
    left_out_by_time_.push_back(title);
  } else {
    return true;
  }
  return false;
}

bool VariantRow::takes_step() {
  if (steps_ >= budget_.steps || is_time_over()) return false;
  ++steps_;
  return true;
}

void VariantRow::add(const Variant& variant, const VariantResult& result) {
  ++changes_;
  report_.cases += result.report.cases;
  report_.brute_forced += result.report.brute_forced;
  if (result.outcome) {
    const bool is_refused = !result.outcome->refusal.empty();
    (is_refused ? refused_ : made_).push_back(variant.title);
  } else if (result.report.has_timed_out && !result.report.is_hanging()) {
    too_slow_.push_back(variant.title);  // the host made the change, and knows no better value
    forgive(result.report);
  } else {
    report_.verdict = result.report.verdict;
    report_.reasons = {"with " + variant.title + ":"};
    for (const std::string& line : result.report.reasons) report_.reasons.push_back("  " + line);
    for (const std::string& change : variant.overrides) {
      const bool is_long = change.size() > max_shown_change;
      report_.reasons.push_back("  change: " + change.substr(0, max_shown_change) +
                                (is_long ? "..." : ""));
    }
  }
}

void VariantRow::add_open_limit(const std::string& key) {
  if (std::find(open_limits_.begin(), open_limits_.end(), key) == open_limits_.end()) {
    open_limits_.push_back(key);
  }
}

void VariantRow::forgive(const TestReport& step) {
  if (forgiven_ == max_forgiven) return;
  ++forgiven_;
  forgiven_seconds_ += step.seconds;
}

std::vector<std::string> VariantRow::limits() const {
  std::vector<std::string> limits;
  for (const std::string& title : too_slow_) {
    limits.push_back("cannot show: a fault with " + title +
                     ", because its tests take too long; give a larger --time-limit");
  }
  for (const std::string& key : open_limits_) {
    limits.push_back("cannot show: a fault where a truth is exactly at the limit " + key +
                     ", because the search for this value was left out or takes too long; give a "
                     "higher --level or a larger --time-limit");
  }
  for (const std::string& reason : left_out_reasons_) {
    limits.push_back("cannot show: a fault with " + reason + "; check its library first");
  }
  if (!left_out_by_count_.empty()) {
    limits.push_back("cannot show: a fault with " + titles_text(left_out_by_count_) +
                     ", because the level has no more changes; give a higher --level");
  }
  if (!left_out_by_time_.empty()) {
    limits.push_back("cannot show: a fault with " + titles_text(left_out_by_time_) +
                     ", because the time was over; give a larger --time-limit");
  }
  return limits;
}

void VariantRow::skip(const std::string& reason) {
  report_.verdict = Verdict::skip;
  report_.reasons = {reason};
}

bool VariantRow::is_empty() const {
  return changes_ == 0 && left_out_reasons_.empty();
}

bool VariantRow::has_left_out() const {
  return !left_out_by_count_.empty() || !left_out_by_time_.empty() || !too_slow_.empty();
}

TestReport VariantRow::finished() {
  report_.seconds = watch_.seconds();
  if (report_.verdict == Verdict::skip || report_.has_failed()) return report_;
  const auto remark = [this](const std::string& what, const std::vector<std::string>& titles) {
    if (!titles.empty()) report_.reasons.push_back(what + titles_text(titles));
  };
  remark("tried: ", made_);
  if (if_all_refused_.empty()) remark("refused, which is no fault: ", refused_);
  remark("left out, because of the time limit (--time-limit): ", too_slow_);
  for (const std::string& reason : left_out_reasons_) {
    report_.reasons.push_back("left out: " + reason);
  }
  remark("not found: the value with a truth exactly at the limit of ", open_limits_);
  const auto remark_stop = [this](const std::vector<std::string>& titles, const char* why) {
    if (titles.empty()) return;
    report_.reasons.push_back("stopped before " + count_text(std::ssize(titles), "change") + why +
                              ": " + titles_text(titles));
  };
  remark_stop(left_out_by_count_, "; a higher --level makes more");
  remark_stop(left_out_by_time_, " because the time was over; a larger --time-limit allows more");
  if (made_.empty()) {
    report_.verdict = Verdict::skip;
    if (report_.reasons.empty()) report_.reasons = {if_all_refused_};
  }
  return report_;
}

}  // namespace sculpt::core
