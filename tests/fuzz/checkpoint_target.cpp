// A checkpoint: the file, its header, and the check that it belongs to this run. The state of the
// solver follows the header and has its own targets (solver_state.hpp).
#include <nlohmann/json.hpp>

#include "contract.hpp"
#include "launch/resume.hpp"
#include "launch/run_checkpoints.hpp"
#include "sealed_file.hpp"

using namespace sculpt::core;

namespace {

const nlohmann::ordered_json& this_run() {
  static const auto run = nlohmann::ordered_json::parse(R"({"sculpt": "0.1.0",
    "config": {"name": "run", "dataset": "svmlight", "solver": {"use": "n_slack", "C": 1.0}},
    "components": [{"kind": "dataset", "id": "org.sculpt.svmlight", "version": "1.0.0"}],
    "paths": {}, "data": {"train": "xxh3:0123456789abcdef"}, "examples": 4, "dimension": 6,
    "formulation": {"rescaling": "margin", "slack_norm": 1, "C": 1.0}})");
  return run;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::plugin, Exit::config}, [&] {
    const fuzz::MemoryFile file(fuzz::sealed("sculptc\n", fuzz::text_of(data, size)));
    Checkpoint checkpoint(file.path());
    require_same_run(checkpoint.header(), this_run(), checkpoint.path().string());
    progress_in(checkpoint);
    std::vector<double> numbers;
    while (checkpoint.bytes_left() > 0) checkpoint.get_array(numbers);
  });
}
