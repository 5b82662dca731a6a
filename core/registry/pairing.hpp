// pairing.hpp - components that work together, as the small experiments of a library show.
//
// Called by listing.cpp. A sidecar has them, so `sculpt describe` can say what works with what and
// runs no code of plugins.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sculpt::core {

struct Pairing {  // short names
  std::string dataset;
  std::string features;
  std::string loss;  // "": none
  std::vector<std::string> oracles;
  bool operator==(const Pairing&) const = default;
};

// The pairing of an experiment, or of pairing_json(). Nothing if it names no dataset or features.
std::optional<Pairing> pairing_in(const nlohmann::ordered_json& experiment);

nlohmann::ordered_json pairing_json(const Pairing& pairing);

// Adds a pairing that the list does not have yet.
void add_pairing(const std::optional<Pairing>& pairing, std::vector<Pairing>& list);

}  // namespace sculpt::core
