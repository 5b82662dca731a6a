#include "sweep/slurm/submission.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/failure.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "base/program_path.hpp"
#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

// What submit.sh printed: the jobs, and the messages of sbatch.
struct SubmitLog {
  std::vector<SubmittedJob> jobs;
  std::string messages;
};

SubmitLog read_log(const fs::path& path) {
  SubmitLog log;
  std::ifstream file = open_if_there(path, Exit::missing);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    SubmittedJob job;
    std::string rest;
    words >> job.script >> job.id;
    const bool is_job = job.script.ends_with(".sh") && !job.id.empty() && !(words >> rest) &&
                        job.id.find_first_not_of("0123456789") == std::string::npos;
    if (is_job) {
      log.jobs.push_back(std::move(job));
    } else {
      log.messages += "\n  " + printable(line);
    }
  }
  return log;
}

// What to do with the jobs that were submitted before the failure.
std::string advice_for(const std::vector<SubmittedJob>& jobs) {
  if (jobs.empty()) return "\n  no job was submitted; then repeat the command with --resume";
  std::vector<std::string> ids;
  for (const SubmittedJob& job : jobs) ids.push_back(job.id);
  return "\n  " + count_text(static_cast<std::int64_t>(jobs.size()), "job") +
         " had been submitted; cancel them: scancel " + joined(ids, " ") +
         "\n  then repeat the command with --resume";
}

}  // namespace

void require_sbatch() {
  if (!folder_on_path("sbatch").empty()) return;
  throw Failure(Exit::plugin,
                "--slurm needs the program sbatch, which is not on the PATH; call it on a login "
                "node of the cluster, or give --write-only and submit the scripts there");
}

SlurmFolder::SlurmFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) {
    throw system_failure(Exit::cannot_create, folder_.string() + ": cannot be created",
                         problem.value());
  }
}

void SlurmFolder::write(const std::vector<SlurmScript>& scripts) const {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() == ".sh") fs::remove(entry.path(), ignored);
  }
  for (const auto& [name, text] : scripts) {
    require_plain_file(folder_ / (name + ".partial"), FileChange::in_place);
    write_durably(folder_ / name, std::array{std::string_view(text)});
    fs::permissions(folder_ / name, fs::perms::owner_exec, fs::perm_options::add, ignored);
  }
}

std::vector<SubmittedJob> SlurmFolder::submit() const {
  const fs::path log = folder_ / "submit.log";
  CellProcess process({submit_script().string()}, log, "/bin/bash");
  const auto result = process.wait(stop_request());
  SubmitLog submitted = read_log(log);
  if (!result) {
    throw Failure(Exit::interrupted, "stopped on request while jobs were submitted",
                  advice_for(submitted.jobs));
  }
  if (result->exit_code == 0) return std::move(submitted.jobs);
  throw Failure(Exit::plugin,
                "sbatch refused a job; it says:", submitted.messages + advice_for(submitted.jobs));
}

}  // namespace sculpt::core
