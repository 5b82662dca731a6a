// An experiment: its JSON, and its components with their parameters. Lines that begin with "--set "
// are overrides. The other lines are the file.
#include <nlohmann/json.hpp>

#include "contract.hpp"
#include "experiment_text.hpp"
#include "launch/component_search.hpp"
#include "solver/catalogue/solver_list.hpp"

using namespace sculpt::core;

namespace {

struct CommandLineAndFile {
  std::vector<std::string> overrides;
  std::string file;
};

CommandLineAndFile read(std::string_view input) {
  constexpr std::string_view option = "--set ";
  CommandLineAndFile found;
  while (!input.empty()) {
    const fuzz::Parts line = fuzz::split_at(input, "\n");
    input = line.rest;
    if (line.first.starts_with(option)) {
      found.overrides.emplace_back(line.first.substr(option.size()));
    } else {
      found.file += std::string(line.first) + "\n";
    }
  }
  return found;
}

// Does what `train` does before it reads data.
void use(const CommandLineAndFile& input) {
  const JsonDocument document = JsonDocument::parse(input.file, {"fuzz.json", "/nowhere"});
  const std::vector<Override> overrides = parse_overrides(input.overrides);
  plugin_path_of(document, overrides);
  const Experiment experiment(document, overrides, declared_in(fuzz::registry()));
  const Assembly assembly(experiment, fuzz::registry());
  const Section& section = experiment.solver;
  if (const SolverDescriptor* kind = find_solver(section.use)) {
    kind->create(CheckedParameters(kind->parameters, section.keys, section.use).values());
  }
  const auto keys = [](const Section& one, std::size_t) { return one.keys.json(); };
  // An experiment that is saved in a model must be readable from it.
  const nlohmann::ordered_json saved = experiment.resolved_for_model(keys);
  Experiment::from_json(nlohmann::ordered_json::parse(saved.dump()), "model.sculpt");
  // create() refuses what the tables of parameters cannot exclude.
  Problem(assembly.problem_spec({}), Purpose::prediction, 1, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::usage, Exit::data, Exit::missing, Exit::plugin, Exit::config},
                      [&] { use(read(fuzz::text_of(data, size))); });
}
