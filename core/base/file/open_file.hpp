// open_file.hpp - opens files for reading, and reports why that failed.
//
// Called by all folders that read files. Use these functions instead of std::ifstream, which does
// not report the reason. "Too many open files" must not look like a missing file, and has its own
// exit code.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// True if this errno means that the process or the system has too many open files. Safe between
// fork and exec.
bool is_out_of_files(int error_number);

// The message for an errno, e.g. ": Too many open files; raise ulimit -n"; "" for 0.
std::string system_reason(int error_number);

// The same for errno of the call that has just failed.
std::string system_reason();

// The failure of a call on a path: "WHAT: REASON" and what to do. `error_number`: its errno. Uses
// Exit::memory if the system gives no more files or memory, else `exit`. `advice` is used for
// errors without their own remedy, such as a missing file. A lack of memory gets no advice here:
// the code that catches it adds some (out_of_memory.hpp).
Failure system_failure(Exit exit, const std::string& what, int error_number,
                       const std::string& advice = "");

// Throws Failure(exit) if the path is that of a pipe, a device or a folder. Opening a pipe would
// wait for a writer, or use up the content of the pipe.
void require_regular_file(const std::filesystem::path& path, Exit exit);

// Opens a regular file for reading bytes. Throws system_failure(exit, "PATH: cannot be opened").
std::ifstream open_file(const std::filesystem::path& path, Exit exit,
                        const std::string& advice = "");

// The same, but a missing file is no failure: the returned stream is then not open.
std::ifstream open_if_there(const std::filesystem::path& path, Exit exit,
                            const std::string& advice = "");

}  // namespace sculpt::core
