#include "base/file/stored_json.hpp"

#include <iterator>

#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr int max_depth = 100;  // levels

}  // namespace

Json parse_stored_json(std::string_view text) {
  bool is_too_deep = false;
  const auto keep_shallow = [&is_too_deep](int depth, Json::parse_event_t, Json&) {
    is_too_deep = is_too_deep || depth > max_depth;
    return !is_too_deep;
  };
  Json value = Json::parse(text, keep_shallow, false);
  return is_too_deep ? Json(Json::value_t::discarded) : value;
}

Json read_stored_object(const std::filesystem::path& path, Exit exit) {
  std::ifstream file = open_if_there(path, exit);
  if (!file.is_open()) return nullptr;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Json value = parse_stored_json(text);
  return value.is_object() ? value : Json(nullptr);
}

}  // namespace sculpt::core
