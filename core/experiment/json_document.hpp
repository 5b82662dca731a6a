// json_document.hpp - a JSON value that remembers where each of its keys and values was written.
//
// Everything that judges an experiment (overrides, parameter tables, components) works on
// documents, so that each message can begin with the place: `x.json:3:14: what is wrong`.
// Values are addressed by JSON pointers (RFC 6901): "" is the root, "/solver/C" a member,
// "/oracle/1/use" a member of a list's item.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sculpt::core {

// What a position lies in: a file, a word of the command line, a model.
struct Source {
  std::string name;    // as messages show it: "configs/x.json", "--set solver.C=1"
  std::string folder;  // absolute; relative paths are meant from here. "": they stay as they are
};

// Line and column count from 1, the column in characters (code points), not bytes; a tab is one.
struct Position {
  std::shared_ptr<const Source> source;
  int line = 0;  // 0: the source has no lines, such as a word of the command line
  int column = 0;

  std::string text() const;  // "x.json:3:14", "--set solver.C=1"

  // The path made absolute against the folder of the source, and lexically normal. Throws
  // Failure(Exit::config) when it is not UTF-8.
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
  // `value`, all of it written at `position`.
  JsonDocument(const nlohmann::ordered_json& value, const Position& position);
  JsonDocument(const JsonDocument&);
  JsonDocument& operator=(const JsonDocument&);
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  // Throws Failure: Exit::missing when the file is not there or cannot be read, Exit::config when
  // it is not JSON. `//` and `/* */` comments are accepted.
  static JsonDocument read(const std::string& path);
  // Throws Failure(Exit::config).
  static JsonDocument parse(std::string_view text, const Source& source,
                            Comments comments = Comments::accepted);

  const nlohmann::ordered_json& json() const { return *root_; }
  // The value at `pointer`, or null when there is none.
  const nlohmann::ordered_json* find(const std::string& pointer) const;

  // Where the value, or the key in front of it, begins; for what has no place of its own, that of
  // the closest value around it.
  const Position& position(const std::string& pointer) const;
  const Position& key_position(const std::string& pointer) const;

  // The value at `pointer` (it must be there) as a document of its own.
  JsonDocument part(const std::string& pointer) const;

  // Writes `value` at `pointer`, as a new member if need be. The parent must be there: an object,
  // or a list that has the item.
  void set(const std::string& pointer, const nlohmann::ordered_json& value,
           const Position& position);
  // Replaces a value by another one in the same place.
  void replace(const std::string& pointer, const nlohmann::ordered_json& value);
  // Removes the member at `pointer` if it is there. The parent must be an object.
  void erase(const std::string& pointer);

 private:
  friend class JsonReader;
  struct Mark {
    Position key;  // of a list's item: as `value`
    Position value;
  };
  const Mark& mark(const std::string& pointer) const;
  void erase_marks(const std::string& pointer);

  std::unique_ptr<nlohmann::ordered_json> root_;
  std::map<std::string, Mark, std::less<>> marks_;  // by JSON pointer; "" is always there
};

}  // namespace sculpt::core
