// sweep_folder.hpp - the folder of a sweep.
//
//   plan.json              what is swept (plan_record.hpp)
//   cells/                 for each cell a run folder NAME and NAME.log with its output. If it has
//                          a model, also NAME.json: {"peak_bytes": its peak memory}. From it a
//                          resumed sweep computes how many cells fit into memory
//   best/                  the run folder of --best
//   sweep.json .csv .md    the table, after all cells have ended
//   report.html            the page that report wrote, if it was asked to
//   replaced/              the previous sweep that --force replaced, until this one has ended
//
// Made by the command sweep. Only one process at a time works in it.
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
  SweepFolder(std::filesystem::path path, RunFolder::Existing existing, PlanRecord& plan);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path cells() const { return path_ / "cells"; }
  std::filesystem::path best() const { return path_ / "best"; }
  // Removes replaced/. Call it when the sweep has ended.
  void remove_replaced() const;
  // Writes a file in the folder. Throws Failure(Exit::write_failed).
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace sculpt::core
