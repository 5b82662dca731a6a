#include "command/reports/catalogue.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/reports/data_preview.hpp"
#include "experiment/kernel_keys.hpp"
#include "registry/catalogue_check.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

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

// What works with a component.
void print_partners(const ComponentListing& component, const std::vector<FeatureTask>& tasks) {
  std::vector<std::string> features;
  for (const FeatureTask& task : tasks) {
    if (!task.has(component)) continue;
    if (component.kind == SCULPT_KIND_FEATURES) {
      const std::string partners = partners_text(task, "    ");
      if (!partners.empty()) (report_out() << "  works with:\n").lines(partners);
      return;
    }
    features.push_back(task.features->short_name());
  }
  if (!features.empty()) {
    report_out() << "  works with the features: " << joined(features, ", ") << "\n";
  }
}

void print_component(const LibraryListing& library, const ComponentListing& component,
                     const std::vector<FeatureTask>& tasks) {
  report_out() << component.id << " " << component.version << " (" << kind_name(component.kind)
               << ")\n  " << component.summary << "\n";
  if (!component.reference.empty()) report_out() << "  " << component.reference << "\n";
  if (!component.traits.empty())
    report_out() << "  traits: " << joined(component.traits, ", ") << "\n";
  if (!component.extensions.empty()) {
    report_out() << "  offers: " << joined(component.extensions, ", ") << "\n";
  }
  print_partners(component, tasks);
  if (!component.parameters.empty()) report_out() << "  parameters:\n";
  for (const ParameterListing& parameter : component.parameters) print_parameter(parameter);
  print_data(library, component);
}

void print_library(const LibraryListing& library, const std::vector<FeatureTask>& tasks) {
  report_out() << library.name << " " << library.version << ", " << library.license << "\n  "
               << library.file.string() << "\n\n";
  for (const ComponentListing& component : library.components) {
    print_component(library, component, tasks);
    report_out() << "\n";
  }
}

void print_part(const HostPart& part) {
  report_out() << part.name << " (" << part.kind << ")\n  " << part.summary << "\n  parameters:\n";
  for (const sculpt_parameter& parameter : part.parameters) {
    print_parameter(list_parameter(parameter));
  }
}

Json component_entry(const LibraryListing& library, const ComponentListing& component,
                     const std::vector<FeatureTask>& tasks) {
  Json entry = {{"name", component.short_name()}};
  entry.update(component_json(component));
  Json features = Json::array();
  for (const FeatureTask& task : tasks) {
    if (!task.has(component)) continue;
    if (component.kind == SCULPT_KIND_FEATURES) entry["works_with"] = partners_json(task);
    features.push_back(task.features->short_name());
  }
  if (component.kind != SCULPT_KIND_FEATURES) entry["works_with"] = {{"features", features}};
  entry["library"] = library.file.string();
  return entry;
}

Json library_entry(const LibraryListing& library, const std::vector<FeatureTask>& tasks) {
  Json entry = {{"name", library.name},
                {"version", library.version},
                {"license", library.license},
                {"file", library.file.string()},
                {"components", Json::array()}};
  for (const ComponentListing& component : library.components) {
    entry["components"].push_back(component_entry(library, component, tasks));
  }
  return entry;
}

Json part_entry(const HostPart& part) {
  Json entry = {{"name", part.name},
                {"kind", part.kind},
                {"summary", part.summary},
                {"parameters", Json::array()}};
  for (const sculpt_parameter& parameter : part.parameters) {
    entry["parameters"].push_back(parameter_json(list_parameter(parameter)));
  }
  return entry;
}

// The heading of parts of the host in the overview.
std::string heading_of(const std::string& kind) {
  if (kind == "oracle") return "several oracles";
  return kind == "kernel" ? "kernels made of others" : kind;
}

// Rows "  name  summary" under headings, with the summaries in one column.
class OverviewRows {
 public:
  void heading(const std::string& text) { rows_.push_back({text, ""}); }
  void row(const std::string& name, const std::string& summary) {
    width_ = std::max(width_, name.size() + 2);
    rows_.push_back({name, summary});
  }
  void print() const {
    for (const auto& [name, summary] : rows_) {
      if (summary.empty()) {
        report_out() << "\n" << name << "\n";
      } else {
        report_out() << "  " << padded(name, width_) << summary << "\n";
      }
    }
  }

 private:
  std::size_t width_ = 0;
  std::vector<std::pair<std::string, std::string>> rows_;
};

}  // namespace

std::vector<HostPart> host_parts() {
  std::vector<HostPart> parts;
  for (const SolverDescriptor* solver : solvers()) {
    parts.push_back({solver->name, "solver", solver->summary, solver->parameters});
  }
  parts.push_back({combine, "oracle", combine_summary, combine_keys});
  for (const HostKernel& kernel : host_kernels) {
    parts.push_back({kernel.name, "kernel", kernel.summary, kernel.keys});
  }
  return parts;
}

void print_catalogue(const Catalogue& catalogue, const std::vector<FeatureTask>& tasks) {
  for (const LibraryListing* library : catalogue.libraries) print_library(*library, tasks);
  for (const auto& [library, component] : catalogue.components) {
    print_component(*library, *component, tasks);
    report_out() << "  from " << library->file.string() << "\n";
  }
  for (const HostPart& part : catalogue.parts) print_part(part);
}

Json catalogue_json(const Catalogue& catalogue, const std::vector<FeatureTask>& tasks) {
  Json json = {
      {"libraries", Json::array()}, {"components", Json::array()}, {"parts", Json::array()}};
  for (const LibraryListing* library : catalogue.libraries) {
    json["libraries"].push_back(library_entry(*library, tasks));
  }
  for (const auto& [library, component] : catalogue.components) {
    json["components"].push_back(component_entry(*library, *component, tasks));
  }
  for (const HostPart& part : catalogue.parts) json["parts"].push_back(part_entry(part));
  return json;
}

void print_overview(Registry& registry, const std::vector<FeatureTask>& tasks) {
  report_out() << "tasks of sculpt train --task, and what is known to work for them\n";
  bool has_task = true;
  for (const TaskPartners& partners : task_partners(tasks)) {
    const ComponentListing& features = *partners.features.features;
    if (partners.task != nullptr) {
      report_out() << "  " << partners.task->name << ": " << partners.task->summary << "\n"
                   << "    features  " << features.short_name() << "\n";
    } else {
      if (has_task) report_out() << "\nother features, and what is known to work with them\n";
      has_task = false;
      report_out() << "  " << features.short_name() << ": " << features.summary << "\n";
    }
    report_out().lines(partners_text(partners.features, "    "));
  }
  OverviewRows rows;
  for (std::uint32_t kind = SCULPT_KIND_DATASET; kind <= SCULPT_KIND_KERNEL; ++kind) {
    bool has_heading = false;
    for (const LibraryListing& library : registry.list()) {
      for (const ComponentListing& component : library.components) {
        if (component.kind != kind) continue;
        if (!has_heading) rows.heading(std::string(kind_name(kind)));
        has_heading = true;
        rows.row(component.short_name(), component.summary);
      }
    }
  }
  std::string kind;
  for (const HostPart& part : host_parts()) {
    if (part.kind != kind) rows.heading(heading_of(part.kind));
    kind = part.kind;
    rows.row(part.name, part.summary);
  }
  rows.print();
  report_out() << "\nfolders that are searched for plugins\n";
  for (const std::filesystem::path& folder : registry.search_folders()) {
    report_out() << "  " << folder.string() << "\n";
  }
}

Json overview_json(Registry& registry, const std::vector<FeatureTask>& tasks) {
  Json json = {{"tasks", Json::array()}};
  for (const TaskPartners& partners : task_partners(tasks)) {
    json["tasks"].push_back(task_partners_json(partners));
  }
  Catalogue all;
  for (const LibraryListing& library : registry.list()) {
    for (const ComponentListing& component : library.components) {
      all.components.emplace_back(&library, &component);
    }
  }
  all.parts = host_parts();
  json.update(catalogue_json(all, tasks));
  json["search_path"] = Json::array();
  for (const std::filesystem::path& folder : registry.search_folders()) {
    json["search_path"].push_back(folder.string());
  }
  return json;
}

}  // namespace sculpt::core
