#include "experiment/json_document.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/text/json_syntax.hpp"
#include "experiment/json_reader.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::string file_text(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw Failure(Exit::missing, path + ": there is no such file");
  }
  if (std::filesystem::is_directory(status)) {
    const std::filesystem::path config = std::filesystem::path(path) / "config.json";
    const bool is_run = std::filesystem::is_regular_file(config, error);
    throw Failure(
        Exit::missing,
        path + (is_run ? ": this is the folder of a run; its experiment is " + config.string()
                       : ": this is a folder; name the experiment file "
                         "itself"));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) {
    throw system_failure(Exit::missing, path + ": the file cannot be read", errno);
  }
  return text;
}

// True if the text does not begin like JSON with comments: rows of data.
bool begins_as_data(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && text.find_first_of("{[\"/", first) != first;
}

}  // namespace

std::string Position::text() const {
  std::string name = source ? source->name : "";
  if (line == 0) return name;
  return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string Position::absolute(const std::string& path) const {
  if (!source || source->folder.empty()) return path;
  const auto joined = (std::filesystem::path(source->folder) / path).lexically_normal();
  // "runs/" and "runs" are the same place.
  const bool ends_with_slash = !joined.has_filename() && joined.has_relative_path();
  std::string absolute = (ends_with_slash ? joined.parent_path() : joined).string();
  // The path is written to config.json.
  if (!is_utf8(absolute)) {
    refuse(*this, "the path of the folder around it is not UTF-8; rename the folder");
  }
  return absolute;
}

void refuse(const Position& position, const std::string& sentence) {
  throw Failure(Exit::config, position.text() + ": " + sentence);
}

std::string pointer_to(const std::string& parent, std::string_view key) {
  std::string pointer = parent + "/";
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

JsonDocument::JsonDocument() : JsonDocument(Json::object(), Position()) {}

JsonDocument::JsonDocument(const Json& value, const Position& position)
    : root_(std::make_unique<Json>(value)) {
  positions_[""] = {position, position};
}

JsonDocument::JsonDocument(const JsonDocument& other)
    : root_(std::make_unique<Json>(*other.root_)), positions_(other.positions_) {}

JsonDocument& JsonDocument::operator=(const JsonDocument& other) {
  return *this = JsonDocument(other);
}

JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

JsonDocument JsonDocument::read(const std::string& path) {
  const std::string text = file_text(path);
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  try {
    return parse(text, {path, folder.lexically_normal().string()});
  } catch (const Failure& failure) {
    if (!begins_as_data(text)) throw;
    throw Failure(Exit::config, std::string(failure.what()) +
                                    " (an experiment is an object { ... }; it names the data, as "
                                    "\"dataset\": {\"use\": ..., \"train\": \"FILE\"})");
  }
}

JsonDocument JsonDocument::parse(std::string_view text, const Source& source, Comments comments) {
  JsonDocument document;
  JsonReader::read(text, source, comments, document);
  return document;
}

const Json* JsonDocument::find(const std::string& pointer) const {
  const Json::json_pointer path(pointer);
  return root_->contains(path) ? &root_->at(path) : nullptr;
}

const JsonDocument::Positions& JsonDocument::closest_positions(const std::string& pointer) const {
  std::string closest = pointer;
  for (;;) {
    const auto found = positions_.find(closest);
    if (found != positions_.end()) return found->second;
    closest.resize(closest.rfind('/'));
  }
}

const Position& JsonDocument::position(const std::string& pointer) const {
  return closest_positions(pointer).value;
}

const Position& JsonDocument::key_position(const std::string& pointer) const {
  return closest_positions(pointer).key;
}

JsonDocument JsonDocument::part(const std::string& pointer) const {
  JsonDocument part(root_->at(Json::json_pointer(pointer)), position(pointer));
  part.positions_[""] = closest_positions(pointer);
  const std::string below = pointer + "/";
  for (auto it = positions_.lower_bound(below);
       it != positions_.end() && it->first.starts_with(below); ++it) {
    part.positions_[it->first.substr(pointer.size())] = it->second;
  }
  return part;
}

void JsonDocument::erase_positions(const std::string& pointer) {
  positions_.erase(pointer);
  const std::string below = pointer + "/";
  auto it = positions_.lower_bound(below);
  while (it != positions_.end() && it->first.starts_with(below)) it = positions_.erase(it);
}

void JsonDocument::set(const std::string& pointer, const Json& value, const Position& position) {
  (*root_)[Json::json_pointer(pointer)] = value;
  erase_positions(pointer);
  positions_[pointer] = {position, position};
}

void JsonDocument::replace(const std::string& pointer, const Json& value) {
  (*root_)[Json::json_pointer(pointer)] = value;
}

void JsonDocument::erase(const std::string& pointer) {
  const Json::json_pointer path(pointer);
  if (!root_->contains(path)) return;
  root_->at(path.parent_pointer()).erase(path.back());
  erase_positions(pointer);
}

}  // namespace sculpt::core
