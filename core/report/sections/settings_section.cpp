// The settings of each run, as config.json has them, side by side.

#include <algorithm>
#include <map>
#include <set>

#include "report/figure/figure.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_value_length = 80;

using Settings = std::map<std::string, std::string>;

// Adds the values below a key: "solver.C" and "10". Lists are one value.
void add_settings(const std::string& key, const Json& value, std::vector<std::string>& keys,
                  Settings& settings) {
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) {
      add_settings(key.empty() ? name : key + "." + name, inner, keys, settings);
    }
    return;
  }
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  settings[key] = value.is_string() ? value.get<std::string>()
                                    : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void write_settings(Markup& out, const ReportInput& input, const PageLimits& limits) {
  std::vector<std::string> keys;
  std::vector<Settings> runs;
  for (const RunRecord& run : input.runs) {
    add_settings("", run.config.is_object() ? run.config : Json::object(), keys,
                 runs.emplace_back());
  }
  if (keys.empty()) return;
  out << "<section id=\"settings\"><h2>Settings</h2>\n";
  if (runs.size() > 1) {
    out << "<p class=\"note\">Rows in which the runs differ are marked with ≠.</p>\n";
  }
  out << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Settings\"><table "
         "class=\"settings\"><thead><tr><th scope=\"col\">key</th>";
  for (const RunRecord& run : input.runs) {
    out << "<th scope=\"col\">" << (runs.size() > 1 ? run.label : "value") << "</th>";
  }
  out << "</tr></thead><tbody>\n";
  for (std::size_t k = 0; k < std::min(limits.settings, keys.size()); ++k) {
    const std::string& key = keys[k];
    std::set<std::string> values;
    for (const Settings& settings : runs) {
      const auto found = settings.find(key);
      values.insert(found == settings.end() ? "–" : found->second);
    }
    out << "<tr";
    if (values.size() > 1) out << " class=\"differs\"";
    out << "><th scope=\"row\">" << key;
    if (values.size() > 1) out << " ≠";
    out << "</th>";
    for (const Settings& settings : runs) {
      const auto found = settings.find(key);
      out << "<td class=\"text\">"
          << (found == settings.end() ? "–" : shortened_text(found->second, max_value_length))
          << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
  if (keys.size() > limits.settings) {
    out << "<p class=\"note\">" << (keys.size() - limits.settings) << " more keys.</p>\n";
  }
  out << "</section>\n";
}

}  // namespace sculpt::core
