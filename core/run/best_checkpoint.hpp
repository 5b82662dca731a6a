// best_checkpoint.hpp - keeps the checkpoint of the best pass of a run beside the last ones.
//
// Called by train, if the run is validated, and by the commands that need the planes of the model.
// The folder has best.sculpt and, until the run has ended, previous_best.sculpt: the last
// checkpoint may be older than best.sculpt, and then names the best pass before.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "run/checkpoint.hpp"

namespace sculpt::core {

// Makes last.sculpt the best one, too. Throws Failure(Exit::write_failed).
void keep_best_checkpoint(const std::filesystem::path& folder);

// The best checkpoint that `is_wanted`, or nullptr. Damaged ones are left out.
std::unique_ptr<Checkpoint> open_best_checkpoint(
    const std::filesystem::path& folder, const std::function<bool(const Checkpoint&)>& is_wanted);

// Removes previous_best.sculpt; with `both`, also best.sculpt.
void drop_best_checkpoints(const std::filesystem::path& folder, bool both);

}  // namespace sculpt::core
