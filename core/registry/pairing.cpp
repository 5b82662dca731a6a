#include "registry/pairing.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The names that a section uses: "viterbi", {"use": "viterbi"}, or a list of these.
std::vector<std::string> names_in(const Json& section) {
  if (section.is_string()) return {short_name(section.get<std::string>())};
  if (section.is_object()) return names_in(section.value("use", Json()));
  std::vector<std::string> names;
  if (!section.is_array()) return names;
  for (const Json& member : section) {
    if (member.is_array()) continue;  // no experiment has lists of lists
    for (std::string& name : names_in(member)) names.push_back(std::move(name));
  }
  return names;
}

// The first name that a section uses; "" if there is none.
std::string name_in(const Json& experiment, const char* key) {
  const std::vector<std::string> names = names_in(experiment.value(key, Json()));
  return names.empty() ? "" : names.front();
}

}  // namespace

std::optional<Pairing> pairing_in(const Json& experiment) {
  if (!experiment.is_object()) return std::nullopt;
  Pairing pairing{name_in(experiment, "dataset"), name_in(experiment, "features"),
                  name_in(experiment, "loss"), names_in(experiment.value("oracle", Json()))};
  if (pairing.dataset.empty() || pairing.features.empty()) return std::nullopt;
  return pairing;
}

Json pairing_json(const Pairing& pairing) {
  Json json = {{"dataset", pairing.dataset}, {"features", pairing.features}};
  if (!pairing.loss.empty()) json["loss"] = pairing.loss;
  json["oracle"] = pairing.oracles;
  return json;
}

void add_pairing(const std::optional<Pairing>& pairing, std::vector<Pairing>& list) {
  if (pairing && std::find(list.begin(), list.end(), *pairing) == list.end()) {
    list.push_back(*pairing);
  }
}

}  // namespace sculpt::core
