#include "solver/moments/moment_parameters.hpp"

#include <sculpt/cpp/parameters.hpp>

#include <optional>

#include "base/failure.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t usual_samples = 100;
constexpr double max_samples = 1e6;

}  // namespace

ParameterTable sample_parameters() {
  return {
      sculpt::choice("moments", "\"exact\"", "exact|sampled",
                     "exact: means and covariances over all outputs. sampled: covariances over "
                     "some random outputs of each example, without further oracle calls."),
      integer_parameter("samples", "null", 1, max_samples, "outputs",
                        "moments sampled: the number of random outputs of each example. null: "
                        "100."),
  };
}

std::int64_t samples_of(const ParameterValues& values, const std::string& solver) {
  const bool are_sampled = values.at("moments").integer == 1;
  const std::optional<std::int64_t> samples = values.optional_integer("samples");
  if (are_sampled) return samples.value_or(usual_samples);
  if (!samples) return 0;
  throw Failure(Exit::config, solver +
                                  ": \"samples\" needs \"moments\": \"sampled\"; add it, or "
                                  "leave \"samples\" out");
}

}  // namespace sculpt::core
