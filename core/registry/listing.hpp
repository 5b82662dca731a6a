// listing.hpp - the components of a library as text, from its sidecar or from the library.
//
// Called by Registry and describe. The sidecar `<name>.sculpt.json` is next to `<name>.so`.
// sculpt_add_plugin() writes it. Reading it runs no code of the plugin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/text/message_text.hpp"
#include "registry/library.hpp"
#include "registry/pairing.hpp"

namespace sculpt::core {

struct ParameterListing {
  std::string name;
  std::string type;                     // "real", "list of int", ...
  std::optional<std::string> fallback;  // JSON text; empty: required
  std::optional<double> lower, upper;   // empty: no limit
  std::vector<std::string> choices;
  std::string unit;
  std::string summary;
  std::string needs = {};  // "other" or "other=value", the condition of its effect; or ""
  bool is_deprecated = false;

  bool is_list() const { return type.starts_with("list of "); }
  std::string item_type() const { return is_list() ? type.substr(8) : type; }
  // Only numbers have a range. A list has the range of its items.
  bool is_number() const { return item_type() == "int" || item_type() == "real"; }
  bool is_optional() const { return fallback && *fallback == "null"; }  // null is a valid value
  bool operator==(const ParameterListing&) const = default;
};

struct ComponentListing {
  std::string id;
  std::uint32_t kind = 0;  // SCULPT_KIND_*
  std::string version;
  std::string summary;
  std::string reference;
  std::vector<std::string> traits;      // "serial", "separation_set"
  std::vector<std::string> extensions;  // "sculpt.state/1"
  std::vector<ParameterListing> parameters;

  std::string short_name() const { return core::short_name(id); }
  // True if the word is its id or the last part of its id.
  bool has_name(const std::string& word) const { return word == id || word == short_name(); }
  bool operator==(const ComponentListing&) const = default;
};

struct LibraryListing {
  std::filesystem::path file;
  std::string name;
  std::string version;
  std::string license;
  std::vector<ComponentListing> components;
  std::vector<Pairing> pairings = {};  // of its experiments, each once

  // True if the word is its name, or its file name without ".so".
  bool has_name(const std::string& word) const { return word == name || word == file.stem(); }
  // The number of its components with this name.
  std::int64_t count(const std::string& component) const;
  // The ids of its components, each once: several kinds may share an id.
  std::vector<std::string> ids() const;
  bool operator==(const LibraryListing&) const = default;
};

// The sidecar of a library, if there is one: "foo.sculpt.json" for foo.so. For libfoo.so too, if
// there is no "libfoo.sculpt.json".
std::optional<std::filesystem::path> sidecar_of(const std::filesystem::path& library);

// Leaves out components of a kind that this host does not know. Throws Failure(Exit::plugin) if the
// sidecar cannot be read or is malformed.
LibraryListing read_sidecar(const std::filesystem::path& sidecar,
                            const std::filesystem::path& library);

// The content of a sidecar, on one line.
std::string sidecar_text(const LibraryListing& listing);
// Throws some std::exception if the text is malformed.
LibraryListing read_sidecar_text(const std::string& text, const std::filesystem::path& library);

// A component as a sidecar has it.
nlohmann::ordered_json component_json(const ComponentListing& component);
nlohmann::ordered_json parameter_json(const ParameterListing& parameter);

// The listing of what is loaded.
LibraryListing list_library(const Library& library);
ComponentListing list_component(const sculpt_component& component);
ParameterListing list_parameter(const sculpt_parameter& declared);

}  // namespace sculpt::core
