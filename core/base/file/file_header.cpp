#include "base/file/file_header.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/file/stored_json.hpp"
#include "base/text/parameter_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

bool is_text(const Json& value) {
  return value.is_string();
}
bool is_object(const Json& value) {
  return value.is_object();
}
bool is_whole_number(const Json& value) {
  return value.is_number_unsigned();
}
bool is_components(const Json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& entry) {
           return entry.is_object() && entry.value("kind", Json()).is_string() &&
                  entry.value("id", Json()).is_string() &&
                  entry.value("version", Json()).is_string();
         });
}
bool is_hashes(const Json& value) {
  return value.is_object() && std::all_of(value.begin(), value.end(), is_text);
}

// A key of the header of a run, and the values that it may have. A version may lack some keys.
struct HeaderKey {
  const char* name;
  bool (*fits)(const Json& value);
  const char* expected;
};
constexpr std::array<HeaderKey, 14> header_keys{
    {{"sculpt", is_text, "a text"},
     {"name", is_text, "a text"},
     {"config", is_object, "an object"},
     {"components", is_components, "a list of objects with kind, id and version"},
     {"data", is_hashes, "an object of texts"},
     {"seed", is_whole_number, "a whole number"},
     {"examples", is_whole_number, "a whole number"},
     {"dimension", is_whole_number, "a whole number"},
     {"kernel_sizes", is_object, "an object"},
     {"formulation", is_object, "an object"},
     {"certificate", is_object, "an object"},
     {"warm_start", is_text, "a text"},
     {"paths", is_object, "an object"},
     {"libraries", is_hashes, "an object of texts"}}};

}  // namespace

Json parse_header(std::string_view text, int version, const std::string& path,
                  const std::function<void(const std::string&)>& refuse) {
  Json header = parse_stored_json(text);
  if (!header.is_object()) refuse("has a header that is not JSON, or is nested too deeply");
  const auto found_version = header.find("version");
  if (found_version == header.end() || !found_version->is_number_integer()) {
    refuse("has a header without a version");
  }
  if (*found_version != version) {
    throw Failure(Exit::data, path +
                                  ": has a format that this version of sculpt does not read; "
                                  "use the version that wrote it");
  }
  for (const HeaderKey& key : header_keys) {
    const auto found = header.find(key.name);
    if (found == header.end() || key.fits(*found)) continue;
    refuse("has a header in which \"" + std::string(key.name) + "\" is " + found_text(*found) +
           ", not " + key.expected);
  }
  return header;
}

}  // namespace sculpt::core
