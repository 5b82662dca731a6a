// sculpt sweep: trains an experiment with many settings and prints one table.

#include <nlohmann/json.hpp>

#include "base/file/stored_json.hpp"
#include "base/surroundings.hpp"
#include "base/text/json_syntax.hpp"
#include "command/command.hpp"
#include "command/sweeping/first_rank.hpp"
#include "command/sweeping/joined_sweep.hpp"
#include "command/sweeping/slurm_sweep.hpp"
#include "command/sweeping/sweep_run.hpp"
#include "launch/stop_signal.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr const char* sweep_epilogue =
    "\n"
    "  sculpt sweep x.json --set solver.C=0.1,1,10 --set oracle.use=viterbi,icm --folds 5\n"
    "\n"
    "trains every combination of the values, with each fold held out once, and prints one table.\n"
    "Commas inside of [], {} and \"\" do not separate values. Cells that differ only in solver.C\n"
    "start with the planes of the next smaller C, unless --cold is given. --best trains again on\n"
    "all of the split \"train\", with the settings that are best on held-out data.\n"
    "\n"
    "--slurm gives the cells to a cluster. The same command with --collect makes the table from\n"
    "what they have left, and with --slurm --resume it submits again what is left to do.\n"
    "\n"
    "Exit codes: the code of the first cell that failed; else 3 if a cell did not reach its\n"
    "target, or is missing; else 0. With --slurm 0: the jobs are submitted. With --cell 0: the\n"
    "cell has ended\n";

// The text of an option, for JSON. Throws Failure(Exit::usage) if JSON cannot hold it.
std::string utf8_option(const CommandLine& line, const std::string& option) {
  std::string text = line.get<std::string>(option);
  if (!is_utf8(text)) throw Failure(Exit::usage, "--" + option + " " + text + ": is not UTF-8");
  return text;
}

// Throws Failure(Exit::usage) for options that contradict each other.
HoldOutOptions hold_out_options_of(const CommandLine& line) {
  HoldOutOptions hold_out_options;
  if (line.has("folds") && line.has("hold-out")) {
    throw Failure(Exit::usage,
                  "--folds holds out every example once, --hold-out only a part of them; "
                  "give one of the two");
  }
  if (line.has("folds")) hold_out_options.folds = line.get<std::int64_t>("folds");
  if (line.has("hold-out")) hold_out_options.fraction = line.get<double>("hold-out");
  if (line.has("folds") && (hold_out_options.folds < 2 || hold_out_options.folds > 1000)) {
    throw Failure(Exit::usage, "--folds must be a number from 2 to 1000");
  }
  if (line.has("hold-out") && !(hold_out_options.fraction > 0 && hold_out_options.fraction < 1)) {
    throw Failure(Exit::usage, "--hold-out must be a fraction between 0 and 1");
  }
  for (const char* option : {"groups", "seed"}) {
    if (!line.has(option) || hold_out_options.is_set()) continue;
    throw Failure(Exit::usage,
                  std::string("--") + option + " needs --folds or --hold-out; give one of the two");
  }
  if (line.has("groups")) hold_out_options.groups = utf8_option(line, "groups");
  if (line.has("seed")) hold_out_options.seed = line.get<std::int64_t>("seed");
  if (hold_out_options.seed < 0) {
    throw Failure(Exit::usage, "--seed must be a whole number of at least 0");
  }
  return hold_out_options;
}

// The settings of --set, and those that other options set for every cell.
std::vector<std::string> settings_of(const CommandLine& line) {
  std::vector<std::string> settings = line.override_texts();
  if (line.has("predict-with")) {
    Json oracles = Json::array();
    for (const std::string& text : split_at_commas(utf8_option(line, "predict-with"))) {
      const Json value = parse_stored_json(text);
      oracles.push_back(value.is_discarded() ? Json(text) : value);
    }
    settings.push_back("predict_with=" + oracles.dump());
  }
  if (line.has("audit-with")) {
    settings.push_back("audit_with=" + utf8_option(line, "audit-with"));
  }
  return settings;
}

RunFolder::Existing existing_sweep(const CommandLine& line) {
  if (line.has("resume") && line.has("force")) {
    throw Failure(Exit::usage,
                  "--resume continues a sweep and --force replaces it; give one of them");
  }
  if (line.has("resume")) return RunFolder::Existing::resume;
  return line.has("force") ? RunFolder::Existing::replace : RunFolder::Existing::refuse;
}

// The option that says who trains the cells; "": this command, here.
std::string executor_option(const CommandLine& line) {
  std::string chosen;
  for (const char* option : {"slurm", "collect", "cell"}) {
    if (!line.has(option)) continue;
    if (!chosen.empty()) {
      throw Failure(Exit::usage,
                    "--" + chosen + " and --" + option + " do different things; give one of them");
    }
    chosen = option;
  }
  for (const char* option : {"resume", "force"}) {
    if (!line.has(option) || chosen.empty() || chosen == "slurm") continue;
    throw Failure(Exit::usage,
                  "--" + chosen + " takes the sweep as it is; leave --" + option + " out");
  }
  for (const char* option : {"sbatch", "write-only"}) {
    if (!line.has(option) || chosen == "slurm") continue;
    throw Failure(Exit::usage, std::string("--") + option + " needs --slurm; give both");
  }
  return chosen;
}

// Only cells that this command trains itself are divided among ranks.
void require_no_ranks(const std::string& executor) {
  if (executor.empty() || surroundings().ranks() == nullptr) return;
  throw Failure(Exit::usage, "--" + executor +
                                 " does not share its work among processes; start it without "
                                 "mpirun");
}

SlurmRequest slurm_request_of(const CommandLine& line) {
  SlurmRequest slurm;
  if (line.has("sbatch")) slurm.options = line.get<std::vector<std::string>>("sbatch");
  slurm.writes_only = line.has("write-only");
  if (line.has("threads") && line.get<std::int64_t>("threads") == 0) {
    throw Failure(Exit::usage,
                  "--threads 0 is all cores of this machine, but the cells run on "
                  "others; give the number of threads of a cell");
  }
  return slurm;
}

void add_cluster_options(CommandLine& line) {
  line.add()("slurm", "submit the cells to Slurm, a cell a task, and end")(
      "sbatch", po::value<std::vector<std::string>>()->composing()->value_name("OPTION"),
      "with --slurm: an option of sbatch, e.g. --time=01:00:00; may be repeated")(
      "write-only", "with --slurm: write the scripts to DIR/slurm, and submit nothing")(
      "collect", "make the table from the cells that have ended, and name the others")(
      "cell", po::value<std::string>()->value_name("NAME"),
      "train this cell of the sweep alone, as a task of Slurm does; best: the final run");
}

void add_options(CommandLine& line) {
  line.add_overrides(
      "values to try, e.g. solver.C=0.1,1,10; may be repeated; all combinations are trained");
  line.add()("folds", po::value<std::int64_t>()->value_name("K"),
             "divide the split \"train\" into K parts, and hold out each part once")(
      "hold-out", po::value<double>()->value_name("F"),
      "hold out this fraction of the split \"train\"")(
      "groups", po::value<std::string>()->value_name("FILE"),
      "one line for each example of train; examples with the same word are in the same fold")(
      "seed", po::value<std::int64_t>()->value_name("N"), "seed of the folds; default: 0")(
      "predict-with", po::value<std::string>()->value_name("A,B"),
      "also measure every trained model with these oracles; sets the key \"predict_with\"")(
      "audit-with", po::value<std::string>()->value_name("ORACLE"),
      "find the true primal and gap of every model with this exact oracle; sets the key "
      "\"audit_with\"")(
      "best", po::value<std::string>()->value_name("METRIC"),
      "train again on all of \"train\" with the settings that are best by METRIC, in DIR/best; "
      "METRIC:max or METRIC:min sets the direction")("output",
                                                     po::value<std::string>()->value_name("DIR"),
                                                     "folder of the sweep; default: sweeps/NAME")(
      "resume", "continue the sweep in the folder")("force", "replace the sweep in the folder")(
      "cold", "start every cell without the planes of another cell")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; at most this many cells run at a time. With --slurm and "
      "--cell: the threads of a cell");
  add_cluster_options(line);
  line.add_quiet("; the table stays");
  line.add_epilogue(sweep_epilogue);
}

}  // namespace

Exit sweep(const Arguments& arguments) {
  CommandLine line("sweep", {"CONFIG"});
  add_options(line);
  if (!line.parse(arguments)) return Exit::reached;
  const std::string executor = executor_option(line);
  require_no_ranks(executor);
  SweepRequest request{line.required("CONFIG"), Grid(settings_of(line)), hold_out_options_of(line)};
  request.existing = existing_sweep(line);
  if (line.has("best")) request.criterion.emplace(line.get<std::string>("best"));
  request.is_cold = line.has("cold");
  request.is_quiet = line.is_quiet();
  if (line.has("output")) request.output = output_option(line);
  request.threads_of = [&line](std::int64_t wanted) { return thread_count(line, wanted); };
  catch_stop_signals();
  ignore_write_signals();
  restore_child_signal();
  if (executor == "slurm") return submit_sweep(request, slurm_request_of(line));
  if (executor == "collect") return collect_sweep(request);
  if (executor == "cell") return train_cell(request, line.get<std::string>("cell"));
  Exit exit = Exit::reached;
  run_on_first_rank(request.threads_of, [&](RankCells* cells, const ThreadsOf& threads_of) {
    request.threads_of = threads_of;
    exit = run_sweep(request, cells).exit;
  });
  return exit;
}

}  // namespace sculpt::core
