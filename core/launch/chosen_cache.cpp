#include "launch/chosen_cache.hpp"

#include <sculpt/ext/draft/cached_arrays.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/file/content_hash.hpp"
#include "launch/run_identity.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool offers_arrays(const sculpt_component& dataset) {
  for (std::int64_t k = 0; k < dataset.extension_count; ++k) {
    if (std::string_view(dataset.extensions[k]) == SCULPT_EXT_CACHED_ARRAYS) return true;
  }
  return false;
}

// Why the data can have no cache; "": they can.
std::string obstacle(const Assembly& assembly, const sculpt_component& dataset) {
  const std::string name = short_name(dataset);
  if (assembly.lent_component() == &dataset) return name + " is a component of this program";
  if (!offers_arrays(dataset)) return name + " does not offer " SCULPT_EXT_CACHED_ARRAYS;
  for (const Split& split : assembly.experiment().splits) {
    const std::string what = "the split \"" + split.name + "\"";
    if (split.rows != nullptr || split.memory) return what + " is arrays in memory";
    if (split.text || split.arrays) return what + " is a part of the experiment";
    std::error_code ignored;
    if (fs::exists(split.path, ignored) && !fs::is_regular_file(split.path, ignored)) {
      return what + " is no regular file";
    }
  }
  const std::string key = key_of_path_without_hash(assembly);
  return key.empty() ? "" : "\"" + key + "\" is no regular file";
}

// A missing file has a message of its own, when it is read.
bool have_files(const std::vector<Split>& splits) {
  std::error_code ignored;
  return std::all_of(splits.begin(), splits.end(),
                     [&](const Split& split) { return fs::exists(split.path, ignored); });
}

bool can_write(const fs::path& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// The folder of the cache. `name`: of its file. Beside the data if there is a cache or may be one.
fs::path folder_of(const CacheUse& use, const fs::path& data, const std::string& name,
                   const fs::path& run_folder) {
  if (use.where == CacheUse::Where::folder) {
    if (fs::is_directory(use.folder)) return use.folder;
    refuse(use.position, "\"cache\" is " + use.folder +
                             ", which is no folder; make it, or write \"auto\" or \"none\"");
  }
  fs::path beside = data.parent_path();
  std::error_code ignored;
  if (can_write(beside) || fs::exists(beside / (name + DataCache::file_end), ignored)) {
    return beside;
  }
  fs::path beside_run = run_folder.parent_path();
  fs::create_directories(beside_run, ignored);  // where the run folder will be made
  return beside_run;
}

// What the name of the file follows from: whatever is not mended by making the file anew.
Json slot_of(const Assembly& assembly, const ComponentSpec& dataset) {
  Json splits = Json::array();
  for (const Split& split : assembly.experiment().splits) {
    splits.push_back(Json::array({split.name, split.path}));
  }
  return {{"dataset", dataset.description->id},
          {"parameters", assembly.parameters(0).resolved()},
          {"splits", splits},
          {"is_restored", dataset.state.has_value()}};
}

}  // namespace

std::unique_ptr<DataCache> chosen_cache(const Assembly& assembly, const ComponentSpec& dataset,
                                        const fs::path& run_folder,
                                        const std::function<void(const std::string&)>& warn) {
  const Experiment& experiment = assembly.experiment();
  if (experiment.cache.where == CacheUse::Where::nowhere) return nullptr;
  const std::string reason = obstacle(assembly, *dataset.description);
  if (!reason.empty()) {
    warn("there is no cache of the data: " + reason);
    return nullptr;
  }
  if (!have_files(experiment.splits)) return nullptr;
  constexpr std::size_t max_name = 100;  // of the 255 bytes that a file may have
  constexpr std::size_t prefix_of_hash = 5;
  DataCache::Content content{slot_of(assembly, dataset), {}};
  const fs::path data = experiment.splits.front().path;
  const std::string name = data.filename().string().substr(0, max_name) + "-" +
                           hash_text(content.identity.dump()).substr(prefix_of_hash);
  content.identity["sculpt"] = SCULPT_VERSION;
  content.identity["version"] = dataset.description->version;
  content.identity["library"] = assembly.libraries()[dataset.description->id];
  content.identity["state"] = dataset.state ? hash_text(*dataset.state) : "";
  for (const Split& split : experiment.splits) content.sources.push_back(split.path);
  const Json files = dataset_files(assembly);
  for (const auto& [key, path] : files.items()) {
    content.sources.push_back(path.get<std::string>());
  }
  return std::make_unique<DataCache>(
      DataCache::Place{folder_of(experiment.cache, data, name, run_folder), name},
      std::move(content));
}

}  // namespace sculpt::core
