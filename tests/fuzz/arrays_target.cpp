// Arrays that are written in an experiment, and the dataset arrays that borrows them. The first
// byte chooses the features; the rest is the JSON of the arrays to train on, a line "=====", and
// those to predict.
#include <array>

#include "contract.hpp"
#include "experiment_text.hpp"
#include "launch/split_sources.hpp"

using namespace sculpt::core;

namespace {

constexpr std::array<std::string_view, 5> rest{
    R"("features": "multiclass", "loss": "zero_one", "oracle": "enumerate")",
    R"("features": "chain", "loss": "hamming", "oracle": "viterbi")",
    R"("features": "graph", "loss": "hamming", "oracle": "icm")",
    R"("features": "multilabel", "loss": "hamming", "oracle": "icm")",
    R"("features": "ranking", "loss": "pair_error", "oracle": "ranking")"};

// Arrays that are no JSON would be refused as the experiment is, which the target config covers.
std::string experiment_of(std::size_t kind, std::string_view train, std::string_view predict) {
  std::string text = R"({"dataset": {"use": "arrays")";
  for (const auto& [name, arrays] : {std::pair{"train", train}, std::pair{"test", predict}}) {
    if (arrays.empty()) continue;
    text += ", \"" + std::string(name) + "\": {\"arrays\": " + std::string(arrays) + "}";
  }
  return text + "}, " + std::string(rest.at(kind)) + R"(, "solver": "n_slack"})";
}

void use(std::string_view input) {
  if (input.empty()) return;
  const std::size_t kind = static_cast<std::size_t>(input.front() - '0') % rest.size();
  const fuzz::Parts splits = fuzz::split_at(input.substr(1), "=====\n");
  const Assembly assembly = fuzz::assembly_of(experiment_of(kind, splits.first, splits.rest));
  const std::vector<SplitSource> sources = sources_of(assembly.experiment());
  Problem trained(assembly.problem_spec(sources), Purpose::training, 1, {});
  fuzz::use_examples(trained);

  SplitSource later = sources.back();
  later.split = "predict";
  ProblemSpec restored = assembly.problem_spec({later});
  for (const Problem::State& state : trained.states()) {
    if (state.kind == "dataset") restored.dataset.state = state.bytes;
    if (state.kind == "features") restored.features.state = state.bytes;
  }
  Problem predicting(restored, Purpose::prediction, 1, {});
  fuzz::use_examples(predicting);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] { use(fuzz::text_of(data, size)); });
}
