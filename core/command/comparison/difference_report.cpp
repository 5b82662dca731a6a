#include "command/comparison/difference_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file/stored_json.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "launch/run_events.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t name_width = 24;
constexpr std::size_t value_width = 28;
constexpr std::size_t number_width = 14;

std::string value_text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number_text(value.get<double>());
  return value.dump();
}

std::string row(const std::string& name, const std::string& a, const std::string& b) {
  const std::string line = "  " + padded(name, name_width) + padded(a, value_width) + b;
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// Long values stand on their own lines.
std::string setting_rows(const SettingDifference& setting) {
  const std::string a = value_text(setting.a);
  const std::string b = value_text(setting.b);
  if (a.size() < value_width && setting.key.size() < name_width) return row(setting.key, a, b);
  return "  " + setting.key + "\n    A  " + a + "\n    B  " + b + "\n";
}

std::string settings_text(const std::vector<SettingDifference>& settings) {
  if (settings.empty()) return "settings and data: no difference\n";
  std::string text = "settings and data that differ\n";
  for (const SettingDifference& setting : settings) text += setting_rows(setting);
  return text;
}

std::string results_text(const ModelResults& a, const ModelResults& b) {
  std::string text = row("", "A", "B");
  for (const auto& [key, value] : a.json.items()) {
    text += row(key, value_text(value), value_text(b.json.at(key)));
  }
  return text;
}

std::string names_text(const char* model, std::int64_t count,
                       const std::vector<std::string>& names) {
  if (count == 0) return "";
  const bool has_more = std::ssize(names) < count;
  return std::string("    only in ") + model + ": " + joined(names, ", ") +
         (has_more ? (names.empty() ? "" : ", ") + std::string("...") : "") + "\n";
}

std::string dictionary_text(const DictionaryDifference& names) {
  if (names.only_a_count == 0 && names.only_b_count == 0) return "";
  return "  " + padded(names.what, name_width) + std::to_string(names.count_a) + " in A, " +
         std::to_string(names.count_b) + " in B; " + std::to_string(names.only_a_count) +
         " only in A, " + std::to_string(names.only_b_count) + " only in B\n" +
         names_text("A", names.only_a_count, names.only_a) +
         names_text("B", names.only_b_count, names.only_b);
}

std::string lone_text(const char* model, const LoneWeights& lone) {
  if (lone.count == 0) return "";
  std::string text = std::string("only in ") + model + ": " + count_text(lone.count, "weight") +
                     " of norm " + number_text(lone.norm) + "\n";
  for (const LoneWeight& weight : lone.largest) {
    text += "  " + padded(number_text(weight.value), number_width) + weight.name + "\n";
  }
  return text;
}

std::string pairs_text(const std::string& heading, const std::vector<NamedPair>& pairs) {
  if (pairs.empty()) return "";
  std::string text = heading + "\n  " + padded("A", number_width) + padded("B", number_width) +
                     padded("B - A", number_width) + "name\n";
  for (const NamedPair& pair : pairs) {
    text += "  " + padded(number_text(pair.a), number_width) +
            padded(number_text(pair.b), number_width) +
            padded(number_text(pair.b - pair.a), number_width) + pair.name + "\n";
  }
  return text;
}

std::string weights_text(const WeightDifference& weights) {
  std::string text =
      "weights" + std::string(weights.is_per_unit ? " for one unit of the data" : "");
  text += weights.is_same_order ? ": the same names in the same order\n" : ", matched by name\n";
  text += row("norm", number_text(weights.norm_a), number_text(weights.norm_b));
  text += row("distance", number_text(weights.distance), "");
  text += row("cosine", number_text(weights.cosine), "");
  if (!weights.is_same_order) text += row("in both", std::to_string(weights.matched_count), "");
  if (weights.distance == 0) return text + "no weight differs\n";
  return text + pairs_text("weights that differ most", weights.largest) +
         lone_text("A", weights.only_a) + lone_text("B", weights.only_b);
}

Json pairs_json(const std::vector<NamedPair>& pairs) {
  Json json = Json::array();
  for (const NamedPair& pair : pairs) {
    json.push_back(
        {{"name", pair.name}, {"a", pair.a}, {"b", pair.b}, {"difference", pair.b - pair.a}});
  }
  return json;
}

Json lone_json(const LoneWeights& lone) {
  Json json = {{"count", lone.count}, {"norm", number_json(lone.norm)}, {"weights", Json::array()}};
  for (const LoneWeight& weight : lone.largest) {
    json["weights"].push_back({{"name", weight.name}, {"value", weight.value}});
  }
  return json;
}

Json weights_json(const WeightDifference& weights) {
  return {{"same_order", weights.is_same_order},
          {"per_unit", weights.is_per_unit},
          {"matched", weights.matched_count},
          {"norm", {{"a", number_json(weights.norm_a)}, {"b", number_json(weights.norm_b)}}},
          {"distance", number_json(weights.distance)},
          {"cosine", number_json(weights.cosine)},
          {"largest", pairs_json(weights.largest)},
          {"only_in_a", lone_json(weights.only_a)},
          {"only_in_b", lone_json(weights.only_b)}};
}

Json dictionary_json(const DictionaryDifference& names) {
  return {{"count", {{"a", names.count_a}, {"b", names.count_b}}},
          {"only_in_a", {{"count", names.only_a_count}, {"names", names.only_a}}},
          {"only_in_b", {{"count", names.only_b_count}, {"names", names.only_b}}}};
}

Json results_json(const ModelResults& results) {
  Json json = {{"path", results.path.string()}};
  json.update(results.json);
  return json;
}

}  // namespace

ModelResults results_of(const std::filesystem::path& path, const ModelFile& model) {
  const Json& header = model.header();
  return read_stored_values(model.path(), "; train again or use another copy", [&] {
    Json json = {{"name", header.at("name")},
                 {"solver", header.at("/config/solver/use"_json_pointer)},
                 {"examples", header.at("examples")},
                 {"dimension", header.at("dimension")}};
    json["nonzero"] = std::count_if(model.weights().begin(), model.weights().end(),
                                    [](double weight) { return weight != 0; });
    for (const char* key :
         {"primal", "dual", "relative_gap", "certified", "passes", "stopped_by"}) {
      json[key] = header.at("certificate").at(key);
    }
    return ModelResults{path, json};
  });
}

void print_difference(const ModelResults& a, const ModelResults& b,
                      const ModelDifference& difference) {
  std::string text = "A  " + a.path.string() + "\nB  " + b.path.string() + "\n";
  text += results_text(a, b) + settings_text(difference.settings);
  std::string dictionaries;
  for (const auto& names : difference.dictionaries) dictionaries += dictionary_text(names);
  if (!dictionaries.empty()) text += "dictionaries that differ\n" + dictionaries;
  if (difference.weights) text += weights_text(*difference.weights);
  if (!difference.weights && difference.support_masses.empty()) {
    text += "support examples: no difference\n";
  }
  text += pairs_text("support examples whose mass differs most", difference.support_masses);
  report_out().lines(text);
}

Json difference_json(const ModelResults& a, const ModelResults& b,
                     const ModelDifference& difference) {
  Json json = {{"a", results_json(a)}, {"b", results_json(b)}, {"settings", Json::array()}};
  for (const SettingDifference& setting : difference.settings) {
    json["settings"].push_back({{"key", setting.key}, {"a", setting.a}, {"b", setting.b}});
  }
  json["dictionaries"] = Json::object();
  for (const auto& names : difference.dictionaries) {
    json["dictionaries"][names.what] = dictionary_json(names);
  }
  json["weights"] = difference.weights ? weights_json(*difference.weights) : Json();
  json["support"] = pairs_json(difference.support_masses);
  return json;
}

}  // namespace sculpt::core
