#include "experiment/experiment.hpp"

#include <sculpt/parameter.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/failure.hpp"
#include "base/text/json_syntax.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/parameter_text.hpp"
#include "experiment/checked_parameters.hpp"
#include "experiment/component_use.hpp"
#include "experiment/environment.hpp"
#include "experiment/experiment_keys.hpp"
#include "experiment/literal_rows.hpp"
#include "experiment/memory_size.hpp"
#include "experiment/misplaced_key.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

void require_object(const JsonDocument& document) {
  if (document.json().is_object()) return;
  refuse(document.position(""),
         "an experiment is an object { ... }, not " + found_text(document.json()));
}

// True if an optional key has a value other than null.
bool is_set(const JsonDocument& document, const std::string& pointer) {
  const Json* const value = document.find(pointer);
  return value != nullptr && !value->is_null();
}

// Applies the overrides, then the environment.
JsonDocument prepare(JsonDocument document, const std::vector<Override>& overrides,
                     const IsDeclared& is_declared) {
  require_object(document);
  for (const Override& change : overrides) change.apply(document, is_declared);
  document.erase(pointer_to("", schema_key));
  expand_environment(document);
  refuse_misplaced_keys(document, is_declared);
  return document;
}

std::vector<Section> read_list_of_oracles(const JsonDocument& document,
                                          const std::string& pointer) {
  const Json& list = *document.find(pointer);
  std::vector<Section> oracles;
  for (std::size_t i = 0; i < list.size(); ++i) {
    oracles.push_back(read_section(document, pointer + "/" + std::to_string(i), "oracle"));
    if (oracles.back().use != combine) continue;
    refuse(oracles.back().use_position,
           "\"combine\" cannot be in a list of oracles; write \"oracle\": {\"use\": \"combine\", "
           "...}");
  }
  return oracles;
}

// Reads the members of {"use": "combine", ...}.
std::vector<Section> read_members(const JsonDocument& document, const std::string& pointer,
                                  const Section& section) {
  const CheckedParameters values(combine_keys, section.keys, combine);
  const std::string members_pointer = pointer + "/" + combine_keys[0].name;
  const Json* members = document.find(members_pointer);
  if (members == nullptr) {
    const JsonDocument defaults({{"oracle", Json::parse(combine_keys[0].fallback)}},
                                section.use_position);
    return read_list_of_oracles(defaults, "/oracle");
  }
  if (!members->is_array() || members->size() < 2) {
    refuse(
        document.position(members_pointer),
        "\"members\" of combine must be a list of at least two oracles, not " +
            (members->is_array() ? "of " + std::to_string(members->size()) : found_text(*members)));
  }
  return read_list_of_oracles(document, members_pointer);
}

// Reads one oracle, a list of oracles, or combine.
OracleUse read_oracle(const JsonDocument& document, const std::string& pointer) {
  const Json& json = *document.find(pointer);
  OracleUse use;
  use.text = json.is_string() ? json.get<std::string>() : json.dump();
  if (json.is_array()) {
    if (json.empty()) {
      refuse(document.position(pointer), "\"oracle\" is an empty list; name at least one oracle");
    }
    use.members = read_list_of_oracles(document, pointer);
    return use;
  }
  const Section section = read_section(document, pointer, "oracle");
  use.combines = section.use == combine;
  use.members =
      use.combines ? read_members(document, pointer, section) : std::vector<Section>{section};
  return use;
}

// Reads the oracles of "predict_with", which must differ.
std::vector<OracleUse> read_predictors(const JsonDocument& document) {
  const std::string pointer = "/predict_with";
  std::vector<OracleUse> uses;
  const Json* list = document.find(pointer);
  if (list == nullptr) return uses;
  if (!list->is_array()) {
    refuse(document.position(pointer),
           "\"predict_with\" must be a list of oracles, not " + found_text(*list));
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string item_pointer = pointer + "/" + std::to_string(i);
    uses.push_back(read_oracle(document, item_pointer));
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      if (uses[earlier].text != uses[i].text) continue;
      refuse(document.position(item_pointer),
             "\"predict_with\" has " + uses[i].text + " twice; remove one of them");
    }
  }
  return uses;
}

// Reads the object {"text": inline data}, {"arrays": inline arrays} or {"memory": name of arrays}.
Split read_inline_split(const JsonDocument& keys, const std::string& name,
                        const std::string& label) {
  const std::string pointer = "/" + name;
  const Json& json = *keys.find(pointer);
  if (json.empty()) {
    refuse(keys.position(pointer), label + " is empty; write a path or {\"text\": \"data\"}");
  }
  const std::string key = json.begin().key();
  const std::string key_pointer = pointer_to(pointer, key);
  for (const auto& [other, value] : json.items()) {
    const std::vector<std::string> known = {"text", "arrays", "memory"};
    const Position& place = keys.key_position(pointer_to(pointer, other));
    if (std::find(known.begin(), known.end(), other) == known.end()) {
      refuse(place,
             "unknown key \"" + other + "\" of " + label + ", " + suggest_name(other, known));
    }
    if (other != key) {
      refuse(place, label + " has \"" + key + "\" and \"" + other + "\"; remove one of them");
    }
  }
  const Json& value = json.begin().value();
  const Position& position = keys.position(key_pointer);
  const std::string inline_name = position.source->name + " dataset." + name;
  if (key == "arrays") {
    return {
        name, inline_name, {}, position, {}, value.dump(), literal_rows(keys, key_pointer, name)};
  }
  if (!value.is_string()) {
    refuse(position, (key == "text" ? "inline data must be text, not "
                                    : "\"memory\" must be the name of arrays, not ") +
                         found_text(value));
  }
  const auto text = value.get<std::string>();
  if (key == "text") return {name, inline_name, text, position};
  if (text.empty()) refuse(position, "\"memory\" is empty; write the name of arrays");
  return {name, "the arrays \"" + text + "\"", std::nullopt, position, text};
}

// Reads a path, or an object.
Split read_split(const JsonDocument& keys, const std::string& name) {
  const std::string pointer = "/" + name;
  const Json& json = *keys.find(pointer);
  const Position& position = keys.position(pointer);
  const std::string label = "\"" + name + "\" of the dataset";
  if (json.is_object()) return read_inline_split(keys, name, label);
  if (!json.is_string()) {
    refuse(position,
           label + " must be a path or {\"text\": \"inline data\"}, not " + found_text(json));
  }
  const auto path = json.get<std::string>();
  if (path.empty()) refuse(position, label + " is an empty path; write the path of a file");
  return {name, position.absolute(path), std::nullopt, position};
}

// Moves the splits out of the keys of the dataset.
std::vector<Split> take_splits(JsonDocument& keys) {
  std::vector<Split> splits;
  for (const sculpt_parameter& split : split_keys) {
    const std::string name = split.name;
    const Json* json = keys.find("/" + name);
    if (!json) continue;
    const bool is_optional = split.fallback != nullptr;
    if (!json->is_null() || !is_optional) splits.push_back(read_split(keys, name));
    keys.erase("/" + name);
  }
  return splits;
}

// The reason why the text cannot be the name of a folder, or "".
std::string folder_name_fault(const std::string& name) {
  constexpr std::size_t max_bytes = 200;
  if (name.empty()) return "is empty";
  if (!is_utf8(name)) return "is not UTF-8";
  if (name.size() > max_bytes) return "is longer than 200 bytes";
  if (name.front() == '.' || name.front() == '-') return "begins with \".\" or \"-\"";
  for (const char c : name) {
    if (c == '/') return "contains a \"/\"";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "contains a control character";
  }
  return "";
}

// The key "name", else the name of the file without its extension.
std::string run_name(const JsonDocument& document, const CheckedParameters& values) {
  if (const char* name = values.value("name").text) {
    const std::string fault = folder_name_fault(name);
    if (fault.empty()) return name;
    refuse(document.position("/name"), "\"name\" " + fault + "; it names the folder of the run");
  }
  const Position& root = document.position("");
  const std::string stem =
      root.source ? std::filesystem::path(root.source->name).stem().string() : "";
  return folder_name_fault(stem).empty() ? stem : "experiment";
}

// Reads folds, or a fraction.
HoldOut read_hold_out(const JsonDocument& keys, PathValues paths) {
  const CheckedParameters values(hold_out_keys, keys, "\"hold_out\"", paths);
  const bool has_folds = values.value("folds").is_default == 0;
  const bool has_fold = values.value("fold").is_default == 0;
  const bool has_fraction = values.value("fraction").is_default == 0;
  const Position& position = keys.position("");
  if (has_folds == has_fraction || has_fold != has_folds) {
    refuse(position, "\"hold_out\" needs \"folds\" and \"fold\", or \"fraction\"");
  }
  HoldOut hold_out;
  if (has_fraction) {
    hold_out.fraction = values.value("fraction").real;
  } else {
    hold_out.folds = values.value("folds").integer;
    hold_out.fold = values.value("fold").integer;
  }
  if (has_folds && hold_out.fold >= hold_out.folds) {
    refuse(keys.position("/fold"), "\"fold\" must be below \"folds\", because folds count from 0");
  }
  hold_out.seed = values.value("seed").integer;
  if (const char* groups = values.value("groups").text) hold_out.groups = groups;
  hold_out.position = position.text();
  return hold_out;
}

std::vector<std::string> texts_of(const sculpt_value& list) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < list.item_count; ++i) texts.emplace_back(list.items[i].text);
  return texts;
}

// Throws unless an override may change this key of a model. All other keys belong to what was
// learned, or to how it was learned. A dataset refuses keys that change how it reads (restore of
// plugin.h).
void require_changeable(const Override& change) {
  const std::string& key = change.key();
  const bool is_oracle_key = key == "oracle" || key.starts_with("oracle.");
  const bool is_dataset_key = key.starts_with("dataset.") && key != "dataset.use";
  const std::string dataset_key =
      is_dataset_key ? key.substr(std::string_view("dataset.").size()) : "";
  if (is_split(dataset_key.substr(0, dataset_key.find('.')))) {
    refuse(change.position(),
           "the command line names the data of a model; do not set a split of \"dataset\"");
  }
  // A file with the values of new data. The config of a model has no paths.
  const bool is_file_of_kernel = key.starts_with("kernel.") && key.ends_with(".file");
  if (is_oracle_key || is_dataset_key || is_file_of_kernel) return;
  refuse(change.position(),
         "\"" + key +
             "\" cannot be changed once a model is trained; only the keys of \"dataset\" "
             "and \"oracle\" can, and the file of a kernel");
}

// Refuses paths and libraries: a model never makes the host open a file.
void refuse_paths(const Experiment& experiment, const JsonDocument& document) {
  const bool has_paths =
      !experiment.plugin_path.empty() || !experiment.output.empty() || !experiment.splits.empty();
  if (has_paths) refuse(document.position(""), "the config of a model must not contain paths");
  std::vector<Section> sections = experiment.oracle.members;
  sections.insert(sections.end(),
                  {experiment.dataset, experiment.features, experiment.loss, experiment.solver});
  if (experiment.kernel) {
    for (const Section* leaf : leaves_of(*experiment.kernel)) sections.push_back(*leaf);
  }
  for (const Section& section : sections) {
    if (section.use == component_of_use(section.use)) continue;
    refuse(section.use_position,
           "the config of a model must not name the library \"" + section.use + "\"");
  }
}

}  // namespace

Experiment::Experiment(JsonDocument document, const std::vector<Override>& overrides,
                       const IsDeclared& is_declared)
    : Experiment(prepare(std::move(document), overrides, is_declared), Origin::file) {}

Experiment::Experiment(const JsonDocument& document, Origin origin) {
  const CheckedParameters values(top_level_keys, document, "the experiment");
  name = run_name(document, values);
  plugin_path = texts_of(values.value("plugin_path"));
  dataset = read_section(document, "/dataset", "dataset");
  splits = take_splits(dataset.keys);
  features = read_section(document, "/features", "features");
  loss = read_section(document, "/loss", "loss");
  oracle = read_oracle(document, "/oracle");
  solver = read_section(document, "/solver", "solver");
  threads = values.value("threads").integer;
  seed = values.value("seed").integer;
  if (const char* folder = values.value("output").text) output = folder;
  checkpoint_seconds = values.value("checkpoint_seconds").real;
  if (is_set(document, "/memory")) memory = read_memory(document);
  if (origin == Origin::file) cache = read_cache(document);
  if (is_set(document, "/kernel")) kernel = read_kernel(document, "/kernel");
  if (is_set(document, "/hold_out")) {
    const PathValues paths = origin == Origin::file ? PathValues::read : PathValues::unset;
    hold_out = read_hold_out(document.part("/hold_out"), paths);
  }

  if (origin == Origin::file) {
    predict_with = read_predictors(document);
    if (is_set(document, "/audit_with")) audit_with = read_oracle(document, "/audit_with");
  }

  if (origin == Origin::model) {
    refuse_paths(*this, document);
  } else if (origin == Origin::file && (splits.empty() || splits.front().name != "train")) {
    refuse(dataset.keys.position(""),
           "\"train\" of the dataset is missing; write \"train\": \"path of the training data\"");
  }
}

void Split::require_data() const {
  if (!memory || rows != nullptr) return;
  refuse(position, "\"" + name + "\" of the dataset is arrays in memory, \"" + *memory +
                       "\", that a program lends (libsculpt, Python); here is no such program: "
                       "write the path of a file, or {\"text\": \"inline data\"}");
}

void Experiment::lend(const LentSplits& lent) {
  for (Split& split : splits) {
    if (!split.memory) continue;
    split.rows = lent.find(*split.memory);
    if (split.rows != nullptr) continue;
    refuse(split.position, "no arrays are lent under the name \"" + *split.memory + "\"; " +
                               suggest_name(*split.memory, lent.names()));
  }
}

std::vector<const OracleUse*> Experiment::measured_with() const {
  std::vector<const OracleUse*> uses;
  for (const OracleUse& use : predict_with) uses.push_back(&use);
  if (audit_with) uses.push_back(&*audit_with);
  return uses;
}

Experiment Experiment::from_json(const Json& config, const std::string& model,
                                 const std::vector<Override>& overrides,
                                 const IsDeclared& is_declared) {
  const Position position{std::make_shared<Source>(Source{model, ""})};
  JsonDocument document(config, position);
  require_object(document);
  Experiment saved(document, Origin::model);
  if (overrides.empty()) return saved;
  for (const Override& change : overrides) {
    require_changeable(change);
    change.apply(document, is_declared);
  }
  return Experiment(document, Origin::changed_model);
}

std::vector<std::string> plugin_path_of(const JsonDocument& document,
                                        const std::vector<Override>& overrides) {
  require_object(document);
  JsonDocument path_only = document;
  for (const auto& [key, value] : document.json().items()) {
    if (key != "plugin_path") path_only.erase(pointer_to("", key));
  }
  const auto all_declared = [](const auto&, const auto&, const auto&) { return true; };
  for (const Override& change : overrides) {
    if (change.key() == "plugin_path" || change.key().starts_with("plugin_path.")) {
      change.apply(path_only, all_declared);
    }
  }
  expand_environment(path_only);
  const auto table = std::span<const sculpt_parameter>(top_level_keys).subspan(1, 1);
  const CheckedParameters values(table, path_only, "the experiment");
  return texts_of(values.value("plugin_path"));
}

}  // namespace sculpt::core
