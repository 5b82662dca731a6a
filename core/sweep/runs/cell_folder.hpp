// cell_folder.hpp - the files of the cells of a sweep, and the words of `sculpt train` for a cell.
//
// Used by all that run cells or read what they left: CellRunner, SingleCell and the command sweep.
// So a cell is trained in the same way, wherever it is.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweep/plan/sweep_plan.hpp"
#include "sweep/runs/cell_record.hpp"

namespace sculpt::core {

// Throws Failure if a model with this header does not belong to the sweep. Empty: all do.
using CheckModel = std::function<void(const Cell& cell, const nlohmann::ordered_json& header)>;

class CellFolder {
 public:
  // `folder`: of the cells. `config`: the experiment, as for train. `plan` outlives this object.
  CellFolder(const SweepPlan& plan, std::filesystem::path folder, std::string config,
             CheckModel check_model);

  std::filesystem::path run(std::size_t cell) const { return folder_ / plan_.cells[cell].name; }
  std::filesystem::path log(std::size_t cell) const { return file(cell, ".log"); }
  std::filesystem::path end(std::size_t cell) const { return file(cell, ".json"); }  // cell_end.hpp

  // How the process of a cell ended. A model that is damaged, or does not belong to this sweep,
  // counts as missing: then the cell has failed.
  CellRecord record(std::size_t cell, int exit_code) const;

  // True if this cell has left planes. `record`: its record.
  bool has_planes(std::size_t cell, const CellRecord& record) const;
  // True if a restart would lose a model or a checkpoint.
  bool has_progress(std::size_t cell) const;

  // The words of train for a cell, without "sculpt". `start`: the cell whose planes it takes, if
  // any. `is_resumed`: the run may exist. If it does, it continues with the planes that it has.
  std::vector<std::string> train_words(std::size_t cell, std::optional<std::size_t> start,
                                       int threads, bool is_resumed) const;

 private:
  std::filesystem::path file(std::size_t cell, const char* ending) const;
  std::optional<std::size_t> used_start(std::size_t cell) const;

  const SweepPlan& plan_;
  std::filesystem::path folder_;
  std::string config_;
  CheckModel check_model_;
};

}  // namespace sculpt::core
