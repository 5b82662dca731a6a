// run_entries.hpp - what runs write into their folder, and how it is removed or set aside.
//
// Called by RunFolder. Whatever else lies there is not ours.
#pragma once

#include <filesystem>

namespace sculpt::core {

bool may_have_model(const std::filesystem::path& run);

// Throws Failure(Exit::output) when the folder holds what no run has written.
void refuse_unknown_files(const std::filesystem::path& run);

// Empties the folder for the next run. A run with a model goes to the folder `replaced` inside,
// unless there is one: that was replaced by a run that has not come to its end. Anything else of a
// run is removed. Throws Failure(Exit::output).
void make_room_for_next_run(const std::filesystem::path& run);

// Removes the run that was set aside, as far as it can be. Requires the next model.
void remove_replaced_run(const std::filesystem::path& run) noexcept;

// The folder of a run that was set aside.
std::filesystem::path replaced_run(const std::filesystem::path& run);

}  // namespace sculpt::core
