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
bool named(const std::string& id, const std::string& use) {
  return use.find('.') == std::string::npos ? short_name(id) == use : id == use;
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

// All components of a library: "loss hamming, dataset letters".
std::string offer(const Library& library) {
  std::vector<std::string> names;
  for (const sculpt_component* component : library.components()) {
    names.push_back(std::string(kind_name(component->kind)) + " " + short_name(component->id));
  }
  return joined(names, ", ");
}

std::string plain_stem(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  return stem.starts_with("lib") ? stem.substr(3) : stem;
}

std::string search_text(std::uint32_t kind) {
  return kind == SCULPT_KIND_ORACLE ? "oracle or map_solver" : std::string(kind_name(kind));
}

// How to choose between components with one name: by their files, or by id if it is one file.
std::string ways_to_decide(
    const std::string& use,
    const std::vector<std::pair<std::filesystem::path, std::string>>& found) {
  std::set<std::string> files;
  std::set<std::string> file_names;
  std::set<std::string> ids;
  for (const auto& [file, id] : found) {
    files.insert(file.string());
    file_names.insert(file.filename().string());
    ids.insert(id);
  }
  std::vector<std::string> ways;
  if (files.size() == 1) {
    for (const std::string& id : ids) ways.push_back(quoted(id));
  } else {
    const bool bare = file_names.size() == files.size();
    for (const std::string& file : bare ? file_names : files) {
      ways.push_back(quoted(file + "#" + use));
    }
  }
  return joined(std::vector<std::string>(files.begin(), files.end()), " and ") +
         "; say which one with \"use\": " + joined(ways, " or ");
}

}  // namespace

Registry::Registry(Settings settings)
    : settings_(std::move(settings)), places_(plugin_search_path(settings_.plugin_path)) {
  std::error_code ignored;
  for (const std::filesystem::path& place : settings_.plugin_path) {
    if (std::filesystem::is_directory(place, ignored)) continue;
    warn("plugin_path: " + place.string() + " is not a folder; nothing is looked for there");
  }
}

FoundComponent Registry::find(std::uint32_t kind, const std::string& use) {
  const std::size_t hash = use.rfind('#');
  if (hash != std::string::npos) {
    return find_in_file(kind, use.substr(0, hash), use.substr(hash + 1));
  }
  const std::vector<Candidate> found = candidates(kind, use);
  if (found.empty()) refuse_unknown(kind, use);
  if (found.size() > 1) {
    std::vector<std::pair<std::filesystem::path, std::string>> offers;
    for (const Candidate& one : found) offers.emplace_back(one.library->file, one.component->id);
    throw Failure(Exit::config,
                  quoted(use) + " is offered more than once, by " + ways_to_decide(use, offers));
  }
  return load(found.front());
}

FoundComponent Registry::find_id(std::uint32_t kind, const std::string& id) {
  if (id.find_first_of("/#") != std::string::npos) {
    throw Failure(Exit::data,
                  "the model names " + quoted(id) + " as a component; a model must not name files");
  }
  // The search path decides, because a model cannot name a file.
  const std::vector<Candidate> found = candidates(kind, id);
  if (!found.empty()) return load(found.front());
  refuse_if_broken(id);
  throw Failure(Exit::plugin, "the model needs the " + search_text(kind) + " " + quoted(id) +
                                  ", and no library has it" + places_tried() +
                                  "; add the folder of its library to SCULPT_PLUGIN_PATH");
}

std::vector<Registry::Candidate> Registry::candidates(std::uint32_t kind, const std::string& use) {
  std::vector<Candidate> found;
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) {
      if (kind_fits(component.kind, kind) && named(component.id, use)) {
        found.push_back({&library, &component});
      }
    }
  }
  return found;
}

// The sidecar may be older than the library, so the library itself is checked.
FoundComponent Registry::load(const Candidate& candidate) const {
  const Library& library = Library::load(candidate.library->file);
  for (const sculpt_component* component : library.components()) {
    if (component->kind == candidate.component->kind && component->id == candidate.component->id) {
      return {component, library.file()};
    }
  }
  const auto sidecar = sidecar_of(library.file());
  throw Failure(Exit::plugin,
                "the listing " + (sidecar ? sidecar->string() : "") + " promises the " +
                    std::string(kind_name(candidate.component->kind)) + " " +
                    candidate.component->id + ", but " + library.file().string() +
                    " does not offer it; build the plugin again so that the two agree");
}

const Library& Registry::library(const std::string& file) {
  if (file.find('/') != std::string::npos) {
    const std::filesystem::path path = settings_.experiment_folder / file;
    return Library::load(std::filesystem::absolute(path).lexically_normal());
  }
  for (const std::filesystem::path& place : places_) {
    std::error_code ignored;
    if (std::filesystem::exists(place / file, ignored)) return Library::load(place / file);
  }
  throw Failure(Exit::plugin, "there is no plugin " + quoted(file) + places_tried());
}

FoundComponent Registry::find_in_file(std::uint32_t kind, const std::string& file,
                                      const std::string& name) {
  const Library& chosen = library(file);
  std::vector<std::pair<std::filesystem::path, std::string>> offers;
  const sculpt_component* found = nullptr;
  for (const sculpt_component* component : chosen.components()) {
    if (!kind_fits(component->kind, kind) || !named(component->id, name)) continue;
    offers.emplace_back(chosen.file(), component->id);
    found = component;
  }
  if (offers.size() > 1) {
    throw Failure(Exit::config, quoted(name) + " is offered more than once, by " +
                                    ways_to_decide(name, offers) + " behind the #");
  }
  if (found != nullptr) return {found, chosen.file()};
  throw Failure(Exit::config, chosen.file().string() + " offers no " + search_text(kind) + " " +
                                  quoted(name) + "; it offers " + offer(chosen));
}

const std::vector<LibraryListing>& Registry::list() {
  if (!listings_) {
    listings_.emplace();
    for (const std::filesystem::path& place : places_) {
      for (const std::filesystem::path& file : libraries_in(place)) {
        if (auto listing = list_file(file)) listings_->push_back(std::move(*listing));
      }
    }
  }
  return *listings_;
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

std::vector<Registry::UsableComponent> Registry::offers(std::uint32_t kind) {
  std::vector<UsableComponent> offers;
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) {
      if (!kind_fits(component.kind, kind)) continue;
      UsableComponent offer{&component, {}};
      for (const std::string& name : {component.short_name(), component.id}) {
        if (candidates(kind, name).size() == 1) offer.names.push_back(name);
      }
      offers.push_back(std::move(offer));
    }
  }
  return offers;
}

std::optional<LibraryListing> Registry::list_file(const std::filesystem::path& file) {
  if (const auto sidecar = sidecar_of(file)) {
    try {
      return read_sidecar(*sidecar, file);
    } catch (const Failure& failure) {
      if (failure.exit() == Exit::memory) throw;
      warn(failure.what());
    }
  }
  try {
    return settings_.list_unlisted ? settings_.list_unlisted(file)
                                   : list_library(Library::load(file));
  } catch (const Failure& failure) {
    if (failure.exit() == Exit::memory) throw;
    broken_.push_back({file, failure.what()});
    warn(failure.what());
    return std::nullopt;
  }
}

// Throws if an unusable library has the name that is searched. The message says why it cannot be
// used.
void Registry::refuse_if_broken(const std::string& use) const {
  for (const Broken& broken : broken_) {
    if (plain_stem(broken.file) == short_name(use)) throw Failure(Exit::plugin, broken.text);
  }
}

void Registry::refuse_unknown(std::uint32_t kind, const std::string& use) {
  refuse_if_broken(use);
  std::vector<std::string> known;
  for (const LibraryListing& library : list()) {
    for (const ComponentListing& component : library.components) {
      if (kind_fits(component.kind, kind)) {
        known.push_back(use.find('.') == std::string::npos ? component.short_name() : component.id);
      } else if (named(component.id, use)) {
        throw Failure(Exit::config, quoted(use) + " is of the kind " +
                                        std::string(kind_name(component.kind)) + ", not " +
                                        search_text(kind) + " (" + library.file.string() + ")");
      }
    }
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  throw Failure(Exit::config, "no " + search_text(kind) + " is called " + quoted(use) + "; " +
                                  suggest_name(use, known) + places_tried());
}

std::string Registry::places_tried() const {
  std::string text = "; looked in";
  for (const std::filesystem::path& place : places_) {
    std::error_code ignored;
    text += (text.ends_with("in") ? " " : ", ") + place.string();
    if (!std::filesystem::is_directory(place, ignored)) text += " (no such folder)";
  }
  for (const Broken& broken : broken_) text += "; left out: " + broken.text;
  return text;
}

void Registry::warn(const std::string& text) const {
  if (settings_.warn) settings_.warn(text);
}

}  // namespace sculpt::core
