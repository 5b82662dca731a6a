// sculpt verify: recomputes the certificate of a finished run with new oracle calls.

#include <iostream>
#include <optional>

#include "command/command.hpp"
#include "command/inputs/finished_run.hpp"
#include "command/reports/verify_report.hpp"
#include "launch/stop_signal.hpp"
#include "problem/sources/problem_planes.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {
namespace {

constexpr const char* what_is_proved =
    "\n"
    "What is verified, and how far:\n"
    "  primal   every training example is asked anew at the w of the model: P(w) to 1e-9,\n"
    "           as exact as the oracle is, which sculpt check examines\n"
    "  dual     from planes and alpha of the checkpoint: alpha is feasible, and D is right to\n"
    "           rounding\n"
    "  planes   none is violated by more than what fresh exact answers allow, at w = 0, at the w\n"
    "           of the model and of the dual, at twice the former and at random w; those whose\n"
    "           output is found again are compared entry by entry. So D <= P(w) is a fact at each\n"
    "           of these w. That it holds for every w, as the gap claims, is not proved: a false\n"
    "           plane could pass all of them, but hardly at random\n"
    "  Without an upper bound of the oracle (icm) the primal is one from below and planes cannot\n"
    "  be compared; without a checkpoint, or of a solver without one (perceptron, subgradient), "
    "there\n"
    "  is no dual: then nothing is certified.\n"
    "\n"
    "Exit codes: 0 verified, and the target of the run was reached; 3 what could be verified\n"
    "agrees, but the target was not reached, or nothing is certified; 1 a number does not agree,\n"
    "or a plane is refuted; 64 usage; 65 the data or a file of the run has changed; 66 an input\n"
    "is missing; 69 plugin; 78 the experiment differs.\n";

Verification::Probes probes_of(const CommandLine& line) {
  const auto number = line.get<std::int64_t>("probes");
  if (number < 0 || number > 1000) {
    throw Failure(Exit::usage, "--probes takes a number from 0 to 1000");
  }
  return {number, line.get<std::uint64_t>("seed")};
}

void require_hinge(FinishedRun& run, const Problem& problem) {
  const std::unique_ptr<Objective> objective = run.solver().objective(problem.domain());
  if (objective->is_hinge()) return;
  throw Failure(Exit::config, "verify recomputes slacks of structural hinges; this run minimizes " +
                                  objective->text());
}

}  // namespace

Exit verify(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("verify", {"RUN"});
  line.add_overrides("where the data is now, e.g. dataset.train=PATH; may be repeated");
  line.add()("probes", po::value<std::int64_t>()->default_value(3)->value_name("N"),
             "random w at which planes are compared, one pass over the examples each")(
      "seed", po::value<std::uint64_t>()->default_value(1)->value_name("N"),
      "what random w are drawn from")("json", "print one JSON object")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; results do not depend on it");
  line.add_epilogue(what_is_proved);
  if (!line.parse(arguments)) return Exit::reached;
  const Verification::Probes probes = probes_of(line);
  const std::string folder = line.required("RUN");
  const int threads = thread_count(line, 0);
  catch_stop_signals();

  Console console;
  FinishedRun run(folder, line.overrides(), console);
  const ReportedCertificate reported = run.reported();
  const std::unique_ptr<Problem> problem = run.bind(threads);
  require_hinge(run, *problem);
  ProblemPlanes source(*problem, static_cast<std::uint64_t>(run.experiment().seed));
  std::optional<WorkingSet> planes;
  if (run.checkpoint() != nullptr)
    planes = run.solver().load_working_set(source, *run.checkpoint());

  const Formulation formulation = run.solver().formulation().value();
  const Verification::Subject subject{formulation, run.model().weights(), reported,
                                      planes ? &*planes : nullptr,
                                      run.solver().traits().shares_slack};
  Verification verification(
      source, subject, [&](const EvaluationPoint& place, std::int64_t done, std::int64_t total) {
        console.progress("verify", "answers at " + place.name, done, total);
      });
  const VerificationResult verified = verification.run(probes);
  if (line.has("json")) {
    std::cout << verified_json(run.experiment().name, reported, verified).dump(2) << '\n';
  } else {
    print_verified(std::cout, run.experiment().name, reported, verified);
  }
  if (!verified.refuted.empty()) return Exit::check_failed;
  return verified.reaches_target(reported) ? Exit::reached : Exit::not_reached;
}

}  // namespace sculpt::core
