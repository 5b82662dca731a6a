// library.hpp - a shared library with a catalogue of components, loaded and checked.
//
// Called by Registry. Once loaded a library stays until the process ends.
#pragma once

#include <sculpt/plugin.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace sculpt::core {

class Library {
 public:
  // Loads it (RTLD_NOW | RTLD_LOCAL) and checks the catalogue; the second time gives the same one.
  // Requires an absolute path. Throws Failure(Exit::plugin) in one sentence when the file is
  // missing, truncated, no shared library of this machine, lacks sculpt_entry, was built for
  // another ABI, or its catalogue is incomplete. [main]
  static const Library& load(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return file_; }
  const sculpt_plugin& catalogue() const { return *catalogue_; }
  std::span<const sculpt_component* const> components() const;

 private:
  Library(std::filesystem::path file, const sculpt_plugin* catalogue)
      : file_(std::move(file)), catalogue_(catalogue) {}

  std::filesystem::path file_;
  const sculpt_plugin* catalogue_;
};

}  // namespace sculpt::core
