#include "experiment/cache_use.hpp"

#include <nlohmann/json.hpp>

namespace sculpt::core {

CacheUse read_cache(const JsonDocument& document) {
  const nlohmann::ordered_json* const value = document.find("/cache");
  if (value == nullptr || value->is_null()) return {};
  const Position& position = document.position("/cache");
  const std::string text = value->is_string() ? value->get<std::string>() : "";
  if (text == "none") return {};
  if (text == "auto") return {CacheUse::Where::beside_data, "", position};
  if (!text.empty()) return {CacheUse::Where::folder, position.absolute(text), position};
  refuse(position,
         "\"cache\" is " + value->dump() + "; write \"auto\", \"none\", or the path of a folder");
}

}  // namespace sculpt::core
