#include "experiment/section.hpp"

#include <nlohmann/json.hpp>

#include "base/text/parameter_text.hpp"
#include "experiment/component_use.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

Section read_section(const JsonDocument& document, const std::string& pointer,
                     const std::string& kind) {
  const Json& json = *document.find(pointer);
  Section section{kind, "", document.position(pointer), document.part(pointer)};
  if (json.is_string()) {
    section.use = json.get<std::string>();
    section.keys = JsonDocument(Json::object(), section.use_position);
  } else if (json.is_object()) {
    const Json* use = document.find(pointer + "/use");
    if (!use) {
      refuse(section.use_position,
             "\"" + kind + "\" has no \"use\"; add \"use\": \"name\" of the component");
    }
    section.use_position = document.position(pointer + "/use");
    if (!use->is_string()) {
      refuse(section.use_position,
             "\"use\" must be the name of a component in double quotes, not " + found_text(*use));
    }
    section.use = use->get<std::string>();
    section.keys.erase("/use");
  } else {
    refuse(section.use_position, "\"" + kind + "\" must be \"name\" or {\"use\": \"name\", ...}" +
                                     ", not " + found_text(json));
  }
  section.use = absolute_use(section.use, section.use_position);
  return section;
}

}  // namespace sculpt::core
