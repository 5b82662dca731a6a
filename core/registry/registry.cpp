#include "registry/registry.hpp"

#include <algorithm>
#include <set>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/search_path.hpp"

namespace sculpt::core {

namespace {

// True if a component of this kind can be used as `wanted`. A map_solver can be an oracle.
bool kind_fits(std::uint32_t kind, std::uint32_t wanted) {
  return kind == wanted || (wanted == SCULPT_KIND_ORACLE && kind == SCULPT_KIND_MAP_SOLVER);
}

// True if `use` names this id. A name with a dot is a full id; one without is its last part.
bool is_named(const std::string& id, const std::string& use) {
  return use.find('.') == std::string::npos ? short_name(id) == use : id == use;
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

// All components of a library: "loss hamming, dataset letters".
std::string components_text(const Library& library) {
  std::vector<std::string> names;
  for (const sculpt_component* component : library.components()) {
    names.push_back(std::string(kind_name(component->kind)) + " " + short_name(component->id));
  }
  return joined(names, ", ");
}

// The file name without ".so" and without a leading "lib".
std::string plain_stem(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  return stem.starts_with("lib") ? stem.substr(3) : stem;
}

std::string kind_text(std::uint32_t kind) {
  return kind == SCULPT_KIND_ORACLE ? "oracle or map_solver" : std::string(kind_name(kind));
}

// The files, and the values of "use" that choose one component: file#name, or ids if all are in one
// file. `matches`: file and id of each component.
std::string choices_text(
    const std::string& use,
    const std::vector<std::pair<std::filesystem::path, std::string>>& matches) {
  std::set<std::string> files;
  std::set<std::string> file_names;
  std::set<std::string> ids;
  for (const auto& [file, id] : matches) {
    files.insert(file.string());
    file_names.insert(file.filename().string());
    ids.insert(id);
  }
  std::vector<std::string> values;
  if (files.size() == 1) {
    for (const std::string& id : ids) values.push_back(quoted(id));
  } else {
    const bool are_unique = file_names.size() == files.size();
    for (const std::string& file : are_unique ? file_names : files) {
      values.push_back(quoted(file + "#" + use));
    }
  }
  return joined(std::vector<std::string>(files.begin(), files.end()), " and ") +
         "; choose one with \"use\": " + joined(values, " or ");
}

}  // namespace

Registry::Registry(Settings settings)
    : settings_(std::move(settings)), folders_(plugin_search_path(settings_.plugin_path)) {
  for (const sculpt_plugin* catalogue : settings_.catalogues) {
    lent_.push_back(Library::lent(catalogue));
  }
  std::error_code ignored;
  for (const std::filesystem::path& folder : settings_.plugin_path) {
    if (std::filesystem::is_directory(folder, ignored)) continue;
    warn("plugin_path: " + folder.string() + " is not a folder; it is not searched for plugins");
  }
}

FoundComponent Registry::find(std::uint32_t kind, const std::string& use,
                              const std::vector<std::string>& host_names) {
  const std::size_t separator = use.rfind('#');
  if (separator != std::string::npos) {
    return find_in_file(kind, use.substr(0, separator), use.substr(separator + 1));
  }
  const std::vector<Candidate> matches = candidates(kind, use);
  if (matches.empty()) refuse_unknown(kind, use, host_names);
  if (matches.size() > 1) {
    std::vector<std::pair<std::filesystem::path, std::string>> offers;
    for (const Candidate& match : matches) {
      offers.emplace_back(match.library->file, match.component->id);
    }
    throw Failure(Exit::config,
                  quoted(use) + " is offered more than once, by " + choices_text(use, offers));
  }
  return load(matches.front());
}

FoundComponent Registry::find_id(std::uint32_t kind, const std::string& id) {
  if (id.find_first_of("/#") != std::string::npos) {
    throw Failure(Exit::data,
                  "the model names " + quoted(id) + " as a component; a model must not name files");
  }
  // The search path decides, because a model cannot name a file.
  const std::vector<Candidate> matches = candidates(kind, id);
  if (!matches.empty()) return load(matches.front());
  throw unknown_name(Exit::plugin,
                     "the model needs the " + kind_text(kind) + " " + quoted(id) +
                         ", but no library has it; " + searched_folders_text() +
                         "; add the folder of its library to SCULPT_PLUGIN_PATH",
                     id);
}

std::vector<Registry::Candidate> Registry::candidates(std::uint32_t kind, const std::string& use) {
  std::vector<Candidate> matches;
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) {
      if (kind_fits(component.kind, kind) && is_named(component.id, use)) {
        matches.push_back({&library, &component});
      }
    }
  }
  return matches;
}

// The sidecar may be older than the library, so the library itself is checked.
FoundComponent Registry::load(const Candidate& candidate) const {
  const Library* const lent = find_lent(candidate.library->file);
  const Library& library = lent != nullptr ? *lent : Library::load(candidate.library->file);
  for (const sculpt_component* component : library.components()) {
    if (component->kind == candidate.component->kind && component->id == candidate.component->id) {
      return {component, library.file(), lent != nullptr};
    }
  }
  const auto sidecar = sidecar_of(library.file());
  throw Failure(Exit::plugin, "the sidecar " + (sidecar ? sidecar->string() : "") + " lists the " +
                                  std::string(kind_name(candidate.component->kind)) + " " +
                                  candidate.component->id + ", but " + library.file().string() +
                                  " does not offer it; delete both and build the plugin again");
}

const Library* Registry::find_lent(const std::filesystem::path& name) const {
  for (const Library& library : lent_) {
    if (library.file() == name) return &library;
  }
  return nullptr;
}

const Library& Registry::library(const std::string& file) {
  if (const Library* const lent = find_lent(file)) return *lent;
  if (file.find('/') != std::string::npos) {
    const std::filesystem::path path = settings_.experiment_folder / file;
    return Library::load(std::filesystem::absolute(path).lexically_normal());
  }
  if (const auto found = find_file(file)) return Library::load(*found);
  throw Failure(Exit::plugin,
                "there is no plugin " + quoted(file) + "; " + searched_folders_text() +
                    "; add its folder to \"plugin_path\", or write its path with a /");
}

std::optional<std::filesystem::path> Registry::find_file(const std::string& name) const {
  for (const std::filesystem::path& folder : folders_) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(folder / name, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
      return folder / name;
    }
  }
  return std::nullopt;
}

FoundComponent Registry::find_in_file(std::uint32_t kind, const std::string& file,
                                      const std::string& name) {
  const Library& chosen = library(file);
  std::vector<std::pair<std::filesystem::path, std::string>> offers;
  const sculpt_component* found = nullptr;
  for (const sculpt_component* component : chosen.components()) {
    if (!kind_fits(component->kind, kind) || !is_named(component->id, name)) continue;
    offers.emplace_back(chosen.file(), component->id);
    found = component;
  }
  if (offers.size() > 1) {
    throw Failure(Exit::config, quoted(name) + " is offered more than once, by " +
                                    choices_text(name, offers) + " after the #");
  }
  if (found != nullptr) return {found, chosen.file(), find_lent(chosen.file()) == &chosen};
  throw Failure(Exit::config, chosen.file().string() + " offers no " + kind_text(kind) + " " +
                                  quoted(name) + "; it offers " + components_text(chosen));
}

const std::vector<LibraryListing>& Registry::list() {
  if (!listings_) {
    listings_.emplace();
    for (const Library& library : lent_) listings_->push_back(list_library(library));
    for (const std::filesystem::path& folder : folders_) {
      for (const std::filesystem::path& file : libraries_in(folder)) {
        std::optional<LibraryListing> listing = list_file(file);
        if (listing && remove_hidden(*listing)) listings_->push_back(std::move(*listing));
      }
    }
  }
  return *listings_;
}

// Removes the components that a lent catalogue has, too, or a file of the same name in an earlier
// folder: it is another copy of the library. False if none is left.
bool Registry::remove_hidden(LibraryListing& listing) const {
  if (listing.components.empty()) return true;
  for (const LibraryListing& earlier : *listings_) {
    const bool is_copy = earlier.file.filename() == listing.file.filename();
    if (!is_copy && find_lent(earlier.file) == nullptr) continue;
    std::erase_if(listing.components, [&](const ComponentListing& component) {
      return std::any_of(earlier.components.begin(), earlier.components.end(),
                         [&](const ComponentListing& other) {
                           return other.kind == component.kind && other.id == component.id;
                         });
    });
  }
  return !listing.components.empty();
}

std::vector<std::string> Registry::names() {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) add(component.short_name());
    add(library.name);
  }
  return names;
}

std::vector<Registry::UsableComponent> Registry::usable_components(std::uint32_t kind) {
  std::vector<UsableComponent> components;
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) {
      if (!kind_fits(component.kind, kind)) continue;
      UsableComponent usable{&component, {}};
      for (const std::string& name : {component.short_name(), component.id}) {
        if (candidates(kind, name).size() == 1) usable.names.push_back(name);
      }
      components.push_back(std::move(usable));
    }
  }
  return components;
}

// Returns nothing if the library cannot be used, after a warning.
std::optional<LibraryListing> Registry::list_file(const std::filesystem::path& file) {
  if (const auto sidecar = sidecar_of(file)) {
    try {
      return read_sidecar(*sidecar, file);
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;
      warn(failure.what());
    }
  }
  try {
    return settings_.list_unlisted ? settings_.list_unlisted(file)
                                   : list_library(Library::load(file));
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    broken_libraries_.push_back({file, failure.what()});
    warn(failure.what());
    return std::nullopt;
  }
}

// A library that is named like the component is the one that is meant.
Failure Registry::unknown_name(Exit exit, const std::string& text, const std::string& name) {
  list();
  if (broken_libraries_.empty()) return {exit, text};
  constexpr std::size_t max_reasons = 3;
  std::vector<std::string> reasons;
  for (const BrokenLibrary& broken : broken_libraries_) {
    if (plain_stem(broken.file) == short_name(name)) return {Exit::plugin, broken.reason};
    if (reasons.size() < max_reasons) reasons.push_back(broken.reason);
  }
  const std::size_t others = broken_libraries_.size() - reasons.size();
  if (others > 0) reasons.push_back("and " + std::to_string(others) + " more");
  return {Exit::plugin,
          text + "; or it belongs to a library that is refused: " + joined(reasons, "; ")};
}

// Throws because no component of this kind has this name. The message suggests a similar name, or
// names the kind of the component that has it.
void Registry::refuse_unknown(std::uint32_t kind, const std::string& use,
                              const std::vector<std::string>& host_names) {
  if (use.ends_with(".so")) {
    throw Failure(Exit::config,
                  quoted(use) + " names no component; write " + quoted(use + "#name"));
  }
  std::vector<std::string> known = host_names;
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) {
      if (kind_fits(component.kind, kind)) {
        known.push_back(use.find('.') == std::string::npos ? component.short_name() : component.id);
      } else if (is_named(component.id, use)) {
        throw unknown_name(Exit::config,
                           quoted(use) + " is of the kind " +
                               std::string(kind_name(component.kind)) + ", not " + kind_text(kind) +
                               " (" + library.file.string() + ")",
                           use);
      }
    }
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  throw unknown_name(Exit::config,
                     "no " + kind_text(kind) + " is called " + quoted(use) + "; " +
                         joined_parts(suggest_name(use, known), searched_folders_text()),
                     use);
}

std::string Registry::searched_folders_text() const {
  std::string text = "looked in";
  for (const std::filesystem::path& folder : folders_) {
    std::error_code problem;
    const std::filesystem::directory_iterator entries(folder, problem);
    text += (text.ends_with("in") ? " " : ", ") + folder.string();
    if (problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory) {
      text += " (no such folder)";
    } else if (problem) {
      text += " (cannot be read: " + problem.message() + ")";
    }
  }
  return text;
}

void Registry::warn(const std::string& text) {
  if (settings_.warn && warnings_.insert(text).second) settings_.warn(text);
}

}  // namespace sculpt::core
