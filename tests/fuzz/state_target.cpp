// The state of a dataset as a model holds it: any bytes. The dataset is restored from them and
// reads data to predict. The first byte chooses the dataset.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

namespace {

struct Case {
  Assembly assembly;
  std::string data;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> cases = [] {
    const std::string chain = R"(, "loss": "hamming", "oracle": "viterbi", "solver": "n_slack"})";
    std::vector<Case> made;
    made.push_back({fuzz::assembly_of(R"({"dataset": {"use": "svmlight", "train": {"text": ""}},
      "features": "multiclass", "loss": "zero_one", "oracle": "icm", "solver": "n_slack"})"),
                    "1 1:0.5 3:1\n2:1 7:-2\n"});
    made.push_back({fuzz::assembly_of(R"({"dataset": {"use": "letters", "train": {"text": ""}},
      "features": "chain")" + chain),
                    "1 0 0 a 1 100\n1 0 1 b 0 010\n"});
    made.push_back({fuzz::assembly_of(R"({"dataset": {"use": "conll", "train": {"text": ""},
      "unseen_labels": "wrong", "templates": ["w[-1..1]", "pos[0]", "pos[-1]|pos[0]"]},
      "features": {"use": "chain", "nonnegative": ["transitions"]})" +
                                      chain),
                    "the DT B-NP\ncat NN I-NP\n\nit PRP B-NP\n"});
    const std::string counted = R"(, "loss": "hamming", "oracle": "icm", "solver": "n_slack"})";
    made.push_back({fuzz::assembly_of(R"({"dataset": {"use": "mlsvml", "train": {"text": ""}},
      "features": "multilabel")" + counted),
                    "1,2 1:0.5 3:1\n2:1 7:-2\n"});
    made.push_back({fuzz::assembly_of(R"({"dataset": {"use": "grid", "window": 1,
      "train": {"text": ""}}, "features": "graph")" +
                                      counted),
                    "image one 2 2\nxo\nox\n0 1\n1 0\n"});
    made.push_back({fuzz::assembly_of(R"({"dataset": {"use": "graph", "train": {"text": ""}},
      "features": "graph")" + counted),
                    "graph one\na 1:1\nb 2:1\nedge 1 2 cites\n"});
    return made;
  }();
  return cases;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Case& chosen = cases()[data[0] % cases().size()];
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    ProblemSpec choices = chosen.assembly.problem_spec({{"predict", "data.txt", chosen.data}});
    choices.dataset.state = fuzz::text_of(data + 1, size - 1);
    Problem problem(choices, Purpose::prediction, 1, {});
    fuzz::use_examples(problem);
  });
}
