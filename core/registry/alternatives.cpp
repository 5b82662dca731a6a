#include "registry/alternatives.hpp"

#include <sculpt/kinds.h>

#include <set>

namespace sculpt::core {
namespace {

// What a pairing names of this kind.
std::vector<std::string> names_of_kind(const Pairing& pairing, std::uint32_t kind) {
  switch (kind) {
    case SCULPT_KIND_FEATURES:
      return {pairing.features};
    case SCULPT_KIND_LOSS:
      return {pairing.loss};
    case SCULPT_KIND_ORACLE:
    case SCULPT_KIND_MAP_SOLVER:
      return pairing.oracles;
    default:
      return {};
  }
}

}  // namespace

std::vector<std::string> alternatives(const std::vector<LibraryListing>& libraries,
                                      std::uint32_t kind, const std::string& dataset,
                                      const std::string& features) {
  std::set<std::string> of_features;
  std::set<std::string> of_both;
  for (const LibraryListing& library : libraries) {
    for (const Pairing& pairing : library.pairings) {
      const bool has_dataset = pairing.dataset == dataset;
      if (kind == SCULPT_KIND_FEATURES ? !has_dataset : pairing.features != features) continue;
      for (const std::string& name : names_of_kind(pairing, kind)) {
        if (name.empty()) continue;
        of_features.insert(name);
        if (has_dataset) of_both.insert(name);
      }
    }
  }
  const std::set<std::string>& chosen = of_both.empty() ? of_features : of_both;
  return {chosen.begin(), chosen.end()};
}

}  // namespace sculpt::core
