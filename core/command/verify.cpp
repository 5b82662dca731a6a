// sculpt verify: recomputes the certificate of a finished run with new oracle calls.

#include <algorithm>
#include <optional>

#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/finished_run.hpp"
#include "command/inputs/model_point.hpp"
#include "command/reports/verify_report.hpp"
#include "launch/stop_signal.hpp"
#include "objective/constrained_moment_objective.hpp"
#include "objective/log_loss_objective.hpp"
#include "objective/moment_objective.hpp"
#include "problem/sources/problem_ports.hpp"
#include "qp/working_set/working_set.hpp"
#include "verify/constrained_moment_verification.hpp"
#include "verify/log_loss_verification.hpp"
#include "verify/moment_verification.hpp"

namespace sculpt::core {
namespace {

constexpr const char* verify_epilogue =
    "\n"
    "What is verified, and how far:\n"
    "  primal   the oracle is asked about every training example at the w of the model. This\n"
    "           gives P(w) to 1e-9, as exact as the oracle. sculpt check tests the oracle.\n"
    "  dual     from planes and alpha of the checkpoint: alpha is feasible, and D is right up to\n"
    "           rounding\n"
    "  planes   no plane is violated by more than new exact answers allow. This is tested at\n"
    "           w = 0, at the w of the model, at twice that w, at the w of the dual and at\n"
    "           random w. If an answer repeats an output of the checkpoint, both planes are\n"
    "           compared entry by entry. So D <= P(w) holds at each of these w. For other w it\n"
    "           is not proved, but a wrong plane is unlikely to pass all tests.\n"
    "  log-loss  P at the w of the model, and D from the distribution at the w of the dual, or\n"
    "           from the distributions of the checkpoint (method sdca), both from new\n"
    "           expectations. At w = 0, at twice the w and at random w, P is compared\n"
    "           with D and with the tangent of P at the w of the model.\n"
    "  moments  the residual of the linear system, the primal, the dual and the primal of the\n"
    "           hinges, from new answers at the w of the model. At random w, the products with\n"
    "           the covariance must be symmetric. constrained_z_score: D from two vectors of\n"
    "           the checkpoint, and the slacks at the same w are never below its planes.\n"
    "  If the oracle gives no upper bound (icm), the primal is a lower bound, and planes cannot\n"
    "  be compared. There is no dual without a checkpoint, or for a solver without a dual\n"
    "  (perceptron, subgradient). Then nothing is certified.\n"
    "\n"
    "Exit codes: 0 verified, and the run reached its target; 3 all verified numbers agree, but\n"
    "the target was not reached, or nothing is certified; 1 a number does not agree, or a plane\n"
    "is refuted; 64 usage; 65 the data or a file of the run has changed; 66 an input is missing;\n"
    "69 plugin; 78 the experiment differs.\n";

Verification::Probes probes_of(const CommandLine& line) {
  const auto count = line.get<std::int64_t>("probes");
  if (count < 0 || count > 1000) {
    throw Failure(Exit::usage, "--probes must be a number from 0 to 1000");
  }
  return {count, line.get<std::uint64_t>("seed")};
}

VerificationResult verify_hinge(FinishedRun& run, Problem& problem,
                                const ReportedCertificate& reported,
                                const Verification::Probes& probes, Console& console) {
  ProblemPorts ports(problem, static_cast<std::uint64_t>(run.experiment().seed));
  PlaneSource& source = *ports.ports().planes;
  std::optional<WorkingSet> planes;
  if (run.checkpoint() != nullptr)
    planes = run.solver().load_working_set(source, *run.checkpoint());
  InnerProduct* const inner_product = planes ? planes->inner_product() : source.inner_product(0);
  const Formulation formulation = run.solver().formulation().value();
  const WeightPoint model = point_of_model(problem, run.model());
  const Verification::Subject subject{formulation,
                                      model,
                                      reported,
                                      planes ? &*planes : nullptr,
                                      run.solver().traits().shares_slack,
                                      inner_product};
  Verification verification(
      source, subject, [&](const EvaluationPoint& point, std::int64_t done, std::int64_t total) {
        console.progress("verify", "answers at " + point.name, done, total);
      });
  return verification.run(probes);
}

VerificationResult verify_log_loss(const LogLossTerms& terms, FinishedRun& run, Problem& problem,
                                   const ReportedCertificate& reported,
                                   const Verification::Probes& probes, Console& console) {
  ProblemPorts ports(problem, static_cast<std::uint64_t>(run.experiment().seed));
  run.solver().require_ports(ports.ports(), run.experiment().name);
  std::optional<Vector> dual_point;
  if (run.checkpoint() != nullptr) {
    std::vector<Vector> vectors = run.solver().load_dual_vectors(ports.ports(), *run.checkpoint());
    if (!vectors.empty()) dual_point = std::move(vectors.front());
  }
  const std::vector<Port> needs = run.solver().traits().needs;
  const bool has_cells = std::find(needs.begin(), needs.end(), Port::cells) != needs.end();
  LogLossVerification verification(ports.ports(),
                                   {terms, run.model().weights(), reported, dual_point, has_cells},
                                   [&](const std::string& name) {
                                     console.progress("verify", "expectations at " + name, 0, 1);
                                   });
  return verification.run(probes.random, probes.seed);
}

VerificationResult verify_moments(const MomentTerms& terms, FinishedRun& run, Problem& problem,
                                  const ReportedCertificate& reported,
                                  const Verification::Probes& probes, Console& console) {
  ProblemPorts ports(problem, static_cast<std::uint64_t>(run.experiment().seed));
  run.solver().require_ports(ports.ports(), run.experiment().name);
  const Formulation formulation = run.solver().formulation().value();
  MomentVerification verification(
      ports.ports(), {terms, formulation, run.model().weights(), reported},
      [&](const std::string& name) { console.progress("verify", "moments at " + name, 0, 1); });
  return verification.run(probes.random, probes.seed);
}

VerificationResult verify_constrained_moments(const ConstrainedMomentTerms& terms, FinishedRun& run,
                                              Problem& problem, const ReportedCertificate& reported,
                                              const Verification::Probes& probes,
                                              Console& console) {
  ProblemPorts ports(problem, static_cast<std::uint64_t>(run.experiment().seed));
  run.solver().require_ports(ports.ports(), run.experiment().name);
  std::vector<Vector> dual;
  if (run.checkpoint() != nullptr) {
    dual = run.solver().load_dual_vectors(ports.ports(), *run.checkpoint());
  }
  const Formulation formulation = run.solver().formulation().value();
  ConstrainedMomentVerification verification(
      ports.ports(), {terms, formulation, run.model().weights(), reported, dual},
      [&](const std::string& name) { console.progress("verify", "moments at " + name, 0, 1); });
  return verification.run(probes.random, probes.seed);
}

VerificationResult verify_objective(FinishedRun& run, Problem& problem,
                                    const ReportedCertificate& reported,
                                    const Verification::Probes& probes, Console& console) {
  const std::unique_ptr<Objective> objective = run.solver().objective(problem.domain());
  if (objective->is_hinge()) return verify_hinge(run, problem, reported, probes, console);
  if (const LogLossTerms* const terms = objective->log_loss()) {
    return verify_log_loss(*terms, run, problem, reported, probes, console);
  }
  if (const MomentTerms* const terms = objective->moments()) {
    return verify_moments(*terms, run, problem, reported, probes, console);
  }
  if (const ConstrainedMomentTerms* const terms = objective->constrained_moments()) {
    return verify_constrained_moments(*terms, run, problem, reported, probes, console);
  }
  throw Failure(Exit::config,
                "verify needs an objective of structural hinges, log-losses or moments, but this "
                "run minimizes " +
                    objective->text());
}

}  // namespace

Exit verify(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("verify", {"RUN"});
  line.add_overrides("where the data is now, e.g. dataset.train=PATH; may be repeated");
  line.add()("probes", po::value<std::int64_t>()->default_value(3)->value_name("N"),
             "number of random w at which planes are compared; each takes one pass over the "
             "examples")("seed", po::value<std::uint64_t>()->default_value(1)->value_name("N"),
                         "seed of the random w")("json", "print one JSON object")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; results do not depend on it");
  line.add_quiet("; the report stays");
  line.add_epilogue(verify_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  const Verification::Probes probes = probes_of(line);
  const std::string folder = line.required("RUN");
  const int threads = thread_count(line, 0);
  catch_stop_signals();

  Console console(Console::prints_if(line.is_quiet()));
  FinishedRun run("verify", folder, line.overrides(), console);
  const ReportedCertificate reported = run.reported_certificate();
  const std::unique_ptr<Problem> problem = run.bind(threads);
  const VerificationResult result = verify_objective(run, *problem, reported, probes, console);
  console.end_live();
  if (line.has("json")) {
    print_json(verify_report_json(run.experiment().name, reported, result));
  } else {
    TextOut out = report_out();
    print_verify_report(out, run.experiment().name, reported, result);
  }
  if (!result.contradictions.empty()) return Exit::check_failed;
  return result.reaches_target(reported) ? Exit::reached : Exit::not_reached;
}

}  // namespace sculpt::core
