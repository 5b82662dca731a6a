#include "experiment/component_use.hpp"

namespace sculpt::core {

std::string absolute_use(const std::string& use, const Position& position) {
  const std::size_t hash = use.rfind('#');
  const std::string library = hash == std::string::npos ? "" : use.substr(0, hash);
  const std::string component = component_of_use(use);
  if (component.empty() || hash == 0) {
    refuse(position, "\"use\" is \"" + use +
                         "\"; it must name a component: \"viterbi\", \"org.sculpt.viterbi\" or "
                         "\"file.so#viterbi\"");
  }
  if (component.find('/') != std::string::npos) {
    refuse(position, "\"" + use + "\" names no component; write \"" + use + "#name\"");
  }
  if (library.find('/') == std::string::npos) return use;
  return position.absolute(library) + "#" + component;
}

std::string component_of_use(const std::string& use) {
  return use.substr(use.rfind('#') + 1);
}

}  // namespace sculpt::core
