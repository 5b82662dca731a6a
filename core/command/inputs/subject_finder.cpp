#include "command/inputs/subject_finder.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/file/open_file.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "command/inputs/experiment_factory.hpp"
#include "command/inputs/input_word.hpp"
#include "experiment/kernel_keys.hpp"
#include "launch/component_search.hpp"
#include "launch/console.hpp"
#include "registry/search_path.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// "file.so#name" of the component that `use` names, if exactly one is in the library, or else if
// exactly one is in its folder.
std::optional<std::string> pinned_use(Registry& registry, const fs::path& library,
                                      const std::string& section, const std::string& use) {
  std::vector<std::string> in_library;
  std::vector<std::string> in_folder;
  for (const LibraryListing& listing : registry.list()) {
    if (listing.file.parent_path() != library.parent_path()) continue;
    for (const ComponentListing& component : listing.components) {
      const bool is_map_solver = component.kind == SCULPT_KIND_MAP_SOLVER && section == "oracle";
      if (component.kind != kind_of(section) && !is_map_solver) continue;
      if (!component.has_name(use)) continue;
      in_folder.push_back(listing.file.string() + "#" + component.id);
      if (listing.file == library) in_library.push_back(in_folder.back());
    }
  }
  const std::vector<std::string>& found = in_library.empty() ? in_folder : in_library;
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

// Replaces the names of components in the library, and in its folder, by "file.so#name". Otherwise
// another library on the search path could offer the same name.
class Pins {
 public:
  Pins(Registry& registry, JsonDocument& document, const fs::path& library)
      : registry_(registry), document_(document), library_(library) {}

  void pin() {
    for (const char* section : {"dataset", "features", "loss", "oracle", "kernel"}) {
      pin_section(pointer_to("", section), section);
    }
    for (const char* section : {"predict_with", "audit_with"}) {
      pin_section(pointer_to("", section), "oracle");
    }
  }

 private:
  // A name, an object with "use", or a list of these. "combine" has such a list. Kernels of the
  // host have such a list or one kernel.
  void pin_section(const std::string& pointer, const std::string& section) {
    const Json* const value = document_.find(pointer);
    if (value == nullptr) return;
    if (value->is_string()) return pin_name(pointer, section);
    if (value->is_array()) {
      const std::size_t size = value->size();  // pin_section() may replace what `value` points to
      for (std::size_t k = 0; k < size; ++k) {
        pin_section(pointer_to(pointer, std::to_string(k)), section);
      }
    } else if (value->is_object()) {
      pin_section(pointer_to(pointer, combine_keys[0].name), section);
      if (section == "kernel") pin_section(pointer_to(pointer, "of"), section);
      if (value->contains("use") && (*value)["use"].is_string()) {
        pin_name(pointer_to(pointer, "use"), section);
      }
    }
  }

  void pin_name(const std::string& pointer, const std::string& section) {
    const auto use = document_.find(pointer)->get<std::string>();
    if (section == "kernel" && find_host_kernel(use) != nullptr) return;
    const std::optional<std::string> pinned = pinned_use(registry_, library_, section, use);
    if (pinned) document_.replace(pointer, *pinned);
  }

  Registry& registry_;
  JsonDocument& document_;
  const fs::path& library_;
};

std::vector<std::string> library_words(const std::map<fs::path, std::string>& libraries) {
  std::vector<std::string> words;
  for (const auto& [file, word] : libraries) words.push_back(word);
  return words;
}

// True if a word that is no file may be the name of a component or a library.
bool may_be_name(const std::string& word) {
  const std::string extension = fs::path(word).extension().string();
  return word.find('/') == std::string::npos && extension != ".json" && extension != ".sculpt";
}

[[noreturn]] void refuse_unknown_subject(Registry& registry, const std::string& word) {
  if (find_solver(word) != nullptr || belongs_to_host(word)) {
    throw Failure(Exit::usage, word + ": is a part of sculpt itself; check tests libraries and " +
                                   "experiments. For its parameters: sculpt describe " + word);
  }
  std::vector<std::string> names = registry.names();
  std::sort(names.begin(), names.end());
  throw registry.unknown_name(
      Exit::missing,
      word + ": there is no such file, and no component or library with this name; " +
          joined_parts(suggest_name(word, names), registry.searched_folders_text()),
      word);
}

}  // namespace

Registry::Settings SubjectFinder::safe_settings(Registry::Settings settings) {
  settings.list_unlisted = [this](const fs::path& file) { return unlisted_libraries_.list(file); };
  settings.warn = [this, warn = settings.warn](const std::string& text) {
    if (printed_warnings_.insert(text).second) warn(text);
  };
  return settings;
}

// The library that has this name, or a component with it. Empty if there is none.
std::optional<fs::path> SubjectFinder::find_named_library(Registry& registry,
                                                          const std::string& name) {
  const std::map<fs::path, std::string> libraries = libraries_with_name(registry, name);
  if (libraries.empty()) return std::nullopt;
  if (libraries.size() == 1) return libraries.begin()->first;
  throw Failure(Exit::config, std::to_string(libraries.size()) + " libraries have the name " +
                                  name + " or a component with it; check one of them: " +
                                  joined(library_words(libraries), " or "));
}

std::optional<fs::path> SubjectFinder::find_plain_library(const std::string& word) {
  Registry registry(safe_settings(registry_settings()));
  const fs::path path = fs::absolute(word).lexically_normal();
  const InputKind kind = input_kind(path);
  if (word.ends_with(".so") && kind != InputKind::run) return library_path(registry, word);
  auto library_here = kind == InputKind::library ? std::optional(path) : std::nullopt;
  if (!may_be_name(word)) return library_here;
  const bool is_experiment = kind == InputKind::run || kind == InputKind::experiment;
  if (is_experiment || kind == InputKind::model) {
    const std::map<fs::path, std::string> others = libraries_with_name(registry, word);
    if (!others.empty()) Console().warn(hidden_name_warning(word, kind, library_words(others)));
    return std::nullopt;
  }
  if (auto named = find_named_library(registry, word)) return named;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) refuse_unknown_subject(registry, word);
  return library_here;  // else the file is refused as an experiment
}

LibraryListing SubjectFinder::listing_of(const fs::path& library) {
  const auto sidecar = sidecar_of(library);
  return sidecar ? read_sidecar(*sidecar, library) : unlisted_libraries_.list(library);
}

std::optional<fs::path> SubjectFinder::find_library(const std::string& word) {
  const std::string name = component_of(word);
  std::error_code ignored;
  if (name.empty() || fs::exists(word, ignored)) return find_plain_library(word);
  const Registry registry(safe_settings(registry_settings()));
  const fs::path file = library_path(registry, library_of(word));
  const LibraryListing listing = listing_of(file);
  if (listing.count(name) > 0) return file;
  throw Failure(Exit::config, file.string() + " has no component " + name + "; it has " +
                                  joined(listing.ids(), ", "));
}

namespace {

// The run folder that a word names, directly or by its model. Empty if it names no run.
std::optional<fs::path> run_folder(const std::string& word) {
  std::error_code ignored;
  const fs::path path = word;
  if (fs::is_directory(path, ignored)) return path;
  const bool is_model = path.extension() == ".sculpt" || input_kind(path) == InputKind::model;
  if (is_model) return path.parent_path();
  return std::nullopt;
}

// The libraries in a folder and in its folder "build", where sculpt new builds.
std::vector<std::string> libraries_below(const fs::path& folder) {
  std::vector<std::string> words;
  for (const fs::path& place : {folder, folder / "build"}) {
    for (const fs::path& file : libraries_in(place)) words.push_back(file.string());
  }
  return words;
}

// Refuses a folder that is no run. Libraries in it are what is meant, or what is missing.
[[noreturn]] void refuse_folder(const fs::path& folder) {
  constexpr std::size_t max_listed = 3;
  std::vector<std::string> libraries = libraries_below(folder);
  std::string advice = "give the file of an experiment, a run folder, or a library";
  if (!libraries.empty()) {
    libraries.resize(std::min(libraries.size(), max_listed));
    advice = "to check a library in it, write " + joined(libraries, " or ");
  } else if (std::error_code ignored; fs::exists(folder / "CMakeLists.txt", ignored)) {
    advice = "to check a plugin, build it and give its library, such as " +
             (folder / "build/NAME.so").string();
  }
  throw Failure(Exit::missing,
                folder.string() + ": the folder has no model.sculpt and no config.json; " + advice);
}

}  // namespace

std::string experiment_file(const std::string& word) {
  const auto folder = run_folder(word);
  if (!folder) return word;
  if (*folder == word && input_kind(*folder) == InputKind::other) refuse_folder(*folder);
  const fs::path config = *folder / "config.json";
  require_regular_file(config, Exit::missing);
  return config.string();
}

std::string experiment_title(const std::string& word) {
  const fs::path path = fs::absolute(word);  // a bare name has no parent folder
  const bool is_config = path.filename() == "config.json";
  const auto folder = is_config ? path.parent_path() : run_folder(path.string());
  if (!folder) return path.stem().string();
  const fs::path path_of_run = folder->lexically_normal();
  return (path_of_run.has_filename() ? path_of_run : path_of_run.parent_path()).filename().string();
}

// Lists the libraries here already. The output of the experiment's process is not shown, and
// listing would use up its time limit.
CheckSubject SubjectFinder::experiment_subject(const JsonDocument& document,
                                               const std::vector<Override>& overrides,
                                               const std::string& title) {
  const Registry::Settings settings = safe_settings(registry_settings(document, overrides));
  Registry(settings).list();
  return {title, [document, overrides, settings] {
            return open_experiment(document, overrides, settings, [](Registry&, JsonDocument&) {});
          }};
}

CheckSubject SubjectFinder::embedded_subject(const fs::path& library, const std::string& text,
                                             std::size_t position) {
  const Json json = Json::parse(text, nullptr, false, true);
  std::string name = "experiment " + std::to_string(position + 1);
  if (json.is_object() && json.contains("name") && json["name"].is_string()) name = json["name"];
  Registry::Settings list_settings = safe_settings(registry_settings());
  list_settings.plugin_path = {library.parent_path()};
  Registry(std::move(list_settings)).list();
  std::error_code ignored;  // the registry resolves links in the names of folders
  const fs::path folder = fs::weakly_canonical(library.parent_path(), ignored);
  const fs::path place = ignored ? library : folder / library.filename();
  return {name, [this, library, place, text, name] {
            const Source source{library.filename().string() + ": " + name,
                                library.parent_path().string()};
            const JsonDocument document = JsonDocument::parse(text, source);
            Registry::Settings settings = safe_settings(registry_settings(document, {}));
            settings.plugin_path.insert(settings.plugin_path.begin(), library.parent_path());
            return open_experiment(document, {}, std::move(settings),
                                   [place](Registry& registry, JsonDocument& changed) {
                                     Pins(registry, changed, place).pin();
                                   });
          }};
}

}  // namespace sculpt::core
