#include "registry/listing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/file/stored_json.hpp"
#include "base/text/parameter_text.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/sidecar_cache.hpp"

namespace sculpt::core {

namespace {

using json = nlohmann::ordered_json;

std::string text_or_empty(const json& object, const char* key) {
  const json value = object.value(key, json());
  return value.is_string() ? value.get<std::string>() : "";
}

std::optional<double> optional_number(const json& object, const char* key) {
  const json value = object.value(key, json());
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<std::string> text_list(const json& object, const char* key) {
  const json value = object.value(key, json());
  return value.is_array() ? value.get<std::vector<std::string>>() : std::vector<std::string>();
}

std::string list_prefix(bool is_list) {
  return is_list ? "list of " : "";
}

ParameterListing read_parameter(const json& object) {
  ParameterListing parameter;
  parameter.name = object.at("name").get<std::string>();
  parameter.type = list_prefix(object.value("list", false)) + object.at("type").get<std::string>();
  if (!object.value("required", false)) {
    parameter.fallback = object.value("default", json()).dump();
  }
  parameter.lower = optional_number(object, "lower");
  parameter.upper = optional_number(object, "upper");
  parameter.choices = text_list(object, "choices");
  parameter.unit = text_or_empty(object, "unit");
  parameter.summary = text_or_empty(object, "summary");
  parameter.needs = text_or_empty(object, "needs");
  parameter.is_deprecated = object.value("deprecated", false);
  return parameter;
}

ComponentListing read_component(const json& object) {
  ComponentListing component;
  component.id = object.at("id").get<std::string>();
  const auto kind = object.at("kind").get<std::string>();
  component.kind = kind_number(kind);
  component.version = object.at("version").get<std::string>();
  component.summary = text_or_empty(object, "summary");
  component.reference = text_or_empty(object, "reference");
  component.traits = text_list(object, "traits");
  component.extensions = text_list(object, "extensions");
  for (const json& parameter : object.value("parameters", json::array())) {
    component.parameters.push_back(read_parameter(parameter));
  }
  return component;
}

// Throws some std::exception if the document is malformed.
LibraryListing read_listing(const json& document, const std::filesystem::path& library) {
  if (document.at("sculpt_sidecar") != 1) {
    throw std::runtime_error("its \"sculpt_sidecar\" is not 1");
  }
  LibraryListing listing;
  listing.file = library;
  listing.name = document.at("name").get<std::string>();
  listing.version = document.at("version").get<std::string>();
  listing.license = text_or_empty(document, "license");
  for (const json& object : document.at("components")) {
    ComponentListing component = read_component(object);
    if (component.kind != 0) listing.components.push_back(std::move(component));
  }
  for (const json& pairing : document.value("pairings", json::array())) {
    add_pairing(pairing_in(pairing), listing.pairings);
  }
  return listing;
}

}  // namespace

json parameter_json(const ParameterListing& parameter) {
  json object = {{"name", parameter.name},       {"type", parameter.item_type()},
                 {"list", parameter.is_list()},  {"required", !parameter.fallback},
                 {"choices", parameter.choices}, {"unit", parameter.unit},
                 {"summary", parameter.summary}};
  if (parameter.fallback) object["default"] = json::parse(*parameter.fallback, nullptr, false);
  if (parameter.lower) object["lower"] = *parameter.lower;
  if (parameter.upper) object["upper"] = *parameter.upper;
  if (!parameter.needs.empty()) object["needs"] = parameter.needs;
  if (parameter.is_deprecated) object["deprecated"] = true;
  return object;
}

json component_json(const ComponentListing& component) {
  json parameters = json::array();
  for (const ParameterListing& parameter : component.parameters) {
    parameters.push_back(parameter_json(parameter));
  }
  return {{"id", component.id},
          {"kind", kind_name(component.kind)},
          {"version", component.version},
          {"summary", component.summary},
          {"reference", component.reference},
          {"traits", component.traits},
          {"extensions", component.extensions},
          {"parameters", parameters}};
}

std::int64_t LibraryListing::count(const std::string& component) const {
  return std::count_if(components.begin(), components.end(),
                       [&](const ComponentListing& listed) { return listed.has_name(component); });
}

std::vector<std::string> LibraryListing::ids() const {
  std::vector<std::string> ids;
  for (const ComponentListing& component : components) {
    if (std::find(ids.begin(), ids.end(), component.id) == ids.end()) ids.push_back(component.id);
  }
  return ids;
}

std::string sidecar_text(const LibraryListing& listing) {
  json document = {{"sculpt_sidecar", 1},
                   {"name", listing.name},
                   {"version", listing.version},
                   {"license", listing.license},
                   {"components", json::array()}};
  for (const ComponentListing& component : listing.components) {
    document["components"].push_back(component_json(component));
  }
  document["pairings"] = json::array();
  for (const Pairing& pairing : listing.pairings) {
    document["pairings"].push_back(pairing_json(pairing));
  }
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

LibraryListing read_sidecar_text(const std::string& text, const std::filesystem::path& library) {
  const json document = parse_stored_json(text);
  if (document.is_discarded()) {
    throw std::runtime_error("it is not JSON, or is nested too deeply");
  }
  return read_listing(document, library);
}

ParameterListing list_parameter(const sculpt_parameter& declared) {
  ParameterListing parameter;
  parameter.name = declared.name;
  parameter.type = list_prefix((declared.type & SCULPT_PARAMETER_LIST) != 0);
  parameter.type += parameter_type_name(declared.type);
  if (declared.fallback != nullptr) {
    const json fallback = json::parse(declared.fallback, nullptr, false);
    parameter.fallback = fallback.is_discarded() ? declared.fallback : fallback.dump();
  }
  if (std::isfinite(declared.lower)) parameter.lower = declared.lower;
  if (std::isfinite(declared.upper)) parameter.upper = declared.upper;
  parameter.choices = choices_of(declared);
  if (declared.unit != nullptr) parameter.unit = declared.unit;
  parameter.summary = declared.summary;
  if (declared.needs != nullptr) parameter.needs = declared.needs;
  parameter.is_deprecated = (declared.flags & SCULPT_PARAMETER_DEPRECATED) != 0;
  return parameter;
}

std::optional<std::filesystem::path> sidecar_of(const std::filesystem::path& library) {
  const std::string stem = library.stem().string();
  std::error_code ignored;
  const auto sidecar_path = [&](const std::string& name) {
    return library.parent_path() / (name + ".sculpt.json");
  };
  if (std::filesystem::exists(sidecar_path(stem), ignored)) return sidecar_path(stem);
  if (stem.starts_with("lib") && std::filesystem::exists(sidecar_path(stem.substr(3)), ignored)) {
    return sidecar_path(stem.substr(3));
  }
  return std::nullopt;
}

LibraryListing read_sidecar(const std::filesystem::path& sidecar,
                            const std::filesystem::path& library) {
  try {
    LibraryListing listing = cached_sidecar(sidecar, [&] {
      std::ifstream file = open_file(sidecar, Exit::plugin);
      const std::string text{std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>()};
      return read_sidecar_text(text, library);
    });
    listing.file = library;  // two libraries may share a sidecar: foo.so and libfoo.so
    return listing;
  } catch (const Failure&) {  // it cannot be opened
    throw;
  } catch (const std::exception& error) {
    throw Failure(Exit::plugin, "the sidecar " + sidecar.string() + " is broken: " + error.what() +
                                    "; delete it and the library, and build the plugin again");
  }
}

LibraryListing list_library(const Library& library) {
  const sculpt_plugin& catalogue = library.catalogue();
  LibraryListing listing;
  listing.file = library.file();
  listing.name = catalogue.name;
  listing.version = catalogue.version;
  listing.license = catalogue.license;
  for (const sculpt_component* component : library.components()) {
    listing.components.push_back(list_component(*component));
  }
  for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
    add_pairing(pairing_in(parse_stored_json(catalogue.experiments[k])), listing.pairings);
  }
  return listing;
}

ComponentListing list_component(const sculpt_component& declared) {
  ComponentListing component;
  component.id = declared.id;
  component.kind = declared.kind;
  component.version = declared.version;
  component.summary = declared.summary;
  if (declared.reference != nullptr) component.reference = declared.reference;
  if ((declared.traits & SCULPT_TRAIT_SERIAL) != 0) component.traits.push_back("serial");
  if ((declared.traits & SCULPT_TRAIT_SEPARATION_SET) != 0) {
    component.traits.push_back("separation_set");
  }
  for (std::int64_t k = 0; k < declared.extension_count; ++k) {
    component.extensions.push_back(declared.extensions[k]);
  }
  for (std::int64_t k = 0; k < declared.parameter_count; ++k) {
    component.parameters.push_back(list_parameter(declared.parameters[k]));
  }
  return component;
}

}  // namespace sculpt::core
