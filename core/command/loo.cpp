// sculpt loo: the leave-one-out error of a finished run.

#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.hpp"
#include "base/surroundings.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/finished_run.hpp"
#include "command/reports/loo_report.hpp"
#include "launch/run_events.hpp"
#include "launch/stop_signal.hpp"
#include "leave_one_out/continued_run.hpp"
#include "leave_one_out/leave_one_out.hpp"
#include "objective/hinge_objective.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {
namespace {

constexpr const char* loo_epilogue =
    "\n"
    "What is estimated: the loss of each training example under the solution without it. The\n"
    "price of all other slacks stays: 1/2 |w|^2 + C/n times the sum of xi_j over j other than i.\n"
    "Where an output comes from:\n"
    "  unused     alpha of the example is 0: the solution does not depend on it\n"
    "  ball       a ball contains the solution without it. No w in this ball predicts another\n"
    "             output. This needs outputs that can be listed, at most 1000 of each example\n"
    "  retrained  trained again without it, from the planes of the run, until no w within the gap\n"
    "             predicts another output, or until that gap\n"
    "  certain    proved for the exact optimum, up to rounding. The others hold for a solution\n"
    "             within the target of the run\n"
    "  xi_alpha_bound  only for two outputs and losses of 1. For more outputs it does not hold\n"
    "It works for finished runs of n_slack and frank_wolfe with an exact oracle.\n"
    "\n"
    "Exit codes: 0 done; 3 retraining missed the target of the run for some examples; 64 usage; "
    "65\n"
    "the data or a file of the run has changed, or the run has not reached its target; 66 an "
    "input\n"
    "is missing; 69 plugin; 78 the run has another objective, solver or oracle.\n";

[[noreturn]] void refuse_loo(const std::string& text) {
  throw Failure(Exit::config, "loo " + text);
}

// Refuses solvers without a block of planes for each example, and hard margins.
void require_blocks(FinishedRun& run) {
  const std::string solver = run.experiment().solver.use;
  const SolverTraits traits = run.solver().traits();
  const bool has_planes = run.solver().formulation() && traits.updated_by != UpdateKind::steps;
  if (!has_planes || traits.shares_slack) {
    refuse_loo("needs planes for each example, but " + solver +
               (traits.shares_slack ? " has one slack for all examples" : " keeps no planes") +
               "; train with n_slack or frank_wolfe");
  }
  if (run.solver().formulation()->is_hard_margin()) {
    refuse_loo(
        "needs slacks with a price, but C is infinite: a w near the optimum may violate margins; "
        "train with a large finite C");
  }
}

void require_finished(FinishedRun& run, const std::string& folder) {
  require_blocks(run);
  const ReportedCertificate reported = run.reported_certificate();
  if (!reported.reached || !reported.certified) {
    throw Failure(Exit::data,
                  folder +
                      ": the run has not reached its target with a certificate, so its w may be "
                      "far from the solution; finish it with train --resume, or train with an "
                      "oracle that is exact and a kernel that is positive semidefinite");
  }
  if (run.checkpoint() == nullptr) {
    throw Failure(Exit::missing, folder +
                                     ": has no checkpoint with the planes of its model; train "
                                     "again, with --force");
  }
}

void require_fitting(Problem& problem, PlaneSource& source) {
  if (problem.training().size() < 2) {
    refuse_loo(
        "needs at least two training examples, but the run has one; a loss over a whole set makes "
        "one example of all its rows: train with a loss of single examples, such as zero_one");
  }
  if (source.relaxes()) {
    refuse_loo(
        "needs planes of outputs, but the oracle gives relaxed answers; train with an exact "
        "oracle");
  }
}

// The gap at which examples are left out. NaN: the run has no target for it.
double relative_gap_of(const CommandLine& line, double target) {
  constexpr double default_gap = 1e-6;
  if (!line.has("relative-gap")) return target < default_gap ? target : default_gap;
  const auto gap = line.get<double>("relative-gap");
  if (gap >= 0 && gap <= 1) return gap;
  throw Failure(Exit::usage, "--relative-gap must be a number from 0 to 1");
}

// The training examples to leave out: all, or as many at random, in their order.
std::vector<std::int64_t> examples_of(const CommandLine& line, std::int64_t count) {
  std::vector<std::int64_t> examples(static_cast<std::size_t>(count));
  std::iota(examples.begin(), examples.end(), std::int64_t{0});
  if (!line.has("examples")) return examples;
  Random(line.get<std::uint64_t>("seed"), "examples to leave out").shuffle(examples);
  examples.resize(static_cast<std::size_t>(std::min(count, line.get<std::int64_t>("examples"))));
  std::sort(examples.begin(), examples.end());
  return examples;
}

// The metrics of the outputs.
Evaluation evaluate_outputs(Problem& problem, const LeaveOneOutResult& result) {
  std::map<std::int64_t, const Prediction*> outputs;
  std::vector<std::int64_t> indices;
  for (const LeftOutExample& out : result.examples) {
    indices.push_back(problem.training()[out.example]);
    outputs[indices.back()] = &out.prediction;
  }
  const Vector no_weights(static_cast<std::size_t>(problem.dimension()), 0.0);
  Predictor predictor(problem, no_weights, 1);
  predictor.decode_by(
      [&](int, std::int64_t example, Prediction& out) { out = *outputs.at(example); });
  return predictor.run(ExampleList(std::move(indices)), {});
}

}  // namespace

Exit loo(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("loo", {"RUN"});
  line.add_overrides("where the data is now, e.g. dataset.train=PATH; may be repeated");
  line.add()("examples", po::value<std::int64_t>()->value_name("N"),
             "leave out N examples, drawn at random; all by default")(
      "seed", po::value<std::uint64_t>()->default_value(1)->value_name("N"), "seed of --examples")(
      "relative-gap", po::value<double>()->value_name("G"),
      "continue the run to this gap first, and retrain to it; 1e-6 by "
      "default, or the target of the run if it is smaller")(
      "list", "print one line for each example in place of the table")(
      "json", "print one JSON object")("threads", po::value<std::int64_t>()->value_name("N"),
                                       "number of threads, 0 for all cores; results do not depend "
                                       "on it");
  line.add_quiet("; the report stays");
  line.add_epilogue(loo_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  if (line.has("examples") && line.get<std::int64_t>("examples") < 1) {
    throw Failure(Exit::usage, "--examples must be at least 1");
  }
  if (line.has("list") && line.has("json")) {
    throw Failure(Exit::usage,
                  "--list and --json exclude each other: each decides what is printed");
  }
  const std::string folder = line.required("RUN");
  const int threads = thread_count(line, 0);
  catch_stop_signals();

  Console console(Console::prints_if(line.is_quiet()));
  FinishedRun run("loo", folder, line.overrides(), console);
  require_finished(run, folder);
  const std::unique_ptr<Problem> problem = run.bind(threads);
  const auto seed = static_cast<std::uint64_t>(run.experiment().seed);
  ProblemPorts ports(*problem, seed);
  PlaneSource& source = *ports.ports().planes;
  require_fitting(*problem, source);
  const double target = run.reported_certificate().target;
  const std::unique_ptr<Solver> tight = run.solver_until(relative_gap_of(line, target));
  console.progress("loo", "continuing the run", 0, 1);
  WorkingSet planes = continue_run(*tight, source, *run.checkpoint(), stop_request());
  LeaveOneOut leave_one_out(*problem, source, {run.solver(), *tight, target, seed}, planes,
                            stop_request());
  const LeaveOneOutResult result = leave_one_out.run(
      examples_of(line, problem->training().size()), [&](std::int64_t done, std::int64_t total) {
        console.progress("loo", "retraining", done, total);
      });
  const Evaluation evaluation = evaluate_outputs(*problem, result);
  console.end_live();
  const LooReport report{run.experiment().name, result, evaluation};
  if (line.has("json")) {
    print_json(loo_report_json(report));
  } else {
    TextOut out = report_out();
    if (line.has("list")) {
      print_loo_list(out, *problem, result);
    } else {
      print_loo_report(out, report);
    }
  }
  return result.missed_count() > 0 ? Exit::not_reached : Exit::reached;
}

}  // namespace sculpt::core
