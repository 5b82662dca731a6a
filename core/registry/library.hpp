// library.hpp - a shared library with a catalogue of components, loaded and checked; or such a
// catalogue in the memory of the caller of libsculpt.
//
// Called by Registry. A library stays loaded until the process ends.
#pragma once

#include <sculpt/plugin.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sculpt::core {

// The parameters that a component declares.
inline std::span<const sculpt_parameter> parameters_of(const sculpt_component& component) {
  return {component.parameters, static_cast<std::size_t>(component.parameter_count)};
}

class Library {
 public:
  // Loads the library (RTLD_NOW | RTLD_LOCAL) and checks its catalogue. A second call returns the
  // same object. Requires an absolute path. Throws Failure(Exit::plugin) if the file is missing,
  // truncated, no shared library of this machine, or lacks sculpt_entry. Likewise if it was built
  // for another ABI, or its catalogue is incomplete. [any]
  static const Library& load(const std::filesystem::path& file);

  // A catalogue in the memory of this process, which outlives the object. Its file() is its name.
  // Throws Failure(Exit::plugin) as load() does for its catalogue.
  static Library lent(const sculpt_plugin* catalogue);

  const std::filesystem::path& file() const { return file_; }
  const sculpt_plugin& catalogue() const { return *catalogue_; }
  // Without those of a kind that this host does not know.
  std::span<const sculpt_component* const> components() const { return components_; }

 private:
  Library(std::filesystem::path file, const sculpt_plugin* catalogue);

  std::filesystem::path file_;
  const sculpt_plugin* catalogue_;
  std::vector<const sculpt_component*> components_;
};

}  // namespace sculpt::core
