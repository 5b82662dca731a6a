// sculpt prune: a model with a kernel over fewer support atoms, and what that changes at most.

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/cancelled.hpp"
#include "base/current_activity.hpp"
#include "base/file/stored_json.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/finished_run.hpp"
#include "launch/console.hpp"
#include "launch/run_events.hpp"
#include "launch/stop_signal.hpp"
#include "problem/kernel/kernel_spec.hpp"
#include "problem/sources/problem_ports.hpp"
#include "run/run_folder.hpp"
#include "solver/mean_slack.hpp"
#include "verify/weight_point.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* prune_epilogue =
    "\n"
    "The new run has the experiment of RUN, a model over fewer support atoms, and the planes of\n"
    "RUN. The new w' is as near to w as these atoms allow: ||w - w'|| <= tolerance ||w||, in the\n"
    "norm of the kernel. No score <w, psi(x, y)> changes by more than ||w - w'|| ||psi(x, y)||.\n"
    "\n"
    "The primal is computed again, at w' over all training examples. The dual of RUN bounds every\n"
    "w, so the gap of w' is proved, too: sculpt verify confirms it.\n"
    "\n"
    "Exit codes: 0 pruned; 64 usage; 65 the data or a file of the run has changed; 66 an input is\n"
    "missing; 69 plugin; 73 the output exists; 74 the new run cannot be written; 78 the model has\n"
    "no kernel, or one that is not positive semidefinite, or C is infinite.\n";

double tolerance_of(const CommandLine& line) {
  const auto tolerance = line.get<double>("tolerance");
  if (tolerance > 0 && tolerance < 1) return tolerance;
  throw Failure(Exit::usage, "--tolerance must be a number between 0 and 1, such as 0.01");
}

// w' violates some margins that w satisfies. Without a price for slacks its P is infinite.
void require_price(FinishedRun& run) {
  if (!run.solver().formulation() || !run.solver().formulation()->is_hard_margin()) return;
  throw Failure(Exit::config,
                run.model().path().string() +
                    ": C is infinite, so slacks have no price, and a w' near w may violate margins "
                    "without any bound; train with a large finite C");
}

ProblemKernel& kernel_of(FinishedRun& run, Problem& problem) {
  const std::string path = run.model().path().string();
  if (problem.kernel() == nullptr) {
    throw Failure(Exit::config,
                  path +
                      ": has no kernel, so there are no support atoms to remove; prune works on "
                      "runs with a \"kernel\"");
  }
  if (problem.kernel()->is_positive()) return *problem.kernel();
  throw Failure(Exit::config,
                path +
                    ": its kernel is not positive semidefinite, so it has no norm that bounds "
                    "what pruning changes; use a kernel that is, such as rbf");
}

// The bounds of P at this point, over all training examples. Throws Cancelled.
PrimalBounds primal_at(const WeightPoint& point, const Formulation& formulation,
                       PlaneSource& source) {
  Pass pass(1, [] { return stop_signal() != 0; });
  pass.makes_steps = false;
  MeanSlack mean;
  std::vector<Separation> answers;
  sum_mean_slack(
      formulation, source, answers, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
        source.separate(point.w, examples, pass, out);
        return true;
      },
      [](const Separation&) {});
  return bound_primal(formulation, point.squared_norm(), mean);
}

// The certificate of RUN with the primal of the new w. `target`: of the relative gap, or NaN.
Json certificate_at(const PrimalBounds& primal, Json certificate, double target) {
  const bool is_bounded = std::isfinite(primal.high);
  const double value = is_bounded ? primal.high : primal.low;
  certificate["primal"] = number_json(value);
  certificate["primal_low"] = number_json(primal.low);
  certificate["primal_high"] = is_bounded ? Json(primal.high) : Json();
  if (certificate["dual"].is_null()) return certificate;
  const double gap = std::max(0.0, value - certificate["dual"].get<double>());
  const double relative_gap = gap == 0 ? 0 : gap / std::abs(value);
  certificate["gap"] = number_json(gap);
  certificate["relative_gap"] = number_json(relative_gap);
  certificate["certified"] = is_bounded && certificate["certified"] == true;
  if (!(relative_gap <= target)) certificate["stopped_by"] = "pruned";
  return certificate;
}

// `copies_planes`: the checkpoint of RUN belongs to its model.
void write_run(RunFolder& folder, const fs::path& from, bool copies_planes, const Json& header,
               const ProblemKernel::Stored& stored, std::map<std::string, std::string> states) {
  folder.create(read_stored_object(from / "config.json", Exit::missing));
  if (copies_planes) {
    std::error_code problem;
    fs::copy(from / "checkpoints", folder.checkpoints(), fs::copy_options::recursive, problem);
    if (problem) {
      throw Failure(Exit::write_failed, folder.checkpoints().string() +
                                            ": cannot be written: " + problem.message() +
                                            "; free some space, or choose another --output");
    }
  }
  states[support_atoms_name] = stored.atoms;
  write_model(folder.model_path(), {header, stored.weights, states});
  Json event = {{"event", "finished"}};
  event.update(header.at("certificate"));
  event["checkpoint_written"] = copies_planes;
  event["pruned"] = header.at("pruned");
  folder.append_event(event);
}

std::string gap_text(const Json& certificate) {
  if (!certificate["relative_gap"].is_number()) return "none";
  return percent_text(certificate["relative_gap"].get<double>()) +
         (certificate["certified"] == true ? ", proved" : ", not certified");
}

std::string number_in(const Json& value) {
  return value.is_number() ? number_text(value.get<double>()) : "none";
}

std::string size_text(const fs::path& path) {
  std::error_code ignored;
  return count_text(static_cast<std::int64_t>(fs::file_size(path, ignored)), "byte");
}

// What prune did: `header` is that of the new model.
struct Report {
  const FinishedRun& run;
  ProblemKernel& kernel;
  const RunFolder& folder;
  const ProblemKernel::Pruned& pruned;
  double norm;  // ||w||
  const Json& header;
};

void print_report(const Report& report) {
  const ModelFile& model = report.run.model();
  const Json& before = model.header().at("certificate");
  const Json& after = report.header.at("certificate");
  const double distance = report.pruned.distance;
  TextOut out = report_out();
  const auto change = [&](const char* name, const std::string& old, const std::string& now) {
    out.row(name, old + " -> " + now);
  };
  out << report.run.experiment().name << ": pruned\n";
  change("support atoms", std::to_string(report.pruned.before),
         std::to_string(report.pruned.after));
  change("model", size_text(model.path()), size_text(report.folder.model_path()));
  out.row("||w - w'||",
          "at most " + number_text(distance) + "; ||w|| is " + number_text(report.norm));
  out.row("scores", "those of an atom a change by at most " + number_text(distance) +
                        " sqrt(k(a, a)); in the training data by " +
                        number_text(distance * std::sqrt(report.kernel.largest_own_value())));
  change("primal", number_in(before["primal"]), number_in(after["primal"]));
  change("relative gap", gap_text(before), gap_text(after));
  out.row("written to", report.folder.path().string());
}

}  // namespace

Exit prune(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("prune", {"RUN"});
  line.add_overrides("where the data is now, e.g. dataset.train=PATH; may be repeated");
  line.add()("tolerance", po::value<double>()->default_value(0.01, "0.01")->value_name("T"),
             "||w - w'|| is at most T ||w||")("output", po::value<std::string>()->value_name("DIR"),
                                              "the folder of the new run; required")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; results do not depend on it");
  line.add_quiet("; the report stays");
  line.add_epilogue(prune_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  const double tolerance = tolerance_of(line);
  const fs::path from = line.required("RUN");
  if (!line.has("output")) {
    throw Failure(Exit::usage, "sculpt prune needs --output DIR, the folder of the new run");
  }
  RunFolder folder(output_option(line), RunFolder::Existing::refuse);
  const int threads = thread_count(line, 0);
  catch_stop_signals();

  Console console(Console::prints_if(line.is_quiet()));
  FinishedRun run("prune", from, line.overrides(), console);
  const ModelFile& model = run.model();
  require_price(run);
  const std::unique_ptr<Problem> problem = run.bind(threads);
  ProblemKernel& kernel = kernel_of(run, *problem);
  ProblemPorts ports(*problem, static_cast<std::uint64_t>(run.experiment().seed));
  PlaneSource& source = *ports.ports().planes;
  InnerProduct* const inner_product = source.inner_product(0);
  current_activity = {"pruning the model"};
  const WeightPoint point =
      point_of(kernel.coefficients_of_model(model.weights(), model.states().at(support_atoms_name)),
               inner_product);
  const double norm = std::sqrt(std::max(0.0, point.squared_norm()));
  ProblemKernel::Pruned pruned = kernel.prune(point.v, tolerance * norm, [] {
    if (stop_signal() != 0) throw Cancelled();
  });
  const WeightPoint new_point = point_of(std::move(pruned.v), inner_product);
  const PrimalBounds primal = primal_at(new_point, run.solver().formulation().value(), source);

  Json header = model.header();
  const Json before = header.at("certificate");
  for (const char* key : {"format", "version", "arrays"}) header.erase(key);
  header["certificate"] = certificate_at(primal, before, run.reported_certificate().target);
  header["pruned"] = {{"tolerance", tolerance},
                      {"distance", pruned.distance},
                      {"support_atoms_before", pruned.before},
                      {"support_atoms", pruned.after}};
  const bool copies_planes = run.checkpoint() != nullptr;
  write_run(folder, from, copies_planes, header, kernel.stored(new_point.v), model.states());

  console.end_live();
  print_report({run, kernel, folder, pruned, norm, header});
  return Exit::reached;
}

}  // namespace sculpt::core
