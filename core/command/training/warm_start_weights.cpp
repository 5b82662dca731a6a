#include "command/training/warm_start_weights.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "launch/resume.hpp"
#include "model/model_file.hpp"

namespace sculpt::core {

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
  const auto* const bytes = reinterpret_cast<const char*>(model.weights().data());
  return {model.weights(),
          hash_text(std::string_view(bytes, model.weights().size() * sizeof(double)))};
}

}  // namespace sculpt::core
