// sculpt train: trains a model from an experiment.

#include <filesystem>

#include "base/stopwatch.hpp"
#include "base/text/shell_word.hpp"
#include "command/command.hpp"
#include "command/training/other_data_start.hpp"
#include "command/training/training.hpp"
#include "launch/assembly.hpp"
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

// CONFIG and the overrides, quoted for a shell.
std::string experiment_words(const CommandLine& line) {
  return shell_word(line.required("CONFIG")) + line.overrides_for_shell();
}

// The same command again. `resumes`: there is a run to resume.
std::string repeat_command(const CommandLine& line, const fs::path& output, bool resumes) {
  std::string command =
      "sculpt train " + experiment_words(line) + " --output " + shell_word(output.string());
  if (line.has("threads"))
    command += " --threads " + std::to_string(line.get<std::int64_t>("threads"));
  if (line.has("guard")) command += " --guard";
  if (line.has("quiet")) command += " --quiet";
  if (line.has("trust-rebuilt")) command += " --trust-rebuilt";
  if (line.has("force") && !resumes) command += " --force";
  return command + (resumes ? " --resume" : "");
}

// The end of a crash report. Training is deterministic: a run resumed from the last checkpoint
// makes the same call with the same weights.
std::string crash_advice(const CommandLine& line, const fs::path& output, bool resumes) {
  return "\n  to repeat it" +
         std::string(line.has("guard") ? "" : " (add --guard to find inconsistent answers, too)") +
         ": " + repeat_command(line, output, resumes) + "\n  to look for the fault: sculpt check " +
         experiment_words(line);
}

}  // namespace

Exit train(const Arguments& arguments) {
  const Stopwatch watch;
  CommandLine line("train", {"CONFIG"});
  line.add_overrides(
      "change a key of the experiment, e.g. solver.C=10 or oracle=icm; may be repeated");
  line.add()("output", po::value<std::string>()->value_name("DIR"),
             "the run folder; default: the key \"output\", else runs/NAME")(
      "resume", "continue the run in the run folder; start a new run if there is none")(
      "trust-rebuilt", "with --resume: continue although a plugin was rebuilt")(
      "force", "replace an existing run folder")(
      "guard",
      "check plugins more strictly: repeat each query and compare; w in read-only memory, and "
      "fences behind all arrays")("quiet", "print nothing but warnings and errors")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; results do not depend on it");
  if (!line.parse(arguments)) return Exit::reached;
  const RunFolder::Existing existing = existing_run(line);
  catch_stop_signals();
  ignore_write_signals();
  catch_checkpoint_signal();

  const JsonDocument document = JsonDocument::read(line.required("CONFIG"));
  const std::vector<Override> overrides = line.overrides();
  Registry registry(registry_settings(document, overrides));
  const Experiment experiment(document, overrides, declared_in(registry));
  const fs::path output = output_of(line, experiment);
  set_crash_advice(crash_advice(line, output, line.has("resume")));
  const std::optional<ModelFile> start =
      other_data_start(experiment, registry, output, existing == RunFolder::Existing::resume);
  const Assembly assembly =
      start ? Assembly(experiment, *start, registry) : Assembly(experiment, registry);
  const Training::Settings settings{output,
                                    existing,
                                    thread_count(line, experiment.threads),
                                    line.has("guard"),
                                    line.has("trust-rebuilt"),
                                    line.has("quiet"),
                                    start ? &*start : nullptr,
                                    crash_advice(line, output, true),
                                    repeat_command(line, output, true)};
  try {
    return Training(assembly, settings, watch).run();
  } catch (const Failure& failure) {
    if (!failure.faulty_example() || !failure.advice().empty()) throw;
    throw with_advice(failure, crash_advice(line, output, line.has("resume")));
  }
}

}  // namespace sculpt::core
