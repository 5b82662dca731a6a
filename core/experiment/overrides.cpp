#include "experiment/overrides.hpp"

#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/failure.hpp"
#include "base/text/json_syntax.hpp"
#include "experiment/component_use.hpp"
#include "experiment/experiment_keys.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Deeper values would overflow the stack of recursive code.
constexpr std::size_t max_parts = 100;

// The index for "0" and "12"; empty for "01", "x" and very large numbers.
std::optional<std::size_t> item_index(const std::string& text) {
  const bool has_only_digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (text.empty() || text.size() > 6 || !has_only_digits) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return std::stoul(text);
}

std::vector<std::string> split_at_dots(const std::string& key) {
  std::vector<std::string> path(1);
  for (const char c : key) {
    if (c == '.') {
      path.emplace_back();
    } else {
      path.back() += c;
    }
  }
  return path;
}

std::string dotted_key(const std::vector<std::string>& path, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ".") + path[i];
  return text;
}

// The text, cut in the middle to at most 60 bytes and "...". So the key stays, and the end of a
// path, which is its file name.
std::string shortened_in_middle(const std::string& text) {
  constexpr std::size_t kept_bytes = 30;  // at each end
  if (text.size() <= 2 * kept_bytes) return text;
  const auto is_inside_character = [&text](std::size_t k) {
    return (static_cast<unsigned char>(text[k]) & 0xC0) == 0x80;
  };
  std::size_t end = kept_bytes;
  std::size_t begin = text.size() - kept_bytes;
  for (int k = 0; k < 3 && is_inside_character(end); ++k) --end;
  for (int k = 0; k < 3 && is_inside_character(begin); ++k) ++begin;
  return text.substr(0, end) + "..." + text.substr(begin);
}

// Reads VALUE as JSON, else as text.
JsonDocument read_value(const std::string& value, const Source& source) {
  const Position position{std::make_shared<Source>(source)};
  if (!is_utf8(value)) refuse(position, "the value is not UTF-8");
  try {
    return JsonDocument(JsonDocument::parse(value, source, Comments::refused).json(), position);
  } catch (const Failure&) {
    // Text that looks like an object is usually a typing error in JSON.
    if (value.starts_with('{')) throw;
    return JsonDocument(Json(value), position);
  }
}

// The number of parts of a path that name a kernel: 1 in kernel.x, 2 in kernel.of.x, 3 in
// kernel.members.0.x, 5 in kernel.members.0.of.of.x.
std::size_t kernel_depth(const std::vector<std::string>& path) {
  std::size_t depth = 1;
  while (depth + 1 < path.size()) {
    const std::string& key = path[depth];
    if (key != "of" && key != "members") break;
    depth += key == "of" ? 1 : 2;
  }
  return depth;
}

// The number of parts of the path that name a component: 1 in solver.C, 2 in oracle.0.x, 3 in
// oracle.members.0.x, else 0.
std::size_t component_depth(const JsonDocument& document, const std::vector<std::string>& path) {
  if (!is_section(path[0])) return 0;
  if (path[0] == "kernel") return kernel_depth(path);
  const bool is_member_path =
      path[0] == "oracle" && path.size() > 2 && path[1] == combine_keys[0].name;
  if (is_member_path) return 3;
  const Json* section = document.find(pointer_to("", path[0]));
  return section && section->is_array() ? 2 : 1;
}

// Makes sure that the value at `pointer` can have the next part of the path as a key. It adds an
// object or expands a bare name. The first `depth` parts of the path name this value.
void require_keys_at(JsonDocument& document, const std::string& pointer,
                     const std::vector<std::string>& path, std::size_t depth,
                     const Position& position) {
  const Json* value = document.find(pointer);
  const std::string name = "\"" + dotted_key(path, depth) + "\"";
  if (!value) {
    document.set(pointer, Json::object(), position);
  } else if (value->is_array()) {
    const auto index = item_index(path[depth]);
    if (index && *index < value->size()) return;
    refuse(position, name + " is a list of " + std::to_string(value->size()) + "; set " +
                         dotted_key(path, depth) + ".0 and so on, or all of it");
  } else if (value->is_string() && depth == component_depth(document, path)) {
    Json expanded = Json::object();
    expanded["use"] = *value;
    document.replace(pointer, expanded);
  } else if (!value->is_object()) {
    refuse(position, name + " has no keys; set all of it");
  }
}

}  // namespace

Override::Override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw Failure(Exit::usage, "--set " + shortened(text) + ": KEY=VALUE is expected");
  }
  key_ = text.substr(0, equals);
  path_ = split_at_dots(key_);
  if (path_.size() > max_parts) {
    throw Failure(Exit::usage, "--set " + shortened(text) + ": KEY has " +
                                   std::to_string(path_.size()) + " parts; experiments have " +
                                   std::to_string(max_parts) + " levels at most");
  }
  for (const std::string& part : path_) {
    if (!part.empty() && is_utf8(part)) continue;
    throw Failure(Exit::usage, "--set " + shortened(text) +
                                   ": KEY must be a dotted path such as solver.C or oracle.use");
  }
  std::error_code ignored;  // it may not exist; then relative paths stay relative
  const std::string folder = std::filesystem::current_path(ignored).string();
  value_ = read_value(text.substr(equals + 1), {"--set " + shortened_in_middle(text), folder});
}

void Override::apply(JsonDocument& document, const IsDeclared& is_declared) const {
  std::string parent;
  for (std::size_t depth = 1; depth < path_.size(); ++depth) {
    parent = pointer_to(parent, path_[depth - 1]);
    require_keys_at(document, parent, path_, depth, position());
  }
  if (value_.json().is_null() && is_parameter(document, parent, is_declared)) {
    document.erase(pointer_to(parent, path_.back()));
    return;
  }
  document.set(pointer_to(parent, path_.back()), value_.json(), position());

  const bool sets_use =
      path_.back() == "use" && component_depth(document, path_) + 1 == path_.size();
  if (!sets_use || !value_.json().is_string()) return;
  const std::string use = absolute_use(value_.json().get<std::string>(), position());
  const Json component = *document.find(parent);
  for (const auto& [key, member] : component.items()) {
    const bool is_kept = key == "use" || (path_[0] == "dataset" && is_split(key));
    if (!is_kept && !is_declared(path_[0], use, key)) document.erase(pointer_to(parent, key));
  }
}

bool Override::is_parameter(const JsonDocument& document, const std::string& parent,
                            const IsDeclared& is_declared) const {
  if (component_depth(document, path_) + 1 != path_.size()) return false;
  const Json* const use = document.find(pointer_to(parent, "use"));
  if (path_.back() == "use" || use == nullptr || !use->is_string()) return false;
  return is_declared(path_[0], absolute_use(use->get<std::string>(), position()), path_.back());
}

void Override::require_no_conflict(const Override& earlier) const {
  if (path_.size() >= earlier.path_.size()) return;
  if (!std::equal(path_.begin(), path_.end(), earlier.path_.begin())) return;
  std::string inner_pointer;
  for (std::size_t k = path_.size(); k < earlier.path_.size(); ++k) {
    inner_pointer = pointer_to(inner_pointer, earlier.path_[k]);
  }
  if (value_.find(inner_pointer) == nullptr) return;
  throw Failure(Exit::usage, position().text() + ": \"" + earlier.key_ + "\" is also set by " +
                                 earlier.position().text() + "; remove one of the two");
}

std::vector<Override> parse_overrides(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  for (const std::string& text : texts) overrides.emplace_back(text);
  for (std::size_t k = 0; k < overrides.size(); ++k) {
    for (std::size_t earlier = 0; earlier < k; ++earlier) {
      overrides[k].require_no_conflict(overrides[earlier]);
    }
  }
  std::stable_sort(overrides.begin(), overrides.end(),
                   [](const Override& a, const Override& b) { return a.rank() < b.rank(); });
  return overrides;
}

}  // namespace sculpt::core
