#include "registry/catalogue_check.hpp"

#include <sculpt/ext/factor_graph.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace sculpt::core {

namespace {

constexpr std::array<std::string_view, 6> kinds = {"dataset", "features",   "loss",
                                                   "oracle",  "map_solver", "kernel"};
constexpr std::array<std::string_view, 7> types = {"bool", "int",    "real", "text",
                                                   "path", "choice", "json"};
// More than any library has. Protects loops from a count that was never set.
constexpr std::int64_t max_entries = 100000;

bool missing(const char* text) {
  return text == nullptr || *text == '\0';
}

template <class Item>
bool sound_list(const Item* items, std::int64_t count) {
  return count >= 0 && count <= max_entries && (count == 0 || items != nullptr);
}

bool made_of(std::string_view text, std::string_view further) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           further.find(c) != std::string_view::npos;
  });
}

bool sound_id(std::string_view id) {
  return made_of(id, ".") && id.find('.') != std::string_view::npos && id.front() != '.' &&
         id.back() != '.' && id.find("..") == std::string_view::npos;
}

std::string abi_text(sculpt_version abi) {
  return std::to_string(abi.major) + "." + std::to_string(abi.minor);
}

// True if the function table of this kind is complete.
bool complete_api(const sculpt_component& component) {
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
    default:
      return true;  // the table of kernels is a draft
  }
}

std::string table_fault(const sculpt_component& component) {
  const sculpt_life* const life = component.life;
  if (life == nullptr) return "it has no table sculpt_life";
  if (!life->create || !life->destroy || !life->extension) {
    return "its life lacks create, destroy or extension";
  }
  if ((life->open_session == nullptr) != (life->close_session == nullptr)) {
    return "its life has one of open_session and close_session without the other";
  }
  if (component.api == nullptr || !complete_api(component)) {
    return "its functions of a " + std::string(kind_name(component.kind)) + " are not all there";
  }
  return "";
}

std::string parameter_fault(const sculpt_parameter& parameter, std::set<std::string>& names) {
  if (missing(parameter.name)) return "a parameter has no name";
  const std::string name = parameter.name;
  const std::string which = "its parameter \"" + name + "\" ";
  if (!made_of(name, "") || name == "use") return which + "has a name that is not allowed";
  if (!names.insert(name).second) return which + "is declared twice";
  if (parameter_type_name(parameter.type).empty()) return which + "has an unknown type";
  if (missing(parameter.summary)) return which + "has no summary";
  if (!(parameter.lower <= parameter.upper)) return which + "has an empty range";
  const bool chooses =
      (parameter.type & ~std::uint32_t{SCULPT_PARAMETER_LIST}) == SCULPT_PARAMETER_CHOICE;
  if (chooses && missing(parameter.choices)) return which + "has no choices";
  return "";
}

std::string fault_after_id(const sculpt_component& component) {
  if (kind_name(component.kind).empty()) {
    return "it is of the unknown kind " + std::to_string(component.kind);
  }
  if (missing(component.version)) return "it has no version";
  if (missing(component.summary)) return "it has no summary";
  if (std::string fault = table_fault(component); !fault.empty()) return fault;
  if (!sound_list(component.extensions, component.extension_count)) {
    return "its list of extensions is missing";
  }
  for (std::int64_t k = 0; k < component.extension_count; ++k) {
    if (missing(component.extensions[k])) return "one of its extensions has no id";
  }
  if (!sound_list(component.parameters, component.parameter_count)) {
    return "its table of parameters is missing";
  }
  std::set<std::string> names;
  for (std::int64_t k = 0; k < component.parameter_count; ++k) {
    std::string fault = parameter_fault(component.parameters[k], names);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string components_fault(const sculpt_plugin& catalogue) {
  if (!sound_list(catalogue.components, catalogue.component_count) ||
      catalogue.component_count == 0) {
    return "offers no component";
  }
  std::set<std::pair<std::uint32_t, std::string>> ids;
  for (std::int64_t k = 0; k < catalogue.component_count; ++k) {
    const sculpt_component* const component = catalogue.components[k];
    const std::string which = "component " + std::to_string(k) + " of its catalogue ";
    if (component == nullptr) return "is faulty: " + which + "is NULL";
    // `api` is the last field in ABI 0.1. Readers test later fields with SCULPT_HAS.
    if (!SCULPT_HAS(component, sculpt_component, api)) {
      return "is faulty: " + which + "has no struct_size";
    }
    if (std::string fault = component_fault(*component); !fault.empty()) {
      return "is faulty: " + which + "is refused: " + fault;
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
  if (component.id == nullptr || !sound_id(component.id)) {
    return "the id \"" + std::string(component.id == nullptr ? "" : component.id) +
           "\" is not of the form org.example.name";
  }
  const std::string fault = fault_after_id(component);
  return fault.empty() ? "" : std::string(component.id) + ": " + fault;
}

std::string catalogue_fault(const sculpt_plugin* catalogue) {
  const sculpt_version own = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR};
  if (catalogue == nullptr) {
    return "says that it cannot serve ABI " + abi_text(own) + " of this host";
  }
  const bool same_major = catalogue->abi.major == own.major;
  const bool served = same_major && (own.major > 0 || catalogue->abi.minor == own.minor);
  if (!served) {
    return "was built for ABI " + abi_text(catalogue->abi) + ", this host has " + abi_text(own) +
           "; build it against the headers of this host";
  }
  // The last field of ABI 0.1, as above.
  if (!SCULPT_HAS(catalogue, sculpt_plugin, experiment_count)) {
    return "is faulty: it has no struct_size";
  }
  if (missing(catalogue->name) || missing(catalogue->version) || missing(catalogue->license)) {
    return "is faulty: its catalogue has no name, version or license";
  }
  if (std::string fault = components_fault(*catalogue); !fault.empty()) return fault;
  if (!sound_list(catalogue->experiments, catalogue->experiment_count)) {
    return "is faulty: its list of experiments is missing";
  }
  return "";
}

}  // namespace sculpt::core
