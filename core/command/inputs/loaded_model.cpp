#include "command/inputs/loaded_model.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/file/stored_json.hpp"
#include "command/inputs/model_objective.hpp"
#include "command/inputs/weight_count.hpp"
#include "objective/log_loss_objective.hpp"

namespace sculpt::core {
namespace {

std::vector<SplitSource> prediction_sources(const std::optional<std::string>& data) {
  if (!data) return {};
  return {{"predict", std::filesystem::absolute(*data).lexically_normal().string(), std::nullopt}};
}

}  // namespace

LoadedModel::LoadedModel(const std::filesystem::path& model, const std::optional<std::string>& data,
                         int threads, const std::vector<Override>& overrides)
    : LoadedModel(std::make_shared<const ModelFile>(model), data, threads, overrides) {}

LoadedModel::LoadedModel(std::shared_ptr<const ModelFile> file,
                         const std::optional<std::string>& data, int threads,
                         const std::vector<Override>& overrides)
    : file_(std::move(file)),
      registry_(registry_settings()),
      assembly_(*file_, overrides, registry_,
                [this](const std::string& text) { console_.warn(text); }),
      problem_(std::make_unique<Problem>(assembly_.problem_spec(prediction_sources(data)),
                                         Purpose::prediction, threads, callbacks_to(console_))) {
  require_weight_count(*file_, *problem_,
                       overrides.empty()
                           ? weight_count_advice
                           : "; --set changes the features of the training: leave out "
                             "its keys of \"dataset\"");
  if (problem_->kernel() != nullptr) scores_ = problem_->weights_of_model(file_->weights());
}

std::optional<double> LoadedModel::temperature() const {
  const auto kind = file_->header().value("/formulation/kind"_json_pointer, nlohmann::json());
  if (kind != log_loss_kind().name) return std::nullopt;  // it may be of another program
  const auto objective = read_stored_values(file_->path(), "; train again or use another copy",
                                            [this] { return objective_of(*file_); });
  const LogLossTerms* const terms = objective->log_loss();
  return terms == nullptr ? std::nullopt : std::optional(terms->temperature);
}

Predictor LoadedModel::predictor() {
  const auto seed = static_cast<std::uint64_t>(assembly_.experiment().seed);
  return {*problem_, weights(), seed};
}

}  // namespace sculpt::core
