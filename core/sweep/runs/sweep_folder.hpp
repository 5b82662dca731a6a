// sweep_folder.hpp - the folder of a sweep.
//
//   plan.json              what is swept (plan_record.hpp)
//   cells/                 for each cell a run folder NAME, NAME.log with its output, and
//   NAME.json:
//                          how it ended (cell_end.hpp). From the peak memory in it a resumed sweep
//                          computes how many cells fit into memory. best.log and best.json are
//                          those of a final run that was a task of a cluster
//   best/                  the run folder of --best
//   slurm/                 scripts of --slurm, and what their jobs print (slurm_script.hpp)
//   sweep.json .csv .md    the table, after all cells have ended
//   report.html            the page that report wrote, if it was asked to
//   replaced/              the previous sweep that --force replaced, until this one has ended
//
// Made by the command sweep. A local sweep works in it alone. The tasks of a cluster share it.
#pragma once

#include <filesystem>
#include <string>

#include "run/folder_lock.hpp"
#include "run/run_folder.hpp"
#include "sweep/plan/plan_record.hpp"

namespace sculpt::core {

class SweepFolder {
 public:
  // Makes the folder, resumes the sweep in it, or moves that sweep to replaced/. Gives the points
  // of `plan` the names of a resumed sweep. Throws Failure. Exit::cannot_create: it contains other
  // files, a link in place of a file or a folder, or a sweep with `refuse`. Exit::config: the sweep
  // to resume is another one; then no file was changed.
  // `is_shared`: a resumed sweep shares the folder with the tasks that run.
  SweepFolder(std::filesystem::path path, RunFolder::Existing existing, PlanRecord& plan,
              bool is_shared = false);
  // Takes part in the sweep in the folder: shares it, and changes no file. Gives `plan` its names
  // and its hashes. Throws Failure; Exit::missing: there is no sweep.
  SweepFolder(std::filesystem::path path, PlanRecord& plan);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path cells() const { return path_ / "cells"; }
  std::filesystem::path best() const { return path_ / "best"; }
  std::filesystem::path slurm() const { return path_ / "slurm"; }
  // The output and the end (cell_end.hpp) of a final run that is a task.
  std::filesystem::path best_log() const { return cells() / "best.log"; }
  std::filesystem::path best_end() const { return cells() / "best.json"; }
  // Waits for its turn among those that share the folder and submit or collect.
  FolderLock turn() const;
  // Removes replaced/. Call it when the sweep has ended.
  void remove_replaced() const;
  // Writes a file in the folder. Throws Failure(Exit::write_failed).
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace sculpt::core
