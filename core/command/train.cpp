// sculpt train: trains a model from an experiment.

#include <filesystem>

#include "base/file/memory_state_reader.hpp"
#include "base/stopwatch.hpp"
#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/sweeping/first_rank.hpp"
#include "command/sweeping/tuning.hpp"
#include "command/task/task_experiment.hpp"
#include "command/training/other_data_start.hpp"
#include "command/training/training.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/crash_report.hpp"
#include "launch/stop_signal.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

fs::path output_of(const CommandLine& line, const Experiment& experiment) {
  if (line.has("output")) return output_option(line);
  if (!experiment.output.empty()) return experiment.output;
  return fs::absolute(fs::path("runs") / experiment.name);
}

RunFolder::Existing existing_run(const CommandLine& line) {
  if (line.has("resume") && line.has("force")) {
    throw Failure(Exit::usage,
                  "--resume continues a run and --force replaces it; give one of them");
  }
  if (line.has("trust-rebuilt") && !line.has("resume")) {
    throw Failure(Exit::usage, "--trust-rebuilt needs --resume; give both");
  }
  if (line.has("resume")) return RunFolder::Existing::resume;
  return line.has("force") ? RunFolder::Existing::replace : RunFolder::Existing::refuse;
}

// The words of a command line that trains the same, quoted for a shell.
struct RunWords {
  std::string training;    // of train: CONFIG and overrides, or --task with its words
  std::string experiment;  // of check; empty: there is no experiment file yet
};

RunWords command_words(const CommandLine& line) {
  const std::string file = shell_word(line.required("CONFIG"));
  const std::string overrides = line.overrides_for_shell();
  if (!line.has("task")) return {file + overrides, file + overrides};
  std::string words = "--task " + shell_word(line.get<std::string>("task")) + " " + file;
  if (line.has("test")) words += " --test " + shell_word(line.get<std::string>("test"));
  if (line.has("tune")) words += " --tune";
  return {words + overrides, ""};
}

// The same command again. `resumes`: there is a run to resume.
std::string repeat_command(const CommandLine& line, const RunWords& words, const fs::path& output,
                           bool resumes) {
  std::string command =
      "sculpt train " + words.training + " --output " + shell_word(output.string());
  if (line.has("threads"))
    command += " --threads " + std::to_string(line.get<std::int64_t>("threads"));
  if (line.has("guard")) command += " --guard";
  if (line.is_quiet()) command += " --quiet";
  if (line.has("trust-rebuilt")) command += " --trust-rebuilt";
  if (line.has("force") && !resumes) command += " --force";
  return command + (resumes ? " --resume" : "");
}

// The end of a crash report. Training is deterministic: a run resumed from the last checkpoint
// makes the same call with the same weights.
std::string crash_advice(const CommandLine& line, const RunWords& words, const fs::path& output,
                         bool resumes) {
  std::string advice =
      "\n  to repeat it" +
      std::string(line.has("guard") ? "" : " (add --guard to find inconsistent answers, too)") +
      ": " + repeat_command(line, words, output, resumes);
  if (!words.experiment.empty()) {
    advice += "\n  to look for the fault: sculpt check " + words.experiment;
  }
  return advice;
}

// `words`: of this command. `run_words`: once there is a run folder.
Exit train_experiment(const CommandLine& line, const Experiment& experiment, Registry& registry,
                      const RunWords& words, const RunWords& run_words, const Stopwatch& watch) {
  const fs::path output = output_of(line, experiment);
  set_crash_advice(crash_advice(line, words, output, line.has("resume")));
  const RunFolder::Existing existing = existing_run(line);
  const std::optional<ModelFile> start =
      other_data_start(experiment, registry, output, existing == RunFolder::Existing::resume);
  const Assembly assembly =
      start ? Assembly(experiment, *start, registry) : Assembly(experiment, registry);
  const Training::Settings settings{output,
                                    existing,
                                    thread_count(line, experiment.threads),
                                    line.has("guard"),
                                    line.has("trust-rebuilt"),
                                    line.is_quiet(),
                                    start ? &*start : nullptr,
                                    {},
                                    crash_advice(line, run_words, output, true),
                                    repeat_command(line, run_words, output, true)};
  try {
    return Training(assembly, settings, watch).run();
  } catch (const Failure& failure) {
    if (!failure.faulty_example() || !failure.advice().empty()) throw;
    throw with_advice(failure, crash_advice(line, words, output, line.has("resume")));
  }
}

// Refuses options of --task without it.
void require_task_options(const CommandLine& line) {
  for (const char* option : {"test", "tune"}) {
    if (!line.has(option) || line.has("task")) continue;
    throw Failure(Exit::usage, std::string("--") + option +
                                   " needs --task, as in sculpt train --task multiclass TRAIN; an "
                                   "experiment names its data itself, and sculpt sweep tunes it");
  }
}

// Refuses a folder with a model before anything is tuned.
void require_free_output(const fs::path& output, RunFolder::Existing existing) {
  if (existing != RunFolder::Existing::refuse || !fs::exists(output / "model.sculpt")) return;
  throw Failure(Exit::cannot_create, output.string() +
                                         ": holds the model of an earlier run; choose another "
                                         "--output, or replace it with --force");
}

// What to do with the new model. `reached_gap`: empty if a smaller gap is not worth a command.
void print_next_commands(const TaskRequest& request, const fs::path& output, bool is_tuned,
                         std::optional<double> reached_gap) {
  const std::string run = shell_word(output.string());
  TextOut out = report_out();
  out.row("next", "sculpt predict " + run + " NEW_DATA");
  if (!request.test) out.row("", "sculpt evaluate " + run + " LABELLED_DATA");
  out.row("", "sculpt describe " + run);
  out.row("", "sculpt report " + run);
  const std::string experiment = shell_word((output / "config.json").string());
  if (is_tuned) {
    out.row("", "sculpt report " + shell_word(tuning_sweep_folder(output).parent_path().string()) +
                    ": the values of C that were tried");
  } else {
    out.row("", "the same command with --tune and another --output: a better C");
  }
  if (reached_gap) {
    out.row("", "sculpt train " + experiment + " --output OTHER --set solver.relative_gap=" +
                    exact_number_text(*reached_gap / 10) + " --set solver.warm_start=" + run +
                    ": from here to a smaller gap");
  }
  out.row("", "sculpt train " + experiment + " --output OTHER: this run again, with your changes");
}

// tune() on the first rank, whose C all ranks get.
TuningEnd tune_on_all_ranks(const TaskExperiment& task, const fs::path& output,
                            RunFolder::Existing existing, const ThreadsOf& threads_of,
                            Console& console) {
  TuningEnd end;
  run_on_first_rank(threads_of, [&](RankCells* cells, const ThreadsOf& of_a_rank) {
    end = tune(task, output, existing, of_a_rank, cells, console);
  });
  Ranks* const ranks = surroundings().ranks();
  if (ranks == nullptr) return end;
  StateBuffer best;
  const auto& all = ranks->gather("the best C", [&] {
    best.put(static_cast<std::uint8_t>(end.C.has_value()));
    best.put(end.C.value_or(0));
    return best.bytes();
  });
  ViewStateReader in(all.front());
  const bool has_best = in.get_flag();
  const auto C = in.get<double>();
  if (has_best) end.C = C;
  return end;
}

Exit train_task(const CommandLine& line, Stopwatch watch) {
  TaskRequest request;
  request.task = line.get<std::string>("task");
  find_task(request.task);
  if (!line.has("CONFIG")) {
    throw Failure(Exit::usage, "--task " + request.task +
                                   " needs the file with the training data: sculpt train --task " +
                                   request.task + " TRAIN");
  }
  request.train = line.get<std::string>("CONFIG");
  if (line.has("test")) request.test = line.get<std::string>("test");
  request.overrides = line.overrides();
  request.threads_of = [&line](std::int64_t wanted) { return thread_count(line, wanted); };

  Console console(Console::prints_if(line.is_quiet()));
  TaskExperiment task(request, console);
  Registry registry(registry_settings(task.document(), task.overrides()));
  const fs::path output = output_of(line, task.experiment(registry));
  if (line.has("tune")) {
    require_free_output(output, existing_run(line));
    const TuningEnd end =
        tune_on_all_ranks(task, output, existing_run(line), request.threads_of, console);
    if (!end.C) return end.exit;
    task.set_cost(*end.C);
    watch = Stopwatch();  // the time of the run is not that of its tuning
  }
  const std::string config = shell_word((output / "config.json").string());
  const Exit exit = train_experiment(line, task.experiment(registry), registry, command_words(line),
                                     {config, config}, watch);
  const bool has_model = exit == Exit::reached || exit == Exit::not_reached;
  if (!has_model || line.is_quiet()) return exit;
  const bool has_large_gap = exit == Exit::reached && task.target_gap().value_or(0) > 0.001;
  print_next_commands(request, output, line.has("tune"),
                      has_large_gap ? task.target_gap() : std::nullopt);
  return exit;
}

}  // namespace

Exit train(const Arguments& arguments) {
  const Stopwatch watch;
  CommandLine line("train", {"CONFIG"});
  line.add_overrides(
      "change a key of the experiment, e.g. solver.C=10 or oracle=icm; may be repeated");
  line.add()("task", po::value<std::string>()->value_name("TASK"),
             "in place of an experiment: choose the components for this task, and C by the "
             "training data, which CONFIG names")("test",
                                                  po::value<std::string>()->value_name("FILE"),
                                                  "with --task: measure the model on these data")(
      "tune", "with --task: choose C by folds of the training data")(
      "output", po::value<std::string>()->value_name("DIR"),
      "the run folder; default: the key \"output\", else runs/NAME")(
      "resume", "continue the run in the run folder; start a new run if there is none")(
      "trust-rebuilt", "with --resume: continue although a plugin was rebuilt")(
      "force", "replace an existing run folder")(
      "guard",
      "check plugins more strictly: repeat each query and compare; w in read-only memory, and "
      "fences behind all arrays")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; results do not depend on it");
  line.add_quiet("");
  static const std::string epilogue =
      "\n  sculpt train --task TASK TRAIN [--test FILE] [--tune]\n\n"
      "trains without an experiment, and writes the one that it "
      "used to RUN/config.json. The tasks are:\n\n" +
      tasks_text();
  line.add_epilogue(epilogue.c_str());
  if (!line.parse(arguments)) return Exit::reached;
  existing_run(line);  // refuses options that contradict each other
  require_task_options(line);
  catch_stop_signals();
  ignore_write_signals();
  catch_checkpoint_signal();
  if (line.has("task")) return train_task(line, watch);

  const JsonDocument document = JsonDocument::read(line.required("CONFIG"));
  const std::vector<Override> overrides = line.overrides();
  Registry registry(registry_settings(document, overrides));
  const Experiment experiment(document, overrides, declared_in(registry));
  const RunWords words = command_words(line);
  return train_experiment(line, experiment, registry, words, words, watch);
}

}  // namespace sculpt::core
