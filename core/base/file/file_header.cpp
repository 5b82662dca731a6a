#include "base/file/file_header.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr int max_depth = 100;  // levels of a header's JSON

}  // namespace

Json parse_header(std::string_view text, int version, const std::string& path,
                  const std::function<void(const std::string&)>& refuse) {
  // Values that are too deep are left out, so that code that walks a header cannot overflow the
  // stack.
  bool is_too_deep = false;
  const auto keep_shallow = [&is_too_deep](int depth, Json::parse_event_t, Json&) {
    is_too_deep = is_too_deep || depth > max_depth;
    return depth <= max_depth;
  };
  Json header = Json::parse(text, keep_shallow, false);
  if (header.is_discarded() || !header.is_object()) refuse("has a header that is not JSON");
  if (is_too_deep) refuse("has a header that is nested too deeply");
  const auto found_version = header.find("version");
  if (found_version == header.end() || !found_version->is_number_integer()) {
    refuse("has a header without a version");
  }
  if (*found_version != version) {
    throw Failure(Exit::data, path +
                                  ": has a format that this version of sculpt does not read; "
                                  "use the version that wrote it");
  }
  return header;
}

}  // namespace sculpt::core
