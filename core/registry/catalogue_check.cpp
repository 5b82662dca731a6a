#include "registry/catalogue_check.hpp"

#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/promoted.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace sculpt::core {

namespace {

constexpr std::array<std::string_view, 6> kinds = {"dataset", "features",   "loss",
                                                   "oracle",  "map_solver", "kernel"};
constexpr std::array<std::string_view, 7> types = {"bool", "int",    "real", "text",
                                                   "path", "choice", "json"};
// More than any library has. Protects loops from a count that the plugin did not set.
constexpr std::int64_t max_list_entries = 100000;
constexpr std::uint64_t known_traits = SCULPT_TRAIT_SERIAL | SCULPT_TRAIT_SEPARATION_SET;

bool is_missing(const char* text) {
  return text == nullptr || *text == '\0';
}

template <class Item>
bool is_valid_list(const Item* items, std::int64_t count) {
  return count >= 0 && count <= max_list_entries && (count == 0 || items != nullptr);
}

// True if all characters are a-z, 0-9, _ or one of `extra`.
bool has_only_name_characters(std::string_view text, std::string_view extra) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           extra.find(c) != std::string_view::npos;
  });
}

// True if the id has the form org.example.name.
bool is_valid_id(std::string_view id) {
  return has_only_name_characters(id, ".") && id.find('.') != std::string_view::npos &&
         id.front() != '.' && id.back() != '.' && id.find("..") == std::string_view::npos;
}

std::string abi_text(sculpt_version abi) {
  return std::to_string(abi.major) + "." + std::to_string(abi.minor);
}

// True if the function table of this kind is complete.
bool has_complete_api(const sculpt_component& component) {
  const void* const api = component.api;
  switch (component.kind) {
    case SCULPT_KIND_DATASET: {
      const auto& table = *static_cast<const sculpt_dataset_api*>(api);
      return table.load && table.count && table.split && table.truth;
    }
    case SCULPT_KIND_FEATURES: {
      const auto& table = *static_cast<const sculpt_features_api*>(api);
      return table.dimension && table.accumulate;
    }
    case SCULPT_KIND_LOSS:
      return static_cast<const sculpt_loss_api*>(api)->loss != nullptr;
    case SCULPT_KIND_ORACLE:
      return static_cast<const sculpt_oracle_api*>(api)->argmax != nullptr;
    case SCULPT_KIND_MAP_SOLVER: {
      const auto& table = *static_cast<const sculpt_map_solver_api*>(api);
      return table.demands && table.solve;
    }
    default: {
      const auto& table = *static_cast<const sculpt_kernel_api*>(api);
      return table.claims && table.rows && table.diagonal && table.write_atom && table.keep &&
             table.kept_rows;
    }
  }
}

// True also for the id that the extension had as a draft. Requires a valid list of extensions.
bool lists_extension(const sculpt_component& component, const char* id) {
  return std::any_of(component.extensions, component.extensions + component.extension_count,
                     [id](const char* listed) { return sculpt_is_extension(listed, id) != 0; });
}

// Returns what is wrong with the two function tables, or "". Requires a valid list of extensions.
std::string table_fault(const sculpt_component& component) {
  const sculpt_life* const life = component.life;
  if (life == nullptr) return "it has no table sculpt_life";
  if (!life->create || !life->destroy || !life->extension) {
    return "its table sculpt_life lacks create, destroy or extension";
  }
  if ((life->open_session == nullptr) != (life->close_session == nullptr)) {
    return "its table sculpt_life has only one of open_session and close_session";
  }
  if (component.kind == SCULPT_KIND_KERNEL && !lists_extension(component, SCULPT_EXT_KERNEL)) {
    return "its table sculpt_kernel_api does not have the layout of this host; build it against "
           "the headers of this host, with " SCULPT_EXT_KERNEL " in its list of extensions";
  }
  if (component.api == nullptr || !has_complete_api(component)) {
    return "its function table of the kind " + std::string(kind_name(component.kind)) +
           " is incomplete";
  }
  return "";
}

// True if the condition `needs` is "other" or "other=value", where `other` is another parameter of
// the table.
bool names_another(const sculpt_component& component, const sculpt_parameter& parameter) {
  const std::string_view condition = parameter.needs;
  const std::string_view other = condition.substr(0, condition.find('='));
  for (std::int64_t k = 0; k < component.parameter_count; ++k) {
    const sculpt_parameter& candidate = component.parameters[k];
    if (&candidate != &parameter && candidate.name != nullptr && candidate.name == other) {
      return condition.size() == other.size() ||
             nlohmann::json::accept(condition.substr(other.size() + 1));
    }
  }
  return false;
}

// Returns what is wrong with a parameter, or "". Adds its name to `names`.
std::string parameter_fault(const sculpt_parameter& parameter, std::set<std::string>& names) {
  if (is_missing(parameter.name)) return "a parameter has no name";
  const std::string name = parameter.name;
  const std::string subject = "its parameter \"" + name + "\" ";
  if (!has_only_name_characters(name, "") || name == "use") {
    return subject + "has a name that is not allowed";
  }
  if (!names.insert(name).second) return subject + "is declared twice";
  if (parameter_type_name(parameter.type).empty()) return subject + "has an unknown type";
  if (is_missing(parameter.summary)) return subject + "has no summary";
  if (!(parameter.lower <= parameter.upper)) return subject + "has an empty range";
  const bool is_choice =
      (parameter.type & ~std::uint32_t{SCULPT_PARAMETER_LIST}) == SCULPT_PARAMETER_CHOICE;
  if (is_choice && is_missing(parameter.choices)) return subject + "has no choices";
  if ((parameter.flags & ~std::uint32_t{SCULPT_PARAMETER_DEPRECATED}) != 0 ||
      parameter.reserved != 0) {
    return subject + "has flags that this host does not know";
  }
  return "";
}

// Returns what is wrong with a component whose id is valid, or "".
std::string fault_after_id(const sculpt_component& component) {
  if (kind_name(component.kind).empty()) {
    return "its kind " + std::to_string(component.kind) + " is unknown";
  }
  if ((component.traits & ~known_traits) != 0) {
    return "it has a trait that this host does not know";
  }
  if (is_missing(component.version)) return "it has no version";
  if (is_missing(component.summary)) return "it has no summary";
  if (!is_valid_list(component.extensions, component.extension_count)) {
    return "its list of extensions is missing";
  }
  for (std::int64_t k = 0; k < component.extension_count; ++k) {
    if (is_missing(component.extensions[k])) return "one of its extensions has no id";
  }
  if (std::string fault = table_fault(component); !fault.empty()) return fault;
  if (!is_valid_list(component.parameters, component.parameter_count)) {
    return "its table of parameters is missing";
  }
  std::set<std::string> names;
  for (std::int64_t k = 0; k < component.parameter_count; ++k) {
    const sculpt_parameter& parameter = component.parameters[k];
    std::string fault = parameter_fault(parameter, names);
    if (!fault.empty()) return fault;
    if (parameter.needs != nullptr && !names_another(component, parameter)) {
      return "its parameter \"" + std::string(parameter.name) + "\" needs \"" + parameter.needs +
             "\", which is not another parameter, or not one with a JSON value behind the =";
    }
  }
  return "";
}

// Returns what is wrong with the list of components, as the rest of a sentence, or "".
std::string components_fault(const sculpt_plugin& catalogue) {
  if (!is_valid_list(catalogue.components, catalogue.component_count) ||
      catalogue.component_count == 0) {
    return "offers no component";
  }
  std::set<std::pair<std::uint32_t, std::string>> ids;
  for (std::int64_t k = 0; k < catalogue.component_count; ++k) {
    const sculpt_component* const component = catalogue.components[k];
    const std::string subject = "component " + std::to_string(k) + " of its catalogue ";
    if (component == nullptr) return "is faulty: " + subject + "is NULL";
    // `api` is the last field in ABI 0.2. Readers test later fields with SCULPT_HAS.
    if (!SCULPT_HAS(component, sculpt_component, api)) {
      return "is faulty: " + subject + "has no struct_size";
    }
    if (kind_name(component->kind).empty()) continue;  // a kind of a later host
    if (std::string fault = component_fault(*component); !fault.empty()) {
      return "is faulty: " + subject + "is refused: " + fault;
    }
    if (!ids.emplace(component->kind, component->id).second) {
      return "is faulty: it offers " + std::string(component->id) + " twice";
    }
  }
  return "";
}

}  // namespace

std::string_view kind_name(std::uint32_t kind) {
  return kind >= 1 && kind <= kinds.size() ? kinds[kind - 1] : "";
}

std::uint32_t kind_number(std::string_view name) {
  for (std::uint32_t kind = 1; kind <= kinds.size(); ++kind) {
    if (kinds[kind - 1] == name) return kind;
  }
  return 0;
}

std::string_view parameter_type_name(std::uint32_t type) {
  const std::uint32_t item = type & ~std::uint32_t{SCULPT_PARAMETER_LIST};
  return item >= 1 && item <= types.size() ? types[item - 1] : "";
}

std::string component_fault(const sculpt_component& component) {
  if (component.id == nullptr || !is_valid_id(component.id)) {
    return "the id \"" + std::string(component.id == nullptr ? "" : component.id) +
           "\" is not of the form org.example.name";
  }
  const std::string fault = fault_after_id(component);
  return fault.empty() ? "" : std::string(component.id) + ": " + fault;
}

bool is_compatible(sculpt_version built_for, sculpt_version needed, sculpt_version host) {
  if (built_for.major != host.major) return false;
  return host.major == 0 ? built_for.minor == host.minor : needed.minor <= host.minor;
}

std::string catalogue_fault(const sculpt_plugin* catalogue) {
  const sculpt_version host_abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR};
  if (catalogue == nullptr) {
    return "does not support ABI " + abi_text(host_abi) + " of this host";
  }
  const sculpt_version needed = catalogue->abi_needed;
  if (!is_compatible(catalogue->abi, needed, host_abi)) {
    return "was built for ABI " + abi_text(catalogue->abi) + ", this host has " +
           abi_text(host_abi) + "; build it against the headers of this host";
  }
  // The last field of ABI 0.2, as above.
  if (!SCULPT_HAS(catalogue, sculpt_plugin, experiment_count)) {
    return "is faulty: it has no struct_size";
  }
  if (needed.major != catalogue->abi.major || needed.minor > catalogue->abi.minor) {
    return "is faulty: it needs ABI " + abi_text(needed) + ", but was built for " +
           abi_text(catalogue->abi) + "; set abi_needed to the ABI it was built for";
  }
  if (is_missing(catalogue->name) || is_missing(catalogue->version) ||
      is_missing(catalogue->license)) {
    return "is faulty: its catalogue has no name, version or license";
  }
  if (std::string fault = components_fault(*catalogue); !fault.empty()) return fault;
  if (!is_valid_list(catalogue->experiments, catalogue->experiment_count)) {
    return "is faulty: its list of experiments is missing";
  }
  return "";
}

}  // namespace sculpt::core
