// plain_file.hpp - files and folders that are what their name says: no link, no pipe, no device.
//
// A run folder may come from someone else. A link in it would make a run change files elsewhere,
// and a pipe would make it wait. Called by run/ and sweep/runs before they write, and by launch/.
// All of these functions throw Failure(Exit::cannot_create), which names the path.
#pragma once

#include <fcntl.h>

#include <filesystem>

#include "base/file/file_descriptor.hpp"

namespace sculpt::core {

// How a file is changed. A change in place also changes the file under its other names (hard
// links). A file that is replaced by rename() leaves these as they are.
enum class FileChange { in_place, by_rename };

// Refuses a path that exists and is no regular file. With `in_place` also one with another name.
void require_plain_file(const std::filesystem::path& path, FileChange change);

// Refuses a path that exists and is no folder, or is a link to one.
void require_plain_folder(const std::filesystem::path& path);

// Opens a plain file to change it in place. `flags`: those of open(2), without O_TRUNC. The result
// is not open if there is no such file. For other errors it throws
// system_failure(Exit::cannot_create).
FileDescriptor open_plain_file(const std::filesystem::path& path, int flags);

// Flags of open(2) that follow no link and do not wait for the other end of a pipe.
inline constexpr int no_link_flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

// True if this open file is a regular file with one name. [signal handler], and between fork and
// exec.
bool is_plain_file(int descriptor);

}  // namespace sculpt::core
