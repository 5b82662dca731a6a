#include "command/reports/schema.hpp"

#include <cfloat>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "experiment/kernel_keys.hpp"
#include "launch/component_search.hpp"
#include "registry/catalogue_check.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;
using Alternatives = std::vector<Json>;

constexpr const char* draft = "http://json-schema.org/draft-07/schema#";

// Texts with a reference to the environment: environment.hpp.
constexpr const char* reference_pattern = R"(\$\{env:[A-Za-z_][A-Za-z0-9_]*(:[^}]*)?\})";
// The references that can become "inf". Other texts are no numbers.
constexpr const char* infinity_pattern = R"(^\$\{env:[A-Za-z_][A-Za-z0-9_]*(:inf)?\}$)";
// `use` with a library that the schema does not know: component_use.hpp.
constexpr const char* library_pattern = R"(^.+#[^/#]+$)";

Json text_like(const char* pattern) {
  return {{"type", "string"}, {"pattern", pattern}};
}

Json path_schema() {
  return {{"type", "string"}, {"minLength", 1}};
}

Json reference_to(const std::string& definition) {
  return {{"$ref", "#/definitions/" + definition}};
}

// One of several alternatives. One that accepts every value makes the others redundant.
Json any_of(Alternatives alternatives) {
  for (const Json& alternative : alternatives) {
    if (alternative.empty()) return Json::object();
  }
  if (alternatives.size() == 1) return alternatives.front();
  Json schema = Json::object();
  schema["anyOf"] = std::move(alternatives);
  return schema;
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json titled(const std::string& title, const std::string& description, const Json& rest) {
  Json schema = {{"title", title}, {"description", description}};
  if (rest.contains("$ref")) {
    schema["allOf"] = Json::array({rest});  // keys next to a $ref are ignored
  } else {
    schema.update(rest);
  }
  return schema;
}

// A limit as a person writes it: 1, not 1.0.
Json limit_json(double value) {
  constexpr double max_exact_integer = 9007199254740992.0;  // 2^53
  const bool is_whole = std::trunc(value) == value && std::abs(value) <= max_exact_integer;
  return is_whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json number_schema(const ParameterListing& parameter) {
  Json schema = {{"type", "number"}};
  // The host accepts 5.0 and 1e6 as int; not every validator accepts them as "integer".
  if (parameter.item_type() == "int") schema["multipleOf"] = 1.0;
  if (parameter.lower) {
    const bool must_exceed_zero = *parameter.lower > 0 && *parameter.lower <= DBL_MIN;
    if (must_exceed_zero) {
      schema["exclusiveMinimum"] = 0;
    } else {
      schema["minimum"] = limit_json(*parameter.lower);
    }
  }
  if (parameter.upper) schema["maximum"] = limit_json(*parameter.upper);
  return schema;
}

// A value, or an item of a list. Follows the rules of CheckedParameters.
Alternatives item_schemas(const ParameterListing& parameter) {
  const std::string type = parameter.item_type();
  if (type == "bool") return Alternatives{Json{{"type", "boolean"}}};
  if (type == "text") return Alternatives{Json{{"type", "string"}}};
  if (type == "path") return Alternatives{path_schema()};
  if (type == "choice") {
    return Alternatives{Json{{"enum", parameter.choices}}, reference_to("environment")};
  }
  if (!parameter.is_number()) return Alternatives{Json::object()};
  Alternatives numbers{number_schema(parameter)};
  if (type == "real" && !parameter.upper) numbers.push_back(reference_to("infinity"));
  return numbers;
}

// The schema of a key: its title and summary, with the alternatives of its value.
Json key_schema(const ParameterListing& parameter, Alternatives values) {
  if (parameter.is_optional()) values.push_back({{"type", "null"}});
  const std::string unit = parameter.unit.empty() ? "" : " (" + parameter.unit + ")";
  Json schema = titled(parameter.name + unit, parameter.summary, any_of(std::move(values)));
  if (parameter.fallback && !parameter.is_optional()) {
    const Json fallback = Json::parse(*parameter.fallback, nullptr, false);
    if (!fallback.is_discarded()) schema["default"] = fallback;
  }
  return schema;
}

Json parameter_schema(const ParameterListing& parameter) {
  Alternatives values = item_schemas(parameter);
  if (parameter.is_list()) {
    values = Alternatives{list_of(any_of(std::move(values)))};
  }
  return key_schema(parameter, std::move(values));
}

// Builds an object with declared keys and no others.
class Keys {
 public:
  void add(const std::string& name, Json schema, bool is_required) {
    properties_[name] = std::move(schema);
    if (is_required) required_.push_back(name);
  }
  void add(const std::vector<ParameterListing>& table) {
    for (const ParameterListing& parameter : table) {
      add(parameter.name, parameter_schema(parameter), !parameter.fallback);
    }
  }
  void add_splits() {
    for (const sculpt_parameter& split : split_keys) {
      const ParameterListing listing = list_parameter(split);
      add(listing.name, key_schema(listing, Alternatives{reference_to("split")}),
          !listing.fallback);
    }
  }
  std::size_t required_count() const { return required_.size(); }

  Json object() const {
    Json schema = open_object();
    schema["additionalProperties"] = false;
    return schema;
  }
  // The same object, but with any further keys.
  Json open_object() const {
    Json schema = {{"type", "object"}};
    if (!required_.empty()) schema["required"] = required_;
    schema["properties"] = properties_;
    return schema;
  }

 private:
  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

// A component or solver that a section may name.
struct SectionEntry {
  std::string definition;  // where its object is defined
  std::string description;
  std::vector<std::string> names;  // values of `use`; empty: only "file.so#name" finds it
  Json object;
  bool has_shorthand;  // true if "name" may replace {"use": "name"}
};

// The key "use" with these values.
Keys keys_with_use(const std::string& description, const std::vector<std::string>& names) {
  Keys keys;
  const Json use = names.empty() ? text_like(library_pattern) : Json{{"enum", names}};
  keys.add("use", titled("use", description, use), true);
  return keys;
}

// The entry of a component or solver. `keys`: "use" and its parameters.
SectionEntry make_entry(const std::string& kind, const std::string& id,
                        const std::string& description, const std::vector<std::string>& names,
                        Keys keys) {
  if (kind == "dataset") keys.add_splits();
  const bool has_shorthand = !names.empty() && keys.required_count() == 1;
  return {kind + "." + id, description, names,
          titled(core::short_name(id) + " (" + kind + ")", description, keys.object()),
          has_shorthand};
}

SectionEntry make_entry(const std::string& kind, const std::string& id,
                        const std::string& description, const std::vector<std::string>& names,
                        const std::vector<ParameterListing>& table) {
  Keys keys = keys_with_use(description, names);
  keys.add(table);
  return make_entry(kind, id, description, names, std::move(keys));
}

SectionEntry entry_of(const Registry::UsableComponent& usable) {
  const ComponentListing& component = *usable.component;
  std::string description = component.summary;
  if (!component.reference.empty()) description += "\n" + component.reference;
  return make_entry(std::string(kind_name(component.kind)), component.id, description, usable.names,
                    component.parameters);
}

SectionEntry entry_of(const SolverDescriptor& solver) {
  std::vector<ParameterListing> table;
  for (const sculpt_parameter& parameter : solver.parameters) {
    table.push_back(list_parameter(parameter));
  }
  return make_entry("solver", solver.name, solver.summary, {solver.name}, table);
}

// A kernel that the host makes of others: of one, or of a list.
SectionEntry entry_of(const HostKernel& kernel) {
  Keys keys = keys_with_use(kernel.summary, {kernel.name});
  for (const sculpt_parameter& parameter : kernel.keys) {
    const ParameterListing key = list_parameter(parameter);
    Json schema = parameter_schema(key);
    if (key.name == "of") schema = key_schema(key, Alternatives{reference_to("kernel")});
    if (key.name == "members") {
      Json list = list_of(reference_to("kernel"));
      list["minItems"] = 1;
      schema = key_schema(key, Alternatives{list});
    }
    keys.add(key.name, schema, !key.fallback);
  }
  return make_entry("kernel", kernel.name, kernel.summary, {kernel.name}, std::move(keys));
}

// All components or solvers that the section may name.
std::vector<SectionEntry> entries_of(Registry& registry, const std::string& section) {
  std::vector<SectionEntry> entries;
  if (section == "solver") {
    for (const SolverDescriptor* solver : solvers()) entries.push_back(entry_of(*solver));
  } else {
    for (const Registry::UsableComponent& usable : registry.usable_components(kind_of(section))) {
      entries.push_back(entry_of(usable));
    }
    if (section == "oracle") {
      entries.push_back(make_entry(section, combine, combine_summary, {combine},
                                   std::vector{list_parameter(combine_keys[0])}));
    }
    if (section == "kernel") {
      for (const HostKernel& kernel : host_kernels) entries.push_back(entry_of(kernel));
    }
  }
  return entries;
}

// Adds a `use` that the schema cannot resolve; its keys may be any.
void add_unknown(const std::string& section, Alternatives& sections) {
  Alternatives uses{reference_to("environment")};
  if (section != "solver") uses.push_back(text_like(library_pattern));
  Keys keys;
  keys.add("use", any_of(uses), true);
  if (section == "dataset") {
    keys.add_splits();
  } else {
    sections.insert(sections.end(), uses.begin(), uses.end());
  }
  sections.push_back(keys.open_object());
}

Json section_of(const std::vector<SectionEntry>& entries, const std::string& section) {
  Alternatives sections;
  for (const SectionEntry& entry : entries) {
    if (!entry.has_shorthand) continue;
    sections.push_back({{"enum", entry.names}, {"description", entry.description}});
  }
  for (const SectionEntry& entry : entries) {
    if (!entry.names.empty()) sections.push_back(reference_to(entry.definition));
  }
  add_unknown(section, sections);
  return any_of(std::move(sections));
}

// Adds the definition of a section, and those of all its entries.
void define_section(Registry& registry, const std::string& section, Json& definitions) {
  const std::vector<SectionEntry> entries = entries_of(registry, section);
  for (const SectionEntry& entry : entries) definitions[entry.definition] = entry.object;
  definitions[section] = section_of(entries, section);
}

Json hold_out_schema() {
  Keys keys;
  for (const sculpt_parameter& key : hold_out_keys) {
    const ParameterListing listing = list_parameter(key);
    keys.add(listing.name, parameter_schema(listing), false);
  }
  return keys.object();
}

// The definitions that the other parts refer to.
Json shared_definitions() {
  Keys inline_data;
  inline_data.add("text", titled("text", "the data itself", Json{{"type", "string"}}), true);
  const Alternatives infinite_values{Json{{"const", "inf"}}, text_like(infinity_pattern)};
  Keys inline_arrays;
  inline_arrays.add("arrays", titled("arrays", "lists of numbers", Json{{"type", "object"}}), true);
  Keys lent;
  lent.add("memory", titled("memory", "the name of the arrays", Json{{"type", "string"}}), true);
  const Alternatives split{
      titled("path", "path of a file, relative to this file", path_schema()),
      titled("inline data", "instead of a file", inline_data.object()),
      titled("inline arrays", "instead of a file", inline_arrays.object()),
      titled("arrays", "that a program lends to libsculpt, instead of a file", lent.object())};
  Json definitions = Json::object();
  definitions["environment"] =
      titled("${env:NAME} or ${env:NAME:default}", "a text from an environment variable",
             text_like(reference_pattern));
  definitions["infinity"] = titled("\"inf\"", "infinity", any_of(infinite_values));
  definitions["split"] = any_of(split);
  return definitions;
}

}  // namespace

Json experiment_schema(Registry& registry) {
  Json definitions = shared_definitions();
  Alternatives oracles;  // all values of a key that expects an oracle
  Keys keys;
  keys.add(schema_key, titled(schema_key, "the path of the schema of this file", Json::object()),
           false);
  for (const sculpt_parameter& parameter : top_level_keys) {
    const ParameterListing key = list_parameter(parameter);
    if (key.name == "hold_out") {
      keys.add(key.name, key_schema(key, Alternatives{hold_out_schema()}), false);
      continue;
    }
    if (key.name == "predict_with") {
      keys.add(key.name, key_schema(key, Alternatives{list_of(any_of(oracles))}), false);
      continue;
    }
    if (key.name == "audit_with") {
      keys.add(key.name, key_schema(key, oracles), false);
      continue;
    }
    if (!is_section(key.name)) {
      keys.add(key.name, parameter_schema(key), !key.fallback);
      continue;
    }
    define_section(registry, key.name, definitions);
    Alternatives values{reference_to(key.name)};
    // Several oracles escalate.
    if (key.name == "oracle") {
      values.push_back(list_of(reference_to(key.name)));
      values.back()["minItems"] = 1;
      oracles = values;
    }
    keys.add(key.name, key_schema(key, values), !key.fallback);
  }
  Json schema = {{schema_key, draft}};
  schema.update(titled("sculpt experiment",
                       "written by `sculpt describe --schema`, version " SCULPT_VERSION,
                       keys.object()));
  schema["definitions"] = std::move(definitions);
  return schema;
}

std::optional<Json> section_schema(Registry& registry, const std::string& name) {
  Json definitions = shared_definitions();
  Alternatives matches;
  for (const std::string_view section : section_names) {
    for (const SectionEntry& entry : entries_of(registry, std::string(section))) {
      const std::string id = entry.definition.substr(entry.definition.find('.') + 1);
      if (name != id && name != short_name(id)) continue;
      definitions[entry.definition] = entry.object;
      matches.push_back(reference_to(entry.definition));
      // Its members are any kernels.
      if (section == "kernel" && find_host_kernel(name) != nullptr) {
        define_section(registry, "kernel", definitions);
      }
    }
  }
  if (matches.empty()) return std::nullopt;
  Json schema = {{schema_key, draft}, {"title", name}};
  schema["anyOf"] = matches;
  schema["definitions"] = std::move(definitions);
  return schema;
}

}  // namespace sculpt::core
