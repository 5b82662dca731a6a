#include "check/variants/variant_row.hpp"

#include <string_view>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_shown_change = 400;

// "features.order = 2, 3; features.bias = false": titles with the same left side in a row become
// one.
std::string titles_text(const std::vector<std::string>& titles) {
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
  return text;
}

}  // namespace

bool VariantRow::takes_another() {
  if (report_.has_failed()) return false;
  if (changes_ == 0) return true;
  if (changes_ >= budget_.changes) {
    ++left_out_by_count_;
  } else if (is_time_over()) {
    ++left_out_by_time_;
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
                     ", because the search for this value takes too long; give a higher --level or "
                     "a larger --time-limit");
  }
  if (left_out_by_count_ > 0) {
    limits.push_back("cannot show: a fault with " + count_text(left_out_by_count_, "change") +
                     " of " + report_.name + ", which were not made; give a higher --level");
  }
  if (left_out_by_time_ > 0) {
    limits.push_back("cannot show: a fault with " + count_text(left_out_by_time_, "change") +
                     " of " + report_.name +
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
  remark("not found, because it takes too long: the smallest value that allows every truth of ",
         open_limits_);
  if (left_out_by_count_ > 0) {
    report_.reasons.push_back("stopped before " + count_text(left_out_by_count_, "change") +
                              "; a higher --level makes more");
  }
  if (left_out_by_time_ > 0) {
    report_.reasons.push_back("stopped before " + count_text(left_out_by_time_, "change") +
                              " because the time was over; a larger --time-limit allows more");
  }
  if (made_.empty()) {
    report_.verdict = Verdict::skip;
    if (report_.reasons.empty()) report_.reasons = {if_all_refused_};
  }
  return report_;
}

}  // namespace sculpt::core
