// sculpt describe: lists components, and shows the parameters of one or the content of a model.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/input_word.hpp"
#include "command/plan_option.hpp"
#include "command/reports/catalogue.hpp"
#include "command/reports/model_summary.hpp"
#include "command/reports/schema.hpp"
#include "command/reports/works_with.hpp"
#include "command/task/task_names.hpp"
#include "experiment/kernel_keys.hpp"
#include "launch/component_search.hpp"
#include "launch/console.hpp"
#include "registry/listing.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_unknown(Registry& registry, const std::string& name) {
  const std::vector<std::string> names = task_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    throw Failure(Exit::missing, "'" + name + "' is a task, no component; sculpt describe lists " +
                                     "what works for it, and sculpt new experiment --task " + name +
                                     " --train FILE shows its keys");
  }
  std::vector<std::string> known = registry.names();
  for (const SolverDescriptor* solver : solvers()) known.emplace_back(solver->name);
  known.emplace_back(combine);
  for (const HostKernel& kernel : host_kernels) known.emplace_back(kernel.name);
  std::error_code ignored;
  const std::string folder =
      fs::is_directory(name, ignored)
          ? "; the folder '" + name + "' here has no model.sculpt and no config.json"
          : "";
  throw registry.unknown_name(
      Exit::missing,  // as check
      "there is no component, plugin or model '" + name + "'; " +
          joined_parts(suggest_name(name, known), registry.searched_folders_text()) + folder,
      name);
}

// One component of a library, or the library if `component` is empty.
Catalogue named_in_library(const LibraryListing& library, const std::string& component) {
  Catalogue found;
  if (component.empty()) {
    found.libraries.push_back(&library);
    return found;
  }
  for (const ComponentListing& listed : library.components) {
    if (listed.has_name(component)) found.components.emplace_back(&library, &listed);
  }
  if (!found.is_empty()) return found;
  throw Failure(Exit::config, library.file.string() + " has no component " + component +
                                  "; it has " + joined(library.ids(), ", "));
}

// All components with this short name or full id, of any kind. Also a library and a part of the
// host with this name.
Catalogue named(Registry& registry, const std::string& name) {
  Catalogue found;
  for (const LibraryListing& library : registry.list()) {
    const std::int64_t named_components = library.count(name);
    if (library.has_name(name) && named_components < std::ssize(library.components)) {
      found.libraries.push_back(&library);
      continue;
    }
    for (const ComponentListing& component : library.components) {
      if (component.has_name(name)) found.components.emplace_back(&library, &component);
    }
  }
  for (const HostPart& part : host_parts()) {
    if (part.name == name) found.parts.push_back(part);
  }
  if (found.is_empty()) refuse_unknown(registry, name);
  return found;
}

// True if the word is the path of a model or a run, or can only be a path.
bool means_model(const std::string& word) {
  const InputKind kind = input_kind(word);
  if (kind == InputKind::run || kind == InputKind::model) return true;
  const bool is_path = word.find('/') != std::string::npos || word.ends_with(".sculpt");
  return is_path && library_of(word).empty();
}

// Warns if something else has the name of this model, and tells how to describe that.
void warn_of_hidden_name(Registry& registry, const std::string& word) {
  std::vector<std::string> others;
  for (const auto& [file, exact_word] : libraries_with_name(registry, word)) {
    others.push_back(exact_word);
  }
  if (find_solver(word) != nullptr || belongs_to_host(word)) {
    others.push_back(word + " in another folder");
  }
  if (!others.empty()) Console().warn(hidden_name_warning(word, input_kind(word), others));
}

// The component of a word for --schema: "name" of "file.so#name", else the word.
std::string component_in(const Registry& registry, const std::string& word) {
  const std::string library = library_of(word);
  if (library.empty()) return word;
  library_path(registry, library);  // throws if it is missing
  std::string component = component_of(word);
  if (!component.empty()) return component;
  throw Failure(Exit::usage, "--schema needs one component; write " + word + "#name");
}

// `word`: names a component or a solver; "" for a whole experiment.
void print_schema(Registry& registry, const std::string& word) {
  const std::string name = component_in(registry, word);
  const std::optional<nlohmann::ordered_json> schema =
      name.empty() ? experiment_schema(registry) : section_schema(registry, name);
  if (!schema) refuse_unknown(registry, name);
  print_json(*schema);
}

void describe_model(const CommandLine& line, const std::string& path) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  const bool has_top = line.has("top");
  if (has_top) count_option(line, "top");
  if (line.has("json")) {
    print_model_json(path, has_top ? line.get<std::int64_t>("top") : all);
  } else {
    print_model(path, has_top ? line.get<std::int64_t>("top") : 20);
  }
}

// The run of --plan.
std::string run_to_plan(const CommandLine& line) {
  auto name = line.required("NAME");
  if (means_model(name)) return name;
  throw Failure(Exit::missing, "--plan needs a run, and '" + name + "' is none");
}

}  // namespace

Exit describe(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("describe", {"NAME"});
  line.add()("top", po::value<std::int64_t>()->value_name("N"),
             "number of weights of a model to show; 20 by default, with --json all")(
      "json", "print one JSON object: components, or the header of a model with its weights")(
      "schema",
      "print the JSON schema of an experiment with the available plugins, or of the "
      "section of one component")(
      "plugin-path", po::value<std::vector<std::string>>()->composing()->value_name("DIR"),
      "look for plugins here first; may be repeated");
  add_plan_options(line);
  line.add_epilogue(
      "\nNAME: a component, a solver or a library; the file of a library; a model or its run.\n"
      "If a library has this name, all of its components are shown. file.so#component names one\n"
      "component of a library. A folder is a run if it has a model or a config.\n");
  if (!line.parse(arguments)) return Exit::reached;
  require_plan(line);
  if (line.has("plan")) {
    print_plan(line, run_to_plan(line));
    return Exit::reached;
  }

  Registry::Settings settings = registry_settings();
  settings.experiment_folder = fs::current_path();
  if (line.has("plugin-path")) {
    for (const std::string& folder : line.get<std::vector<std::string>>("plugin-path")) {
      settings.plugin_path.push_back(fs::absolute(folder));
    }
  }
  Registry registry(settings);
  if (line.has("schema")) {
    print_schema(registry, line.has("NAME") ? line.get<std::string>("NAME") : "");
    return Exit::reached;
  }
  if (!line.has("NAME")) {
    const std::vector<FeatureTask> tasks = feature_tasks(registry);
    if (line.has("json")) {
      print_json(overview_json(registry, tasks));
    } else {
      print_overview(registry, tasks);
    }
    return Exit::reached;
  }
  const auto name = line.get<std::string>("NAME");
  if (means_model(name)) {
    settings.warn = nullptr;  // reading the model warns
    Registry quiet_registry(settings);
    warn_of_hidden_name(quiet_registry, name);
    describe_model(line, name);
    return Exit::reached;
  }
  std::optional<LibraryListing> listing;
  const std::string library = library_of(name);
  if (!library.empty()) listing = list_library(Library::load(library_path(registry, library)));
  const Catalogue found =
      listing ? named_in_library(*listing, component_of(name)) : named(registry, name);
  const std::vector<FeatureTask> tasks = feature_tasks(registry);
  if (line.has("json")) {
    print_json(catalogue_json(found, tasks));
  } else {
    print_catalogue(found, tasks);
  }
  return Exit::reached;
}

}  // namespace sculpt::core
