#include "command/reports/data_preview.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/failure.hpp"
#include "registry/library.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_preview_lines = 4;

// The training data inside an experiment. "" if it uses another dataset or names a file.
std::string training_text(const char* experiment, const ComponentListing& component) {
  const Json json = Json::parse(experiment, nullptr, false, true);
  if (!json.is_object()) return "";
  const Json dataset = json.value("dataset", Json());
  if (!dataset.is_object() || !dataset.value("use", Json()).is_string()) return "";
  if (!component.has_name(dataset["use"].get<std::string>())) return "";
  const Json train = dataset.value("train", Json());
  const Json text = train.is_object() ? train.value("text", Json()) : Json();
  return text.is_string() ? text.get<std::string>() : "";
}

std::vector<std::string> preview_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; lines.size() < max_preview_lines && std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<std::string> data_preview(const LibraryListing& library,
                                      const ComponentListing& dataset) {
  try {
    const sculpt_plugin& catalogue = Library::load(library.file).catalogue();
    for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
      const std::string text = training_text(catalogue.experiments[k], dataset);
      if (!text.empty()) return preview_lines(text);
    }
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
  }
  return {};
}

}  // namespace sculpt::core
