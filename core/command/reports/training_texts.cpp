#include "command/reports/training_texts.hpp"

#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "command/inputs/finished_run.hpp"
#include "launch/component_search.hpp"
#include "launch/console.hpp"
#include "launch/run_identity.hpp"
#include "launch/split_sources.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_characters = 100;

}  // namespace

std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space) line += c;
    if (is_space && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= max_characters) return line;
  std::size_t end = max_characters;
  while ((static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // within a character
  return line.substr(0, end) + "...";
}

TrainingTexts::TrainingTexts(const std::filesystem::path& folder, const ModelFile& model)
    : TrainingTexts(JsonDocument::read((folder / "config.json").string()), model) {}

TrainingTexts::TrainingTexts(const JsonDocument& config, const ModelFile& model)
    : registry_(registry_settings(config, {})),
      assembly_(training_experiment(config, {}, registry_), model, registry_),
      workers_(1),
      services_(Callbacks(), workers_),
      spec_(assembly_.problem_spec(sources_of(assembly_.experiment()))),
      component_(*spec_.dataset.description, spec_.dataset.parameters, services_),
      dataset_(component_, 1) {
  const auto& trained = model.header().at("data");
  const nlohmann::ordered_json hashes = data_hashes(assembly_);
  for (const auto& [key, hash] : hashes.items()) {
    if (trained.value(key, nlohmann::ordered_json()) == hash) continue;
    throw Failure(Exit::data, "the data of \"" + key + "\" have changed since the training");
  }
  component_.restore(spec_.dataset.state, spec_.dataset.state_file);
  for (const SplitSource& source : spec_.sources) dataset_.load(source);
  sculpt_bindings bindings = {};
  bindings.struct_size = sizeof bindings;
  component_.bind(bindings);
  component_.seal();
}

std::string TrainingTexts::text(std::int64_t example) const {
  if (example < 0 || example >= dataset_.count()) return "";
  const std::string place = dataset_.place(example);
  const std::string text = in_one_line(dataset_.format(example, dataset_.truth(example)));
  return place.empty() || text.empty() ? place + text : place + ": " + text;
}

std::unique_ptr<TrainingTexts> training_texts(const std::filesystem::path& path,
                                              const ModelFile& model) {
  std::error_code ignored;
  if (!std::filesystem::exists(path / "config.json", ignored)) return nullptr;
  try {
    return std::make_unique<TrainingTexts>(path, model);
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    Console().warn(failure.what() + std::string("; examples are shown by number"));
    return nullptr;
  }
}

}  // namespace sculpt::core
