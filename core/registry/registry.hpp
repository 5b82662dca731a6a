// registry.hpp - finds components by name on the search path, and loads the libraries in use.
//
// Called by the commands with what stands under "use" in an experiment, or with the ids of a model.
// One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "registry/library.hpp"
#include "registry/listing.hpp"

namespace sculpt::core {

struct FoundComponent {
  const sculpt_component* component = nullptr;  // lives as long as the process
  std::filesystem::path library;                // absolute
};

class Registry {
 public:
  struct Settings {
    std::vector<std::filesystem::path> plugin_path;  // of the experiment, absolute
    std::filesystem::path experiment_folder;         // what "folder/file.so#name" is relative to
    std::function<void(const std::string&)> warn;    // a broken neighbour; may be empty
    // What a library without a sidecar offers; throws Failure. Empty: it is loaded to see.
    std::function<LibraryListing(const std::filesystem::path&)> list_unlisted = {};
  };
  explicit Registry(Settings settings);

  // The component that `use` names: the full id, its last part, or "file.so#name" where a bare file
  // name is looked up on the search path. SCULPT_KIND_ORACLE finds map_solvers too. Throws Failure:
  // Exit::config when nothing or more than one thing has that name, Exit::plugin when the library
  // that has it cannot be used.
  FoundComponent find(std::uint32_t kind, const std::string& use);

  // For models: `id` in full, never a path; of several, the first on the search path. Throws
  // Failure: Exit::plugin when there is none, Exit::data when it is no id.
  FoundComponent find_id(std::uint32_t kind, const std::string& id);

  // Everything on the search path, in its order; broken libraries are warned of and left out.
  const std::vector<LibraryListing>& list();

  // The short names of all components and the names of all libraries, each once: to suggest one.
  std::vector<std::string> names();

  // A component that kind_fits a kind, and the values of `use` that find it and no other: of its
  // short name and its id those that nothing else on the search path has too.
  struct UsableComponent {
    const ComponentListing* component;
    std::vector<std::string> names;
  };
  std::vector<UsableComponent> offers(std::uint32_t kind);

  // A library by path or bare file name, as in front of "#".
  const Library& library(const std::string& file);

  // The folders of the search path: plugin_path, $SCULPT_PLUGIN_PATH,
  // $XDG_DATA_HOME/sculpt/plugins,
  // ../lib/sculpt/plugins from the running executable.
  const std::vector<std::filesystem::path>& places() const { return places_; }
  // "; looked in A, B (no such folder)", with what was left out: the end of a message about
  // something that was not found.
  std::string places_tried() const;

 private:
  struct Candidate {
    const LibraryListing* library;
    const ComponentListing* component;
  };
  struct Broken {
    std::filesystem::path file;
    std::string text;
  };

  std::optional<LibraryListing> list_file(const std::filesystem::path& file);
  std::vector<Candidate> candidates(std::uint32_t kind, const std::string& use);
  FoundComponent find_in_file(std::uint32_t kind, const std::string& file, const std::string& name);
  FoundComponent load(const Candidate& candidate) const;
  void refuse_if_broken(const std::string& use) const;
  [[noreturn]] void refuse_unknown(std::uint32_t kind, const std::string& use);
  void warn(const std::string& text) const;

  Settings settings_;
  std::vector<std::filesystem::path> places_;
  std::optional<std::vector<LibraryListing>> listings_;
  std::vector<Broken> broken_;
};

}  // namespace sculpt::core
