#include "sweep/slurm/slurm_script.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"

namespace sculpt::core {
namespace {

constexpr const char* finish_name = "finish";

// The words of an option, as sbatch reads them in a script, but for quotes.
std::vector<std::string> words_of(const std::string& option) {
  std::istringstream in(option);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string script_path(const SlurmSettings& settings, const std::string& name) {
  return shell_word((settings.folder / "slurm" / (name + ".sh")).string());
}

// The file for the output of a job. sbatch replaces %A and the like, and %% is a percent sign.
std::string log_path(const SlurmSettings& settings, const std::string& name) {
  std::string folder;
  for (const char c : (settings.folder / "slurm").string()) {
    folder += c == '%' ? std::string("%%") : std::string(1, c);
  }
  return shell_word(folder + "/" + name);
}

// A name that is safe in a script, for squeue.
std::string job_name(const SlurmSettings& settings, const std::string& name) {
  const bool is_plain = settings.name.find_first_of("% ") == std::string::npos &&
                        shell_word(settings.name) == settings.name;
  return (is_plain ? settings.name : std::string("sculpt")) + "-" + name;
}

std::string head(const SlurmSettings& settings, const std::string& name, const std::string& comment,
                 const std::string& own_lines, const std::string& log_ending) {
  std::string text = "#!/bin/bash\n" + comment +
                     "#\n# sculpt sweep --slurm wrote this script, and submit.sh submits it. To "
                     "submit it alone:\n# sbatch " +
                     script_path(settings, name) + "\n" +
                     "#SBATCH --job-name=" + job_name(settings, name) + "\n" + own_lines +
                     "#SBATCH --output=" + log_path(settings, name + "." + log_ending + ".log") +
                     "\n"
                     "#SBATCH --open-mode=append\n"
                     "#SBATCH --nodes=1\n"
                     "#SBATCH --ntasks=1\n"
                     "#SBATCH --cpus-per-task=" +
                     std::to_string(settings.threads) +
                     "\n"
                     "#SBATCH --requeue\n"
                     "#SBATCH --signal=B:TERM@60\n";
  for (const std::string& option : settings.options) text += "#SBATCH " + option + "\n";
  text += "\n";
  for (const auto& [variable, value] : settings.environment) {
    text += "export " + variable + "=" + shell_word(value) + "\n";
  }
  return text + "cd " + shell_word(settings.working_folder.string()) + " || exit 66\n\n";
}

// Runs the command with --cell, and puts the job back into the queue if it was stopped.
// `run`: its run folder. `job`: its number, for scontrol.
std::string run_cell(const SlurmSettings& settings, const std::string& cell, const std::string& run,
                     const std::string& job) {
  return "# 60 seconds before the time limit, Slurm sends TERM to this script. The cell then "
         "writes\n"
         "# a checkpoint, and ends with 143.\n" +
         settings.command + " \\\n  --threads \"${SLURM_CPUS_PER_TASK:-" +
         std::to_string(settings.threads) + "}\" --cell " + cell +
         " &\n"
         "process=$!\n"
         "trap 'kill -TERM \"$process\"' TERM\n"
         "until wait \"$process\"; code=$?; ! kill -0 \"$process\" 2>/dev/null; do :; done\n"
         "\n"
         "# If it left a checkpoint, the job waits in the queue again and continues from there.\n"
         "if [ \"$code\" -eq 143 ] && [ -e " +
         run +
         "/checkpoints/last.sculpt ]; then\n"
         "  scontrol requeue \"" +
         job +
         "\"\n"
         "  exit \"$code\"\n"
         "fi\n";
}

std::string cells_script(const SlurmSettings& settings, const SlurmJob& job) {
  const std::string comment =
      job.previous ? "# Trains cells of a sweep, a cell a task. Each takes the planes of the cell "
                     "before it, "
                     "so task\n# k must begin after task k of the array before this one.\n"
                   : "# Trains cells of a sweep, a cell a task.\n";
  std::string own_lines = "#SBATCH --array=0-" + std::to_string(job.cells.size() - 1) + "\n";
  if (job.previous) own_lines += "#SBATCH --kill-on-invalid-dep=yes\n";
  std::string text = head(settings, job.name, comment, own_lines, "%A_%a");
  text += "cells=(\n";
  for (const std::string& cell : job.cells) text += "  " + cell + "\n";
  text +=
      ")\ncell=${cells[${SLURM_ARRAY_TASK_ID:?is not set: submit this script with sbatch}]}\n\n";
  const std::string cells = shell_word((settings.folder / "cells").string());
  return text +
         run_cell(settings, "\"$cell\"", cells + "/\"$cell\"",
                  "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID") +
         "exit \"$code\"\n";
}

std::string finish_script(const SlurmSettings& settings) {
  std::string text =
      head(settings, finish_name,
           settings.trains_best
               ? "# Trains the final run of a sweep with the best settings, and makes its table.\n"
               : "# Makes the table of a sweep.\n",
           "", "%j");
  const std::string run = shell_word((settings.folder / "best").string());
  if (settings.trains_best) text += run_cell(settings, "best", run, "$SLURM_JOB_ID") + "\n";
  return text + settings.command + " --collect\n";
}

// The name of the variable with the number of a job.
std::string variable_of(const SlurmJob& job) {
  std::string variable = job.name;
  std::replace(variable.begin(), variable.end(), '-', '_');
  return variable;
}

std::string submit_script(const SlurmSettings& settings, const std::vector<SlurmJob>& jobs) {
  std::string text =
      "#!/bin/bash\n"
      "# Submits the jobs of a sweep. sculpt sweep --slurm wrote this script.\n"
      "\n"
      "# submit SCRIPT OPTION...: prints the name of the script and the number of its job.\n"
      "submit() {\n"
      "  local answer\n"
      "  answer=$(sbatch --parsable \"${@:2}\" " +
      shell_word((settings.folder / "slurm").string()) +
      "/\"$1\") || exit 1\n"
      "  job=${answer%%;*}  # without the name of the cluster\n"
      "  echo \"$1 $job\"\n"
      "}\n\n";
  if (std::any_of(jobs.begin(), jobs.end(), [](const auto& job) { return job.previous; })) {
    text +=
        "# aftercorr: task k begins after task k of that array has ended with 0, which it also "
        "does\n"
        "# if its cell has failed. A task that was killed ends with something else.\n";
  }
  std::string all;
  for (const SlurmJob& job : jobs) {
    text += "submit " + job.name + ".sh";
    if (job.previous)
      text += " --dependency=\"aftercorr:$" + variable_of(jobs[*job.previous]) + "\"";
    text += "\n" + variable_of(job) + "=$job\n";
    all += ":$" + variable_of(job);
  }
  text += std::string("submit ") + finish_name + ".sh";
  if (!all.empty()) text += " --dependency=\"afterany" + all + "\"";
  return text + "\n";
}

}  // namespace

void check_slurm_options(const std::vector<std::string>& options) {
  constexpr std::array<std::string_view, 7> reserved = {
      "--array", "-a", "--dependency", "-d", "--parsable", "--wrap", "--test-only"};
  for (const std::string& option : options) {
    const std::vector<std::string> words = words_of(option);
    if (words.empty() || !words.front().starts_with('-')) {
      throw Failure(Exit::usage, "--sbatch " + shell_word(option) +
                                     ": is no option of sbatch; write for example --sbatch "
                                     "--time=01:00:00");
    }
    if (printable(option) != option || option.find('#') != std::string::npos) {
      throw Failure(Exit::usage, "--sbatch " + shell_word(option) +
                                     ": a script cannot hold line ends, control characters or #");
    }
    for (const std::string& word : words) {
      const std::string name = word.substr(0, word.find('='));
      const bool is_short = name.size() > 2 && name[0] == '-' && name[1] != '-';
      const std::string letter = is_short ? name.substr(0, 2) : name;
      if (std::find(reserved.begin(), reserved.end(), letter) == reserved.end()) continue;
      throw Failure(Exit::usage, "--sbatch " + shell_word(option) + ": the sweep sets " + letter +
                                     " itself; leave it out");
    }
  }
}

void check_slurm_folder(const std::filesystem::path& folder) {
  const std::string text = folder.string();
  if (printable(text) == text && text.find('\\') == std::string::npos) return;
  throw Failure(Exit::usage, shell_word(text) +
                                 ": Slurm does not take \\ and control characters in the name of a "
                                 "folder; choose another one with --output");
}

std::vector<SlurmScript> slurm_scripts(const SlurmSettings& settings,
                                       const std::vector<SlurmJob>& jobs) {
  std::vector<SlurmScript> scripts;
  for (const SlurmJob& job : jobs) {
    scripts.emplace_back(job.name + ".sh", cells_script(settings, job));
  }
  scripts.emplace_back(std::string(finish_name) + ".sh", finish_script(settings));
  scripts.emplace_back("submit.sh", submit_script(settings, jobs));
  return scripts;
}

}  // namespace sculpt::core
