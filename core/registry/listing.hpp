// listing.hpp - what a library offers, as text: from its sidecar, or from itself.
//
// Called by Registry and describe. The sidecar `<name>.sculpt.json` lies beside `<name>.so`,
// written by sculpt_add_plugin(); reading it runs no code of the plugin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/text/message_text.hpp"
#include "registry/library.hpp"

namespace sculpt::core {

struct ParameterListing {
  std::string name;
  std::string type;                     // "real", "list of int", ...
  std::optional<std::string> fallback;  // JSON text; empty: required
  std::optional<double> lower, upper;   // empty: no limit
  std::vector<std::string> choices;
  std::string unit;
  std::string summary;

  bool is_list() const { return type.starts_with("list of "); }
  std::string item_type() const { return is_list() ? type.substr(8) : type; }
  // Only there a range means something; a list has that of its items.
  bool is_number() const { return item_type() == "int" || item_type() == "real"; }
  bool is_optional() const { return fallback && *fallback == "null"; }  // null is a value, too
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
  // By its id or the last part of it.
  bool is_called(const std::string& word) const { return word == id || word == short_name(); }
  bool operator==(const ComponentListing&) const = default;
};

struct LibraryListing {
  std::filesystem::path file;
  std::string name;
  std::string version;
  std::string license;
  std::vector<ComponentListing> components;

  // By what it says or by its file, without the ".so".
  bool is_called(const std::string& word) const { return word == name || word == file.stem(); }
  // How many of its components are called so.
  std::int64_t count(const std::string& component) const;
  bool operator==(const LibraryListing&) const = default;
};

// Where the sidecar of a library is, if there is one: "foo.sculpt.json" for foo.so, and for
// libfoo.so as well when there is no "libfoo.sculpt.json".
std::optional<std::filesystem::path> sidecar_of(const std::filesystem::path& library);

// Throws Failure(Exit::plugin) when it cannot be read or is malformed.
LibraryListing read_sidecar(const std::filesystem::path& sidecar,
                            const std::filesystem::path& library);

// What a sidecar holds, on one line.
std::string sidecar_text(const LibraryListing& listing);
// Throws some std::exception when it is malformed.
LibraryListing read_sidecar_text(const std::string& text, const std::filesystem::path& library);

// The same from what is loaded.
LibraryListing list_library(const Library& library);
ComponentListing list_component(const sculpt_component& component);
ParameterListing list_parameter(const sculpt_parameter& declared);

}  // namespace sculpt::core
