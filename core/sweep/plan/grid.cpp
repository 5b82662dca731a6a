#include "sweep/plan/grid.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw Failure(Exit::usage, "--set " + text + ": " + what);
}

GridKey parse(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse(text, "KEY=VALUE or KEY=VALUE,VALUE,... is expected");
  }
  GridKey key{text.substr(0, equals), split_at_commas(text.substr(equals + 1))};
  for (auto value = key.values.begin(); value != key.values.end(); ++value) {
    if (value->empty()) refuse(text, "a value is empty; write \"\" for the empty text");
    if (std::find(key.values.begin(), value, *value) != value) {
      refuse(text, "the value " + *value + " appears twice");
    }
  }
  return key;
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool is_quoted = false;
  bool is_escaped = false;
  for (const char c : text) {
    if (is_quoted) {
      is_quoted = is_escaped || c != '"';
      is_escaped = !is_escaped && c == '\\';
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

std::string GridKey::text() const {
  return name + "=" + joined(values, ",");
}

bool GridKey::is_in(const std::string& section) const {
  return name == section || name.starts_with(section + ".");
}

Grid::Grid(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    GridKey key = parse(text);
    const bool is_repeated = std::any_of(keys_.begin(), keys_.end(), [&](const GridKey& earlier) {
      return earlier.name == key.name;
    });
    if (is_repeated) refuse(text, "the key appears twice; write all its values after one --set");
    keys_.push_back(std::move(key));
  }
}

std::size_t Grid::size() const {
  std::size_t size = 1;
  for (const GridKey& key : keys_) size *= key.values.size();
  return size;
}

std::vector<std::size_t> Grid::positions(std::size_t point) const {
  std::vector<std::size_t> positions(keys_.size());
  for (std::size_t k = keys_.size(); k-- > 0;) {
    positions[k] = point % keys_[k].values.size();
    point /= keys_[k].values.size();
  }
  return positions;
}

std::vector<std::string> Grid::settings(std::size_t point) const {
  const std::vector<std::size_t> value_positions = positions(point);
  std::vector<std::string> settings;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    settings.push_back(keys_[k].name + "=" + keys_[k].values[value_positions[k]]);
  }
  return settings;
}

std::string Grid::value(std::size_t point, const std::string& key) const {
  const std::vector<std::size_t> value_positions = positions(point);
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    if (keys_[k].name == key) return keys_[k].values[value_positions[k]];
  }
  return "";
}

}  // namespace sculpt::core
