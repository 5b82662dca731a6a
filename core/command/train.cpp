// sculpt train: an experiment becomes a model.

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cancelled.hpp"
#include "command/assembly.hpp"
#include "command/command.hpp"
#include "command/console.hpp"
#include "command/objective.hpp"
#include "command/stop_signal.hpp"
#include "command/training_summary.hpp"
#include "experiment/nearest_name.hpp"
#include "model/model_file.hpp"
#include "problem/predictor.hpp"
#include "problem/problem_separator.hpp"
#include "run/content_hash.hpp"
#include "run/run_events.hpp"
#include "run/run_folder.hpp"
#include "solver/solver.hpp"
#include "stopwatch.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

// The solver an experiment asks for, its parameters checked.
struct ChosenSolver {
  explicit ChosenSolver(const Section& section)
      : kind(find(section)), parameters(kind.parameters, section.keys, section.use) {}

  static const SolverKind& find(const Section& section) {
    if (const SolverKind* found = find_solver(section.use)) return *found;
    std::vector<std::string> names;
    for (const SolverKind& known : solver_kinds()) names.emplace_back(known.name);
    refuse(section.use_position,
           "there is no solver \"" + section.use + "\"; " + suggest_name(section.use, names));
  }

  const SolverKind& kind;
  CheckedParameters parameters;
};

// Writes every pass to the run folder and to the screen.
class PassLog : public Listener {
 public:
  PassLog(RunFolder& folder, Console& console) : folder_(folder), console_(console) {}
  void pass_done(const PassReport& report) override {
    folder_.append_event(pass_event(report));
    console_.pass(report);
  }

 private:
  RunFolder& folder_;
  Console& console_;
};

fs::path output_of(const CommandLine& line, const Experiment& experiment) {
  if (line.has("output") && line.get<std::string>("output").empty()) {
    throw Failure(Exit::usage, "--output is empty; give the path of a folder");
  }
  if (line.has("output")) return fs::absolute(line.get<std::string>("output")).lexically_normal();
  if (!experiment.output.empty()) return experiment.output;
  return fs::absolute(fs::path("runs") / experiment.name);
}

Json data_hashes(const Experiment& experiment) {
  Json hashes = Json::object();
  for (const Split& split : experiment.splits) {
    hashes[split.name] = split.text ? content_hash(*split.text) : file_hash(split.path);
  }
  return hashes;
}

// One training run from the experiment to the finished event.
class Training {
 public:
  Training(const Assembly& assembly, const CommandLine& line, const Stopwatch& watch)
      : assembly_(assembly),
        experiment_(assembly.experiment()),
        solver_(experiment_.solver),
        folder_(output_of(line, experiment_), line.has("force")),
        threads_(thread_count(line, experiment_.threads)),
        watch_(watch) {}

  Exit run() {
    const std::unique_ptr<Solver> solver = solver_.kind.create(solver_.parameters.values());
    Choices choices = assembly_.choices(sources_of(experiment_));
    choices.formulation = solver->formulation();
    Problem problem(choices, Purpose::training, threads_, callbacks_to(console_));
    if (!problem.serial_note().empty()) console_.warn(problem.serial_note());
    data_ = data_hashes(experiment_);  // of what was read, not of what is there after training
    folder_.create(experiment_.resolved(
        [this](const Section&, std::size_t position) { return checked(position).resolved(); }));
    folder_.append_event(started_event(problem));
    try {
      return train(problem, *solver);
    } catch (const Failure& failure) {
      folder_.note_failure(static_cast<int>(failure.exit()), failure.what());
      throw;
    } catch (const std::exception& error) {
      folder_.note_failure(static_cast<int>(Exit::internal), error.what());
      throw;
    }
  }

 private:
  // From the first pass on.
  Exit train(Problem& problem, Solver& solver) {
    print_start(console_, experiment_, problem);
    PassLog log(folder_, console_);
    ProblemSeparator separator(problem, static_cast<std::uint64_t>(experiment_.seed));
    const Result result = solver.solve(separator, log, stop_requested);
    stop_done();
    console_.end_passes();
    save(problem, result);
    const double seconds = watch_.seconds();
    finish(problem, result, seconds);
    return result.reached ? Exit::reached : Exit::not_reached;
  }

  // dataset, features, loss, oracles, solver
  const CheckedParameters& checked(std::size_t position) const {
    const std::size_t components = 3 + experiment_.oracles.size();
    return position < components ? assembly_.parameters(position) : solver_.parameters;
  }

  Json started_event(Problem& problem) const {
    return {{"event", "started"},
            {"sculpt", SCULPT_VERSION},
            {"name", experiment_.name},
            {"components", assembly_.components()},
            {"solver", solver_.kind.name},
            {"examples", problem.training().size()},
            {"dimension", problem.dimension()},
            {"formulation", objective_json(objective_of(problem))}};
  }

  void save(Problem& problem, const Result& result) const {
    Json header = {
        {"sculpt", SCULPT_VERSION},
        {"name", experiment_.name},
        {"config", experiment_.resolved_for_model([this](const Section&, std::size_t position) {
           return checked(position).resolved_without_paths();
         })},
        {"components", assembly_.components()},
        {"data", data_},
        {"seed", experiment_.seed},
        {"examples", problem.training().size()},
        {"dimension", problem.dimension()},
        {"formulation", objective_json(objective_of(problem))},
        {"certificate", certificate_json(result)}};
    std::map<std::string, std::string> states;
    for (Problem::State& state : problem.states()) states[state.kind] = std::move(state.bytes);
    write_model(folder_.model_path(), {header, result.w, states});
  }

  void finish(Problem& problem, const Result& result, double seconds) {
    Json event = {{"event", "finished"}};
    event.update(certificate_json(result));
    event["seconds"] = seconds;
    event["oracle_seconds"] = result.oracle_seconds;
    event["qp_seconds"] = result.qp_seconds;
    const Measured measured = measure(problem, result);
    for (const auto& [split, evaluation] : measured) event[split] = metrics_json(evaluation);
    folder_.append_event(event);
    print_result(std::cout, experiment_, result, measured, seconds, folder_.model_path());
  }

  // The model is there by now: a stop request costs the splits that are not measured yet.
  Measured measure(Problem& problem, const Result& result) {
    Measured measured;
    Predictor predictor(problem, result.w, static_cast<std::uint64_t>(experiment_.seed));
    try {
      for (const char* split : {"train", "validation", "test"}) {
        const Range range = problem.dataset().split(split);
        if (range.size() > 0) measured.emplace_back(split, predictor.run(range, {}));
      }
    } catch (const Cancelled&) {
      console_.warn("stopped on request: not all splits have been measured");
    }
    return measured;
  }

  const Assembly& assembly_;
  const Experiment& experiment_;
  ChosenSolver solver_;
  RunFolder folder_;
  int threads_;
  const Stopwatch& watch_;
  Json data_;  // hashes by split
  Console console_;
};

}  // namespace

Exit train(const Arguments& arguments) {
  const Stopwatch watch;
  CommandLine line("train", {"CONFIG"});
  line.add_overrides(
      "change a key of the experiment, e.g. solver.C=10 or oracle=icm; may be repeated");
  line.add()("output", po::value<std::string>()->value_name("DIR"),
             "the run folder; default: the key `output`, else runs/NAME")(
      "force", "replace an existing run folder")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; results do not depend on it");
  if (!line.parse(arguments)) return Exit::reached;
  catch_stop_signals();

  const JsonDocument document = JsonDocument::read(line.required("CONFIG"));
  const std::vector<Override> overrides = line.overrides();
  Registry registry(registry_settings(document, overrides));
  const Experiment experiment(document, overrides, declared_in(registry));
  const Assembly assembly(experiment, registry);
  return Training(assembly, line, watch).run();
}

}  // namespace sculpt::core
