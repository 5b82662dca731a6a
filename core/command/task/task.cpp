#include "command/task/task.hpp"

#include <filesystem>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "command/new/template_file.hpp"
#include "experiment/json_document.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Removes the member and returns it; `fallback` if there is none.
template <class Value>
Value taken(Json& json, const char* key, const Value& fallback) {
  Value value = json.value(key, fallback);
  json.erase(key);
  return value;
}

Task read_task(const TemplateFile& file) {
  Json json = JsonDocument::parse(file.text, {std::string(file.path), ""}).json();
  Task task;
  task.name = std::filesystem::path(file.path).stem().string();
  task.summary = taken(json, "summary", std::string());
  task.one_example = taken(json, "one_example", std::string());
  for (Json& format : json.at("formats")) {
    const std::string name = taken(format, "name", std::string());
    const std::string lines = taken(format, "lines", std::string());
    const std::string begins = taken(format, "begins", std::string());
    const bool is_specific = taken(format, "specific", false);
    task.formats.push_back({name, lines, begins, is_specific, std::move(format)});
  }
  json.erase("formats");
  task.tune_settings = json.value("/tune/settings"_json_pointer, std::vector<std::string>());
  task.tune_metric = json.value("/tune/metric"_json_pointer, std::string("loss"));
  json.erase("tune");
  task.instead = taken(json, "instead", Json(Json::object()));
  task.sections = std::move(json);
  return task;
}

}  // namespace

Json TaskFormat::dataset_key(const std::string& key) const {
  const Json& dataset = sections.at("dataset");
  if (dataset.is_string()) return key == "use" ? dataset : Json();
  return dataset.value(key, Json());
}

const std::vector<Task>& tasks() {
  static const std::vector<Task> all = [] {
    std::vector<Task> read;
    for (const TemplateFile& file : task_files()) read.push_back(read_task(file));
    return read;
  }();
  return all;
}

const Task& find_task(const std::string& name) {
  for (const Task& task : tasks()) {
    if (task.name == name) return task;
  }
  const auto nearest = nearest_name(name, task_names());
  throw Failure(Exit::usage,
                "--task: there is no task '" + name + "'" +
                    (nearest ? ", did you mean " + *nearest + "?" : "; the tasks are:"),
                "\n" + tasks_text());
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const Task& task : tasks()) names.push_back(task.name);
  return names;
}

std::string tasks_text() {
  std::string text;
  for (const Task& task : tasks()) text += "  " + padded(task.name, 12) + task.summary + "\n";
  return text;
}

}  // namespace sculpt::core
