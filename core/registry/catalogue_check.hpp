// catalogue_check.hpp - checks the catalogue of a plugin, so that the host can read it without
// further checks.
//
// Called by Library. Sidecars use the names below.
#pragma once

#include <sculpt/plugin.h>

#include <string>
#include <string_view>

namespace sculpt::core {

// "dataset", "features", "loss", "oracle", "map_solver", "kernel"; "" for other numbers.
std::string_view kind_name(std::uint32_t kind);

// The kind with that name, or 0.
std::uint32_t kind_number(std::string_view name);

// "bool", "int", "real", "text", "path", "choice", "json", for lists too; "" for other numbers.
std::string_view parameter_type_name(std::uint32_t type);

// True if a host of this ABI can use a plugin that was built for one and needs another
// (sculpt_plugin.abi, .abi_needed). While the major version is 0, only an equal ABI fits.
bool is_compatible(sculpt_version built_for, sculpt_version needed, sculpt_version host);

// The error as the rest of a sentence that begins with the file ("was built for ABI 0.2, ..."). ""
// if the catalogue is valid. Components of an unknown kind are not checked. `catalogue`: the result
// of sculpt_entry, may be NULL.
std::string catalogue_fault(const sculpt_plugin* catalogue);

// The same for one component ("org.x.y: it has no version").
std::string component_fault(const sculpt_component& component);

}  // namespace sculpt::core
