// catalogue.hpp - components, libraries and parts of the host, as describe prints them.
//
// Called by describe.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command/reports/works_with.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// A part of the host: a solver, combine, or a kernel made of others.
struct HostPart {
  std::string name;
  std::string kind;  // "solver", "oracle", "kernel"
  std::string summary;
  std::span<const sculpt_parameter> parameters;
};

// All, in the order of their kinds.
std::vector<HostPart> host_parts();

// What describe prints. The listings outlive it.
struct Catalogue {
  std::vector<const LibraryListing*> libraries;  // as a whole
  std::vector<std::pair<const LibraryListing*, const ComponentListing*>> components;
  std::vector<HostPart> parts;

  bool is_empty() const { return libraries.empty() && components.empty() && parts.empty(); }
};

// Prints each entry with its parameters. `tasks`: of all features.
void print_catalogue(const Catalogue& catalogue, const std::vector<FeatureTask>& tasks);
// The same for programs: {"libraries", "components", "parts"}. Libraries have their components too.
nlohmann::ordered_json catalogue_json(const Catalogue& catalogue,
                                      const std::vector<FeatureTask>& tasks);

// Prints a line for each component: first what works with what, then all by kind. Also the search
// path.
void print_overview(Registry& registry, const std::vector<FeatureTask>& tasks);
// The same for programs: {"tasks", "search_path"}, and all of catalogue_json().
nlohmann::ordered_json overview_json(Registry& registry, const std::vector<FeatureTask>& tasks);

}  // namespace sculpt::core
