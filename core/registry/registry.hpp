// registry.hpp - finds components by name on the search path, and loads the libraries in use.
//
// Called by the commands with the value of "use" in an experiment, or with the ids of a model.
// Single-threaded.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "registry/library.hpp"
#include "registry/listing.hpp"

namespace sculpt::core {

struct FoundComponent {
  const sculpt_component* component = nullptr;  // lives as long as the process or the session
  std::filesystem::path library;                // absolute; the name of a lent catalogue
  bool is_lent = false;                         // of Registry::Settings::catalogues
};

class Registry {
 public:
  struct Settings {
    std::vector<std::filesystem::path> plugin_path;  // of the experiment, absolute
    std::filesystem::path experiment_folder;         // base of "folder/file.so#name"
    // receives warnings about unusable libraries; may be empty
    std::function<void(const std::string&)> warn;
    // Lists a library without a sidecar; throws Failure. Empty: the library is loaded.
    std::function<LibraryListing(const std::filesystem::path&)> list_unlisted = {};
    // Catalogues that the caller of libsculpt lends. They hide equal ids of the search path. They
    // are checked, and no two have a name or a component in common.
    std::vector<const sculpt_plugin*> catalogues = {};
  };
  explicit Registry(Settings settings);

  // Returns the component that `use` names: the full id, its last part, or "file.so#name". A bare
  // file name is searched on the search path. SCULPT_KIND_ORACLE also finds map_solvers. Throws
  // Failure. Exit::config: no component, or more than one, has that name. Exit::plugin: its library
  // cannot be used. `host_names`: what else the section may name, for the message.
  FoundComponent find(std::uint32_t kind, const std::string& use,
                      const std::vector<std::string>& host_names = {});

  // For models. `id` is a full id, never a path. If several match, returns the first on the search
  // path. Throws Failure: Exit::plugin if there is none, Exit::data if it is no id.
  FoundComponent find_id(std::uint32_t kind, const std::string& id);

  // All lent catalogues, then all libraries on the search path, in its order. Unusable ones are
  // left out with a warning. If files of one name in several folders have the same component, the
  // first file counts.
  const std::vector<LibraryListing>& list();

  // The short names of all components and the names of all libraries, each once, for suggestions.
  std::vector<std::string> names();

  // A component of a suitable kind, with the values of `use` that find only it. These are its short
  // name and its id, unless another component on the search path has them too.
  struct UsableComponent {
    const ComponentListing* component;
    std::vector<std::string> names;
  };
  // The usable components of this kind. SCULPT_KIND_ORACLE includes map_solvers.
  std::vector<UsableComponent> usable_components(std::uint32_t kind);

  // A library by its path, bare file name or name of a lent catalogue: the part before "#". Throws
  // Failure(Exit::plugin).
  const Library& library(const std::string& file);
  // The path of the first file on the search path with this name. A folder is no file.
  std::optional<std::filesystem::path> find_file(const std::string& name) const;

  // The folders of the search path: plugin_path, $SCULPT_PLUGIN_PATH,
  // $XDG_DATA_HOME/sculpt/plugins, ../lib/sculpt/plugins from the running executable.
  const std::vector<std::filesystem::path>& search_folders() const { return folders_; }
  // Passes the text to Settings::warn. A text that was passed before is left out.
  void warn(const std::string& text);
  // Returns "looked in A, B (no such folder)", a part of messages about what was not found.
  std::string searched_folders_text() const;

  // The failure for a name that no usable library has: `exit` and `text`. A library that is refused
  // may have it, if no sidecar tells its components. Then the failure is Exit::plugin, and its text
  // has the reasons, too.
  Failure unknown_name(Exit exit, const std::string& text, const std::string& name);

 private:
  struct Candidate {
    const LibraryListing* library;
    const ComponentListing* component;
  };
  struct BrokenLibrary {
    std::filesystem::path file;
    std::string reason;  // why it cannot be used
  };

  std::optional<LibraryListing> list_file(const std::filesystem::path& file);
  bool remove_hidden(LibraryListing& listing) const;
  // The lent catalogue of this name, or nullptr.
  const Library* find_lent(const std::filesystem::path& name) const;
  std::vector<Candidate> candidates(std::uint32_t kind, const std::string& use);
  FoundComponent find_in_file(std::uint32_t kind, const std::string& file, const std::string& name);
  FoundComponent load(const Candidate& candidate) const;
  [[noreturn]] void refuse_unknown(std::uint32_t kind, const std::string& use,
                                   const std::vector<std::string>& host_names);
  Settings settings_;
  std::vector<std::filesystem::path> folders_;
  std::vector<Library> lent_;
  std::optional<std::vector<LibraryListing>> listings_;
  std::vector<BrokenLibrary> broken_libraries_;
  std::set<std::string> warnings_;  // shown so far
};

}  // namespace sculpt::core
