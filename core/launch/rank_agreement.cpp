#include "launch/rank_agreement.hpp"

#include <nlohmann/json.hpp>

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// A value in a message: long ones are cut.
std::string value_text(const Json& value) {
  constexpr std::size_t max_size = 60;
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= max_size ? text : text.substr(0, max_size) + "...";
}

Exit exit_of(const std::string& difference) {
  if (difference.starts_with("data/")) return Exit::data;
  if (difference.starts_with("libraries/")) return Exit::plugin;
  return Exit::config;
}

}  // namespace

std::string first_difference(const Json& own, const Json& first) {
  const Json here = own.flatten();  // the leaves, by their paths
  const Json there = first.flatten();
  for (const auto& [path, value] : there.items()) {
    const Json* const mine = here.contains(path) ? &here[path] : nullptr;
    if (mine != nullptr && *mine == value) continue;
    return path.substr(1) + " is " + (mine == nullptr ? "missing" : value_text(*mine)) + ", and " +
           value_text(value) + " on rank 0";
  }
  for (const auto& [path, value] : here.items()) {
    if (!there.contains(path)) {
      return path.substr(1) + " is " + value_text(value) + ", and missing on rank 0";
    }
  }
  return "";
}

void require_one_run(Ranks& ranks, const Json& identity) {
  const std::string text = identity.dump(-1, ' ', true, Json::error_handler_t::replace);
  const std::string first(
      ranks.gather("the start of the run", [&] { return std::string_view(text); }).front());
  ranks.together("the comparison of runs", [&] {
    const std::string difference = first_difference(Json::parse(text), Json::parse(first));
    if (difference.empty()) return;
    throw Failure(exit_of(difference),
                  difference + "; all ranks need the same experiment, data and plugins");
  });
}

}  // namespace sculpt::core
