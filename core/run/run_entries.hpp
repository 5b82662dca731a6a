// run_entries.hpp - the files that runs write into their folder: finds, moves and removes them.
//
// Called by RunFolder. Other files in the folder are never moved or removed.
#pragma once

#include <filesystem>

namespace sculpt::core {

// True if the folder has a model. Also true if the file system returns an error, so that no model
// is lost.
bool may_have_model(const std::filesystem::path& run);

// Checks the entries of a run, and of the run in replaced/. Throws Failure(Exit::cannot_create) if
// one is not what its name says: a link in place of a file or a folder, a pipe. If the run is
// resumed, also a file with another name that it changes in place. Changing such an entry would
// change files elsewhere. Call it before anything in the folder is read.
void require_plain_entries(const std::filesystem::path& run, bool is_resumed);

// Throws Failure(Exit::cannot_create) if the folder has a file that is not one of a run.
void refuse_unknown_files(const std::filesystem::path& run);

// Clears the folder for the next run. A run with a model moves to replaced/. If replaced/ has a
// model already, that model stays, and the run in the folder is removed: it has not ended. A run
// without a model is removed. Throws Failure(Exit::cannot_create).
void make_room_for_next_run(const std::filesystem::path& run);

// Removes the run in replaced/, as far as possible. Requires that the next run has written its
// model.
void remove_replaced_run(const std::filesystem::path& run) noexcept;

// The folder replaced/ of a run.
std::filesystem::path replaced_run(const std::filesystem::path& run);

}  // namespace sculpt::core
