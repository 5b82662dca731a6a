// json_document.hpp - a JSON value that knows the position of each key and value in its file.
//
// Called by this folder, command and launch. All code that checks an experiment works on documents
// (overrides, parameter tables, components). So each message can begin with the position:
// `x.json:3:14: what is wrong`. JSON pointers (RFC 6901) address the values: "" is the root,
// "/solver/C" a member, "/oracle/1/use" a member of an item of a list.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sculpt::core {

// The source of a position: a file, a word of the command line, a model.
struct Source {
  std::string name;    // in messages: "configs/x.json", "--set solver.C=1"
  std::string folder;  // absolute; base of relative paths. "": paths are not changed
};

// Line and column count from 1. The column counts characters (code points), not bytes; a tab is
// one.
struct Position {
  std::shared_ptr<const Source> source;
  int line = 0;  // 0: the source has no lines, such as a word of the command line
  int column = 0;

  std::string text() const;  // "x.json:3:14", "--set solver.C=1"

  // The path, absolute relative to the folder of the source, and lexically normal. Throws
  // Failure(Exit::config) if the result is not UTF-8.
  std::string absolute(const std::string& path) const;
};

// Throws Failure(Exit::config, "x.json:3:14: " + sentence).
[[noreturn]] void refuse(const Position& position, const std::string& sentence);

// Appends "/key" to a JSON pointer, escaped.
std::string pointer_to(const std::string& parent, std::string_view key);

enum class Comments { accepted, refused };

class JsonDocument {
 public:
  // An empty object.
  JsonDocument();
  // `value`, with `position` as the position of all its parts.
  JsonDocument(const nlohmann::ordered_json& value, const Position& position);
  JsonDocument(const JsonDocument&);
  JsonDocument& operator=(const JsonDocument&);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  // Throws Failure: Exit::missing if the file does not exist or cannot be read, Exit::config if it
  // is not JSON. `//` and `/* */` comments are accepted.
  static JsonDocument read(const std::string& path);
  // Throws Failure(Exit::config).
  static JsonDocument parse(std::string_view text, const Source& source,
                            Comments comments = Comments::accepted);

  const nlohmann::ordered_json& json() const { return *root_; }
  // The value at `pointer`, or nullptr if there is none.
  const nlohmann::ordered_json* find(const std::string& pointer) const;

  // The position of the value, or of its key. If the value has no position of its own, the position
  // of the closest value around it.
  const Position& position(const std::string& pointer) const;
  const Position& key_position(const std::string& pointer) const;

  // The value at `pointer`, which must exist, as a separate document.
  JsonDocument part(const std::string& pointer) const;

  // Writes `value` at `pointer`; adds a member if necessary. The parent must exist: an object, or a
  // list that has the item.
  void set(const std::string& pointer, const nlohmann::ordered_json& value,
           const Position& position);
  // Replaces a value and keeps its position.
  void replace(const std::string& pointer, const nlohmann::ordered_json& value);
  // Removes the member at `pointer` if it exists. The parent must be an object.
  void erase(const std::string& pointer);

 private:
  friend class JsonReader;
  struct Positions {
    Position key;  // for an item of a list: equal to `value`
    Position value;
  };
  // Of the value at `pointer`, else of the closest value around it.
  const Positions& closest_positions(const std::string& pointer) const;
  void erase_positions(const std::string& pointer);

  std::unique_ptr<nlohmann::ordered_json> root_;
  std::map<std::string, Positions, std::less<>> positions_;  // by JSON pointer; "" always exists
};

}  // namespace sculpt::core
