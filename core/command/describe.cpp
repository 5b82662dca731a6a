// sculpt describe: lists components, and shows the parameters of one or the content of a model.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/input_word.hpp"
#include "command/reports/data_preview.hpp"
#include "command/reports/model_summary.hpp"
#include "command/reports/schema.hpp"
#include "experiment/kernel_keys.hpp"
#include "launch/assembly.hpp"
#include "launch/console.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/listing.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

// Two lines: name, type, range and default; then the summary.
void print_parameter(const ParameterListing& parameter) {
  std::string type = parameter.type;
  if (!parameter.choices.empty()) type += " " + joined(parameter.choices, "|");
  if (parameter.is_number()) {
    const std::string range =
        range_text(parameter.lower.value_or(-infinity), parameter.upper.value_or(infinity));
    if (!range.empty()) type += " " + range;
  }
  if (!parameter.unit.empty()) type += ", " + parameter.unit;
  std::string default_text = "required";
  if (parameter.fallback) {
    default_text = parameter.is_optional() ? "optional" : "default " + *parameter.fallback;
  }
  if (!parameter.needs.empty()) default_text += "; needs " + parameter.needs;
  if (parameter.is_deprecated) default_text += "; deprecated";
  report_out() << "    " << padded(parameter.name, 18) << type << "; " << default_text << "\n"
               << "    " << padded("", 18) << parameter.summary << "\n";
}

// Prints the splits that all datasets have, and the first lines of data for this one.
void print_data(const LibraryListing& library, const ComponentListing& component) {
  if (component.kind != SCULPT_KIND_DATASET) return;
  report_out() << "  data, each the path of a file or {\"text\": \"...\"}:\n";
  for (const sculpt_parameter& split : split_keys) {
    report_out() << "    " << padded(split.name, 18) << split.summary << "\n";
  }
  const std::vector<std::string> lines = data_preview(library, component);
  if (!lines.empty()) report_out() << "  example of its first lines:\n";
  for (const std::string& line : lines) report_out() << "    " << line << "\n";
}

void print_component(const LibraryListing& library, const ComponentListing& component) {
  report_out() << component.id << " " << component.version << " (" << kind_name(component.kind)
               << ")\n  " << component.summary << "\n";
  if (!component.reference.empty()) report_out() << "  " << component.reference << "\n";
  if (!component.traits.empty())
    report_out() << "  traits: " << joined(component.traits, ", ") << "\n";
  if (!component.extensions.empty()) {
    report_out() << "  offers: " << joined(component.extensions, ", ") << "\n";
  }
  if (!component.parameters.empty()) report_out() << "  parameters:\n";
  for (const ParameterListing& parameter : component.parameters) print_parameter(parameter);
  print_data(library, component);
}

// Prints a part of the host: a solver, combine, or a kernel made of others.
void print_host_part(const char* name, const char* kind, const std::string& summary,
                     std::span<const sculpt_parameter> parameters) {
  report_out() << name << " (" << kind << ")\n  " << summary << "\n  parameters:\n";
  for (const sculpt_parameter& parameter : parameters) print_parameter(list_parameter(parameter));
}

void print_library(const LibraryListing& library) {
  report_out() << library.name << " " << library.version << ", " << library.license << "\n  "
               << library.file.string() << "\n\n";
  for (const ComponentListing& component : library.components) {
    print_component(library, component);
    report_out() << "\n";
  }
}

// All components by kind, the solvers, and the search path.
void print_everything(Registry& registry) {
  for (std::uint32_t kind = SCULPT_KIND_DATASET; kind <= SCULPT_KIND_KERNEL; ++kind) {
    bool has_heading = false;
    for (const LibraryListing& library : registry.list()) {
      for (const ComponentListing& component : library.components) {
        if (component.kind != kind) continue;
        if (!has_heading) report_out() << kind_name(kind) << "\n";
        has_heading = true;
        report_out() << "  " << padded(component.short_name(), 16) << component.summary << "\n";
      }
    }
  }
  report_out() << "solver\n";
  for (const SolverDescriptor* solver : solvers()) {
    report_out() << "  " << padded(solver->name, 16) << solver->summary << "\n";
  }
  report_out() << "several oracles\n  " << padded(combine, 16) << combine_summary << "\n";
  report_out() << "kernels made of others\n";
  for (const HostKernel& kernel : host_kernels) {
    report_out() << "  " << padded(kernel.name, 16) << kernel.summary << "\n";
  }
  report_out() << "\nfolders that are searched for plugins\n";
  for (const fs::path& folder : registry.search_folders()) {
    report_out() << "  " << folder.string() << "\n";
  }
}

[[noreturn]] void refuse_unknown(Registry& registry, const std::string& name) {
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

// Prints one component of a library, or all of them if `component` is empty.
void print_from_library(const LibraryListing& library, const std::string& component) {
  if (component.empty()) return print_library(library);
  for (const ComponentListing& listed : library.components) {
    if (listed.has_name(component)) print_component(library, listed);
  }
  if (library.count(component) > 0) return;
  throw Failure(Exit::config, library.file.string() + " has no component " + component +
                                  "; it has " + joined(library.ids(), ", "));
}

// Prints all components with this short name or full id, of any kind. Also a library and a solver
// with this name.
void print_named(Registry& registry, const std::string& name) {
  bool is_found = false;
  for (const LibraryListing& library : registry.list()) {
    const std::int64_t named_components = library.count(name);
    if (library.has_name(name) && named_components < std::ssize(library.components)) {
      print_library(library);
      is_found = true;
      continue;
    }
    for (const ComponentListing& component : library.components) {
      if (!component.has_name(name)) continue;
      print_component(library, component);
      report_out() << "  from " << library.file.string() << "\n";
      is_found = true;
    }
  }
  if (const SolverDescriptor* solver = find_solver(name)) {
    print_host_part(solver->name, "solver", solver->summary, solver->parameters);
    is_found = true;
  }
  if (name == combine) {
    print_host_part(combine, "oracle", combine_summary, combine_keys);
    is_found = true;
  }
  if (const HostKernel* kernel = find_host_kernel(name)) {
    print_host_part(kernel->name, "kernel", kernel->summary, kernel->keys);
    is_found = true;
  }
  if (!is_found) refuse_unknown(registry, name);
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

}  // namespace

Exit describe(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("describe", {"NAME"});
  line.add()("top", po::value<std::int64_t>()->default_value(20)->value_name("N"),
             "number of weights of a model to show")("json", "print the header of a model as JSON")(
      "schema",
      "print the JSON schema of an experiment with the available plugins, or of the "
      "section of one component")(
      "plugin-path", po::value<std::vector<std::string>>()->composing()->value_name("DIR"),
      "look for plugins here first; may be repeated");
  line.add_epilogue(
      "\nNAME: a component, a solver or a library; the file of a library; a model or its run.\n"
      "If a library has this name, all of its components are shown. file.so#component names one\n"
      "component of a library. A folder is a run if it has a model or a config.\n");
  if (!line.parse(arguments)) return Exit::reached;

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
  if (line.has("json")) {
    print_model_header(line.required("NAME"));
    return Exit::reached;
  }
  if (!line.has("NAME")) {
    print_everything(registry);
    return Exit::reached;
  }
  const auto name = line.get<std::string>("NAME");
  if (means_model(name)) {
    settings.warn = nullptr;  // reading the model warns
    Registry quiet_registry(settings);
    warn_of_hidden_name(quiet_registry, name);
    print_model(name, line.get<std::int64_t>("top"));
  } else if (const std::string library = library_of(name); !library.empty()) {
    print_from_library(list_library(Library::load(library_path(registry, library))),
                       component_of(name));
  } else {
    print_named(registry, name);
  }
  return Exit::reached;
}

}  // namespace sculpt::core
