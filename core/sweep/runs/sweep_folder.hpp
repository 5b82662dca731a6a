// sweep_folder.hpp - the folder that a sweep leaves behind.
//
//   plan.json              what is swept (plan_record.hpp)
//   cells/                 of each cell a run folder NAME; NAME.log, what it printed; and, once it
//                          has a model, NAME.json: {"peak_bytes": the most memory it had}, by which
//                          a sweep that goes on knows how many fit side by side
//   best/                  the run folder of --best
//   sweep.json .csv .md    the table, when all cells have ended
//   replaced/              what --force has put away of the sweep before, until this one has ended
//
// One process at a time works in it.
#pragma once

#include <filesystem>
#include <string>

#include "run/folder_lock.hpp"
#include "run/run_folder.hpp"
#include "sweep/plan/plan_record.hpp"

namespace sculpt::core {

class SweepFolder {
 public:
  // Makes it, or goes on in it, or puts the sweep before away. Throws Failure: Exit::output for
  // one that holds anything else, or a sweep that is neither to be resumed nor to be replaced;
  // Exit::config when the sweep to be resumed is another one; then nothing has been touched. Names
  // the points of `plan` as that sweep does.
  SweepFolder(std::filesystem::path path, RunFolder::Existing existing, PlanRecord& plan);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path cells() const { return path_ / "cells"; }
  std::filesystem::path best() const { return path_ / "best"; }
  // When the sweep has come to its end.
  void remove_replaced() const;
  // Throws Failure(Exit::write).
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace sculpt::core
