// run_entries.hpp - the files that runs write into their folder, and how they are removed or kept.
//
// Called by RunFolder. All other files in the folder are never touched.
#pragma once

#include <filesystem>

namespace sculpt::core {

// True if there is a model, or if the file system returned an error.
bool may_have_model(const std::filesystem::path& run);

// Throws Failure(Exit::output) if the folder has files that no run wrote.
void refuse_unknown_files(const std::filesystem::path& run);

// Empties the folder for the next run. A run with a model moves to the folder `replaced` inside. If
// there is one already, the present run replaced it and has not ended. Then the present run is
// removed. All other files of a run are removed. Throws Failure(Exit::output).
void make_room_for_next_run(const std::filesystem::path& run);

// Removes the run in replaced/, as far as possible. Requires that the next run has written its
// model.
void remove_replaced_run(const std::filesystem::path& run) noexcept;

// The folder replaced/ of a run.
std::filesystem::path replaced_run(const std::filesystem::path& run);

}  // namespace sculpt::core
