#include "base/file/file_header.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest = 100;  // levels of a header's JSON

}  // namespace

Json parse_header(std::string_view text, int version, const std::string& path,
                  const std::function<void(const std::string&)>& damaged) {
  // Values that are too deep are left out, so that code that walks a header cannot overflow the
  // stack.
  bool deep = false;
  const auto shallow = [&deep](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > deepest;
    return depth <= deepest;
  };
  Json header = Json::parse(text, shallow, false);
  if (header.is_discarded() || !header.is_object()) damaged("has a header that is no JSON");
  if (deep) damaged("has a header that is nested too deeply");
  const auto found = header.find("version");
  if (found == header.end() || !found->is_number_integer()) {
    damaged("has a header without a version");
  }
  if (*found != version) {
    throw Failure(Exit::data, path +
                                  ": is of a format that this version of sculpt does not read; "
                                  "use the version that wrote it");
  }
  return header;
}

}  // namespace sculpt::core
