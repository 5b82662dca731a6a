#include "command/reports/works_with.hpp"

#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/promoted.h>
#include <sculpt/ext/row_blocks.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t kind_width = 10;

bool offers(const ComponentListing& component, const char* extension) {
  return std::any_of(
      component.extensions.begin(), component.extensions.end(),
      [&](const std::string& id) { return sculpt_is_extension(id.c_str(), extension) != 0; });
}

bool has_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The kinds and short names of all components.
std::set<std::pair<std::uint32_t, std::string>> known_names(Registry& registry) {
  std::set<std::pair<std::uint32_t, std::string>> known;
  for (const LibraryListing& library : registry.list()) {
    for (const ComponentListing& component : library.components) {
      known.emplace(component.kind, component.short_name());
    }
  }
  return known;
}

std::string use_of(const nlohmann::ordered_json& section) {
  return section.is_string() ? section.get<std::string>() : section.value("use", "");
}

// The features of a task, of all its formats.
std::set<std::string> features_of(const Task& task) {
  std::set<std::string> names;
  for (const TaskFormat& format : task.formats) {
    const bool has_own = format.sections.contains("features");
    names.insert(use_of((has_own ? format.sections : task.sections).at("features")));
  }
  return names;
}

std::set<std::string> datasets_of(const Task& task) {
  std::set<std::string> names;
  for (const TaskFormat& format : task.formats) names.insert(use_of(format.sections.at("dataset")));
  return names;
}

}  // namespace

bool FeatureTask::has(const ComponentListing& component) const {
  const std::string name = component.short_name();
  switch (component.kind) {
    case SCULPT_KIND_DATASET:
      return has_word(datasets, name);
    case SCULPT_KIND_FEATURES:
      return features->short_name() == name;
    case SCULPT_KIND_LOSS:
      return has_word(losses, name);
    case SCULPT_KIND_ORACLE:
    case SCULPT_KIND_MAP_SOLVER:
      return has_word(oracles, name);
    default:
      return takes_kernels;
  }
}

std::vector<FeatureTask> feature_tasks(Registry& registry) {
  const auto known = known_names(registry);
  std::vector<FeatureTask> tasks;
  for (const LibraryListing& library : registry.list()) {
    for (const ComponentListing& component : library.components) {
      if (component.kind != SCULPT_KIND_FEATURES) continue;
      FeatureTask& task = tasks.emplace_back();
      task.features = &component;
      task.takes_map_solvers = offers(component, SCULPT_EXT_FACTOR_GRAPH);
      task.takes_kernels = offers(component, SCULPT_EXT_ROW_BLOCKS);
      std::set<std::string> datasets;
      std::set<std::string> losses;
      std::set<std::string> oracles;
      const auto add = [&](std::set<std::string>& names, const std::string& name,
                           std::initializer_list<std::uint32_t> kinds) {
        for (const std::uint32_t kind : kinds) {
          if (known.count({kind, name}) > 0) names.insert(name);
        }
      };
      for (const LibraryListing& other : registry.list()) {
        for (const Pairing& pairing : other.pairings) {
          if (pairing.features != component.short_name()) continue;
          add(datasets, pairing.dataset, {SCULPT_KIND_DATASET});
          add(losses, pairing.loss, {SCULPT_KIND_LOSS});
          for (const std::string& oracle : pairing.oracles) {
            add(oracles, oracle, {SCULPT_KIND_ORACLE, SCULPT_KIND_MAP_SOLVER});
          }
        }
      }
      task.datasets.assign(datasets.begin(), datasets.end());
      task.losses.assign(losses.begin(), losses.end());
      task.oracles.assign(oracles.begin(), oracles.end());
    }
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const FeatureTask& a, const FeatureTask& b) {
    return a.features->short_name() < b.features->short_name();
  });
  return tasks;
}

std::vector<TaskPartners> task_partners(const std::vector<FeatureTask>& all_features) {
  std::vector<TaskPartners> partners;
  std::set<std::string> with_task;
  for (const Task& task : tasks()) {
    const std::set<std::string> names = features_of(task);
    std::set<std::string> others;  // datasets of other tasks
    for (const Task& other : tasks()) {
      if (other.name != task.name) others.merge(datasets_of(other));
    }
    for (const FeatureTask& features : all_features) {
      if (names.count(features.features->short_name()) == 0) continue;
      TaskPartners& entry = partners.emplace_back(TaskPartners{&task, features});
      std::erase_if(entry.features.datasets,
                    [&](const std::string& dataset) { return others.count(dataset) > 0; });
    }
    with_task.insert(names.begin(), names.end());
  }
  for (const FeatureTask& features : all_features) {
    if (with_task.count(features.features->short_name()) == 0)
      partners.push_back({nullptr, features});
  }
  return partners;
}

std::string partners_text(const FeatureTask& task, const std::string& indent) {
  std::string text;
  const auto add = [&](const char* name, const std::string& names) {
    if (!names.empty()) text += indent + padded(name, kind_width) + names + "\n";
  };
  std::string oracles = joined(task.oracles, ", ");
  if (task.takes_map_solvers) {
    oracles += std::string(oracles.empty() ? "" : "; ") + "any map_solver for its graphs";
  }
  add("datasets", joined(task.datasets, ", "));
  add("losses", joined(task.losses, ", "));
  add("oracles", oracles);
  if (task.takes_kernels) add("kernels", "any of rows");
  return text;
}

nlohmann::ordered_json partners_json(const FeatureTask& task) {
  return {{"features", task.features->short_name()},
          {"summary", task.features->summary},
          {"datasets", task.datasets},
          {"losses", task.losses},
          {"oracles", task.oracles},
          {"any_map_solver", task.takes_map_solvers},
          {"kernels", task.takes_kernels}};
}

nlohmann::ordered_json task_partners_json(const TaskPartners& partners) {
  nlohmann::ordered_json json = {
      {"task", partners.task ? nlohmann::ordered_json(partners.task->name) : nullptr}};
  json.update(partners_json(partners.features));
  return json;
}

}  // namespace sculpt::core
