#include "check/system/test_report.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> verdict_names = {"pass", "note", "warn",
                                                           "skip", "fail", "crash"};

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

Json report_json(const TestReport& report) {
  Json reasons = Json::array();  // they quote plugins and may contain any bytes
  for (const std::string& line : report.reasons) reasons.push_back(printable(line));
  Json json = {{"experiment", printable(report.experiment)},
               {"name", report.name},
               {"verdict", verdict_name(report.verdict)},
               {"not_offered", report.is_not_offered},
               {"cases", report.cases},
               {"brute_forced", report.brute_forced},
               {"seconds", report.seconds},
               {"reasons", reasons}};
  if (!report.facts.empty()) json["facts"] = report.facts;
  if (report.extensions.empty()) return json;
  json["extensions"] = Json::array();
  for (const std::string& entry : report.extensions) json["extensions"].push_back(printable(entry));
  return json;
}

TestReport report_from_json(const Json& json) {
  TestReport report;
  report.experiment = json.at("experiment").get<std::string>();
  report.name = json.at("name").get<std::string>();
  const auto verdict = json.at("verdict").get<std::string>();
  std::size_t index = 0;
  while (index < verdict_names.size() && verdict_names[index] != verdict) ++index;
  if (index == verdict_names.size()) throw std::runtime_error("unknown verdict " + verdict);
  report.verdict = static_cast<Verdict>(index);
  report.is_not_offered = json.at("not_offered").get<bool>();
  report.cases = json.at("cases").get<std::int64_t>();
  report.brute_forced = json.at("brute_forced").get<std::int64_t>();
  report.seconds = json.at("seconds").get<double>();
  report.reasons = json.at("reasons").get<std::vector<std::string>>();
  report.extensions = json.value("extensions", std::vector<std::string>());
  report.facts = json.value("facts", "");
  return report;
}

}  // namespace sculpt::core
