#include "experiment_text.hpp"

#include <nlohmann/json.hpp>

#include "contract.hpp"
#include "launch/component_search.hpp"
#include "problem/plugin/unknown_labels.hpp"
#include "problem/prediction/predictor.hpp"

namespace sculpt::core::fuzz {
namespace {

constexpr std::int64_t max_weights = 1 << 20;  // of a prediction; LoadedModel knows their number

std::string experiment_of(const std::string& name, const std::string& rest,
                          std::string_view parameters) {
  // Removes the braces of the parameters, because the dataset has other members too.
  const std::size_t begin = parameters.find('{');
  const std::size_t end = parameters.rfind('}');
  const bool some = begin != std::string_view::npos && end != std::string_view::npos &&
                    parameters.find_first_not_of(" {}\t\r") < end && begin < end;
  const std::string own =
      some ? ", " + std::string(parameters.substr(begin + 1, end - begin - 1)) : "";
  return R"({"dataset": {"use": ")" + name + R"(", "train": {"text": ""})" + own + "}, " + rest +
         R"(, "solver": "n_slack"})";
}

// Whether the text begins as gzip or zstd begin.
bool is_packed(std::string_view text) {
  constexpr std::string_view gzip = "\x1F\x8B";
  constexpr std::string_view zstd = "\x28\xB5\x2F\xFD";
  constexpr std::string_view skippable = "\x2A\x4D\x18";  // of zstd, behind one more byte
  return text.starts_with(gzip) || text.starts_with(zstd) ||
         (!text.empty() && text.substr(1).starts_with(skippable));
}

}  // namespace

Registry& registry() {
  static Registry registry({{PLUGIN_FOLDER}, "/nowhere", {}});
  return registry;
}

Assembly assembly_of(const std::string& experiment) {
  const Source source{"fuzz.json", "/nowhere"};
  return {Experiment(JsonDocument::parse(experiment, source), {}, declared_in(registry())),
          registry()};
}

void use_examples(Problem& problem) {
  const Dataset& dataset = problem.dataset();
  for (std::int64_t example = 0; example < dataset.count(); ++example) {
    const sculpt_labels truth = dataset.truth(example);
    if (truth.data != nullptr && !has_unknown_label(truth)) dataset.format(example, truth);
  }
  if (problem.dimension() > max_weights) return;
  Vector w(static_cast<std::size_t>(problem.dimension()));
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = k % 3 == 0 ? 1.5 : -0.25;
  problem.features().weight_name(problem.dimension() - 1);
  Predictor(problem, w, 1)
      .run({0, dataset.count()}, [&](std::int64_t example, const Prediction& prediction) {
        if (!prediction.no_output) dataset.format(example, prediction.raw());
      });
}

void read_dataset(const std::string& name, const std::string& rest, std::string_view input) {
  const Parts parameters = split_at(input, "\n");
  const Parts splits = split_at(parameters.rest, "=====\n");
  if (is_packed(splits.first) || is_packed(splits.rest)) return;
  const Assembly assembly = assembly_of(experiment_of(name, rest, parameters.first));
  const std::string train(splits.first);
  const std::string test(splits.rest);
  std::vector<SplitSource> sources{{"train", "train.txt", train}};
  if (!test.empty()) sources.push_back({"test", "test.txt", test});
  Problem trained(assembly.problem_spec(sources), Purpose::training, 1, {});
  use_examples(trained);

  ProblemSpec restored =
      assembly.problem_spec({{"predict", "new.txt", test.empty() ? train : test}});
  for (const Problem::State& state : trained.states()) {
    if (state.kind == "dataset") restored.dataset.state = state.bytes;
    if (state.kind == "features") restored.features.state = state.bytes;
  }
  Problem predicting(restored, Purpose::prediction, 1, {});
  use_examples(predicting);
}

// Replaces bytes that are not UTF-8, because the host would refuse the whole experiment.
Rows leading_rows(std::string_view input, const std::string& key) {
  constexpr std::string_view separator = "-----\n";
  if (input.find(separator) == std::string_view::npos) return {"", input};
  const Parts parts = split_at(input, separator);
  nlohmann::json rows = nlohmann::json::array();
  for (std::string_view left = parts.first; !left.empty();) {
    const Parts line = split_at(left, "\n");
    rows.push_back(std::string(line.first));
    left = line.rest;
  }
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  return {"\"" + key + "\": " + rows.dump(-1, ' ', false, replace), parts.rest};
}

}  // namespace sculpt::core::fuzz
