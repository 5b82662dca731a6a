#include "command/inputs/subject_finder.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/file/open_file.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "launch/assembly.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The formulation of the experiment's solver, if it has one.
std::optional<Formulation> formulation_of(const Section& section) {
  const SolverDescriptor* const kind = find_solver(section.use);
  if (kind == nullptr) {
    refuse(section.use_position, "there is no solver \"" + section.use + "\"");
  }
  const CheckedParameters parameters(kind->parameters, section.keys, section.use);
  return kind->create(parameters.values())->formulation();
}

class ExperimentProblemFactory : public ProblemFactory {
 public:
  ExperimentProblemFactory(JsonDocument document, const std::vector<Override>& overrides,
                           Registry::Settings settings,
                           const std::function<void(Registry&, JsonDocument&)>& prepare)
      : registry_(std::move(settings)) {
    prepare(registry_, document);
    assembly_.emplace(Experiment(document, overrides, declared_in(registry_)), registry_);
    formulation_ = formulation_of(assembly_->experiment().solver);
  }

  std::unique_ptr<Problem> make(const ProblemChanges& how) const override {
    ProblemSpec choices = assembly_->choices(how.sources ? *how.sources : sources());
    choices.formulation = formulation_;
    for (const Problem::State& state : how.states) {
      if (state.kind == "dataset") choices.dataset.state = state.bytes;
      if (state.kind == "features") choices.features.state = state.bytes;
      if (state.kind == "loss" && choices.loss) choices.loss->state = state.bytes;
      for (std::size_t k = 0; k < choices.oracles.size(); ++k) {
        if (state.kind == oracle_state_name(k)) choices.oracles[k].state = state.bytes;
      }
    }
    if (how.member) choices.oracles = {choices.oracles.at(*how.member)};
    return std::make_unique<Problem>(choices, Purpose::checking, how.threads, Callbacks());
  }
  std::vector<SplitSource> sources() const override { return sources_of(assembly_->experiment()); }
  std::optional<Formulation> formulation() const override { return formulation_; }
  std::vector<std::string> oracles() const override {
    std::vector<std::string> names;
    for (const Section& one : assembly_->experiment().oracle.members) names.push_back(one.use);
    return names;
  }

 private:
  Registry registry_;
  std::optional<Assembly> assembly_;
  std::optional<Formulation> formulation_;
};

// "file.so#name" of the component that `use` names, if exactly one is in the folder of `library`.
std::optional<std::string> beside(Registry& registry, const fs::path& library,
                                  const std::string& section, const std::string& use) {
  std::vector<std::string> found;
  for (const LibraryListing& listing : registry.list()) {
    if (listing.file.parent_path() != library.parent_path()) continue;
    for (const ComponentListing& component : listing.components) {
      const bool map_solver = component.kind == SCULPT_KIND_MAP_SOLVER && section == "oracle";
      if (component.kind != kind_of(section) && !map_solver) continue;
      if (!component.is_called(use)) continue;
      found.push_back(listing.file.string() + "#" + component.id);
    }
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

// Replaces `use` by the file for components in the folder of the library. Otherwise another library
// on the search path could offer the same name.
void pin_components(Registry& registry, JsonDocument& document, const fs::path& library) {
  for (const char* section : {"dataset", "features", "loss", "oracle"}) {
    const std::string pointer = pointer_to("", section);
    const Json* const value = document.find(pointer);
    if (value == nullptr) continue;
    const bool bare = value->is_string();
    if (!bare && !(value->is_object() && value->contains("use") && (*value)["use"].is_string())) {
      continue;
    }
    const std::string use = bare ? value->get<std::string>() : (*value)["use"].get<std::string>();
    const std::optional<std::string> pinned = beside(registry, library, section, use);
    if (pinned) document.replace(bare ? pointer : pointer_to(pointer, "use"), *pinned);
  }
}

bool is_elf(const fs::path& file) {
  char magic[4] = {};
  open_if_there(file, Exit::missing).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == std::string_view(
                                                      "\x7f"
                                                      "ELF",
                                                      4);
}

// The only library with this name, or with a component of this name.
fs::path library_called(Registry& registry, const std::string& name) {
  std::map<fs::path, std::string> ways;  // how to name each of them exactly
  for (const LibraryListing& library : registry.list()) {
    const std::string file = library.file.string();
    if (library.count(name) > 0) {
      ways[library.file] = file + "#" + name;
    } else if (library.is_called(name)) {
      ways[library.file] = file;
    }
  }
  if (ways.size() == 1) return ways.begin()->first;
  if (ways.empty()) {
    throw Failure(Exit::missing,
                  name + ": there is no such file, and no component or library is called so; " +
                      suggest_name(name, registry.names()) + registry.places_tried());
  }
  std::vector<std::string> words;
  for (const auto& [file, way] : ways) words.push_back(way);
  throw Failure(Exit::config, std::to_string(ways.size()) + " libraries are called " + name +
                                  " or offer it; check one of them: " + joined(words, " or "));
}

// True if a word that is no file may be the name of a component or a library.
bool like_name(const std::string& word) {
  const std::string extension = fs::path(word).extension().string();
  return word.find('/') == std::string::npos && extension != ".json" && extension != ".sculpt";
}

}  // namespace

Registry::Settings SubjectFinder::with_care(Registry::Settings settings) {
  settings.list_unlisted = [this](const fs::path& file) { return bare_.list(file); };
  settings.warn = [this, warn = settings.warn](const std::string& text) {
    if (warned_.insert(text).second) warn(text);
  };
  return settings;
}

// Requires a word that ends with ".so".
fs::path SubjectFinder::library_file(const std::string& word) {
  std::error_code ignored;
  fs::path path = fs::absolute(word).lexically_normal();
  if (fs::exists(path, ignored)) return path;
  const Registry registry(with_care(registry_settings()));
  if (word.find('/') != std::string::npos) {
    throw Failure(Exit::plugin, word + ": there is no such library");
  }
  for (const fs::path& place : registry.places()) {
    if (fs::exists(place / word, ignored)) return place / word;
  }
  throw Failure(Exit::plugin, word + ": there is no such library here or on the search path" +
                                  registry.places_tried());
}

std::optional<fs::path> SubjectFinder::library_at(const std::string& word) {
  if (word.ends_with(".so")) return library_file(word);
  std::error_code ignored;
  const fs::path path = fs::absolute(word).lexically_normal();
  if (fs::exists(path, ignored)) return is_elf(path) ? std::optional(path) : std::nullopt;
  if (!like_name(word)) return std::nullopt;
  Registry registry(with_care(registry_settings()));
  return library_called(registry, word);
}

LibraryListing SubjectFinder::listing_of(const fs::path& library) {
  const auto sidecar = sidecar_of(library);
  return sidecar ? read_sidecar(*sidecar, library) : bare_.list(library);
}

std::optional<fs::path> SubjectFinder::library_named(const std::string& word) {
  const std::size_t hash = word.rfind(".so#");
  std::error_code ignored;
  if (hash == std::string::npos || fs::exists(word, ignored)) return library_at(word);
  const fs::path file = library_file(word.substr(0, hash + 3));
  const std::string name = word.substr(hash + 4);
  const LibraryListing listing = listing_of(file);
  if (listing.count(name) > 0) return file;
  std::vector<std::string> names;
  for (const ComponentListing& component : listing.components) names.push_back(component.id);
  throw Failure(Exit::config,
                file.string() + " has no component " + name + "; it has " + joined(names, ", "));
}

namespace {

// The run folder that a word names, directly or by its model. Empty if it names no run.
std::optional<fs::path> run_folder(const std::string& word) {
  std::error_code ignored;
  const fs::path path = word;
  if (fs::is_directory(path, ignored)) return path;
  if (path.extension() == ".sculpt") return path.parent_path();
  return std::nullopt;
}

}  // namespace

std::string experiment_file(const std::string& word) {
  const auto folder = run_folder(word);
  return folder ? (*folder / "config.json").string() : word;
}

std::string experiment_title(const std::string& word) {
  const fs::path path = fs::absolute(word);  // a bare name has no parent folder
  const bool is_config = path.filename() == "config.json";
  const auto folder = is_config ? path.parent_path() : run_folder(path.string());
  if (!folder) return path.stem().string();
  const fs::path whole = folder->lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

// Lists the libraries here already. The output of the experiment's process is not shown, and
// listing would use up its time limit.
CheckSubject SubjectFinder::file_subject(const JsonDocument& document,
                                         const std::vector<Override>& overrides,
                                         const std::string& title) {
  const Registry::Settings settings = with_care(registry_settings(document, overrides));
  Registry(settings).list();
  return {title, [document, overrides, settings] {
            return std::make_unique<ExperimentProblemFactory>(document, overrides, settings,
                                                              [](Registry&, JsonDocument&) {});
          }};
}

CheckSubject SubjectFinder::carried_subject(const fs::path& library, const std::string& text,
                                            std::size_t number) {
  const Json json = Json::parse(text, nullptr, false, true);
  std::string name = "experiment " + std::to_string(number + 1);
  if (json.is_object() && json.contains("name") && json["name"].is_string()) name = json["name"];
  Registry::Settings places = with_care(registry_settings());
  places.plugin_path = {library.parent_path()};
  Registry(std::move(places)).list();
  return {name, [this, library, text, name] {
            const Source source{library.filename().string() + ": " + name,
                                library.parent_path().string()};
            const JsonDocument document = JsonDocument::parse(text, source);
            Registry::Settings settings = with_care(registry_settings(document, {}));
            settings.plugin_path.insert(settings.plugin_path.begin(), library.parent_path());
            return std::make_unique<ExperimentProblemFactory>(
                document, std::vector<Override>(), std::move(settings),
                [library](Registry& registry, JsonDocument& changed) {
                  pin_components(registry, changed, library);
                });
          }};
}

}  // namespace sculpt::core
