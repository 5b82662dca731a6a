#include "command/training/warm_start_weights.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "launch/resume.hpp"
#include "model/model_file.hpp"

namespace sculpt::core {

std::string hash_of_weights(const Vector& weights) {
  const auto* const bytes = reinterpret_cast<const char*>(weights.data());
  return hash_text(std::string_view(bytes, weights.size() * sizeof(double)));
}

WarmStartWeights load_warm_start_weights(const Experiment& experiment, const char* path,
                                         const nlohmann::ordered_json& identity) {
  const std::string key =
      experiment.solver.keys.position("/warm_start").text() + ": \"warm_start\": ";
  const ModelFile model = [&] {
    try {
      return ModelFile(path);
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;
      throw Failure(failure.exit_code(), key + failure.what());
    }
  }();
  try {
    require_same_weights(model.header(), identity, model.path().string());
  } catch (const Failure& difference) {
    throw Failure(Exit::config, key + difference.what());
  }
  return {model.weights(), hash_of_weights(model.weights())};
}

}  // namespace sculpt::core
