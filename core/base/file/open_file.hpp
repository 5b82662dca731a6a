// open_file.hpp - opening files to read, with the reason of the system where that fails.
//
// Used wherever the host opens a file by a stream, which keeps the reason to itself. "Too many open
// files" must not read as "there is no such file", and has an exit code of its own.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// Whether a call failed with this errno because the process or the system has too many open files.
// Safe between fork and exec.
bool is_out_of_files(int number);

// ": Too many open files; raise ulimit -n", of an errno; "" of 0.
std::string system_reason(int number);

// Of the call that has just failed.
std::string system_reason();

// Of a call on a path or the like that failed with this errno: "WHAT: REASON" and what to do.
// Exit::memory where the system gives no more files or memory, else `exit`. `advice` is for errors
// that have no remedy of their own, such as a file that is not there. Out of memory has no advice:
// what helps is up to who catches it (out_of_memory.hpp).
Failure system_failure(Exit exit, const std::string& what, int number,
                       const std::string& advice = "");

// Opens to read bytes. Throws system_failure(exit, "PATH: cannot be opened").
std::ifstream open_file(const std::filesystem::path& path, Exit exit,
                        const std::string& advice = "");

// The same, but a file that is not there is no failure: the stream is not open then.
std::ifstream open_if_there(const std::filesystem::path& path, Exit exit);

}  // namespace sculpt::core
