// From errors of the system to exit codes.

#include "base/file/open_file.hpp"

#include <doctest/doctest.h>

#include <cerrno>

using namespace sculpt::core;

TEST_CASE("too many open files and too little memory give exit 71, with advice only for files") {
  for (const int number : {EMFILE, ENFILE}) {
    CHECK(is_out_of_files(number));
    const Failure failure = system_failure(Exit::write_failed, "a", number, "; b");
    CHECK(failure.exit_code() == Exit::memory);
    CHECK(failure.advice().find("ulimit -a") != std::string::npos);
  }
  // Without advice here, training adds its own, which names the checkpoint.
  const Failure memory = system_failure(Exit::write_failed, "a", ENOMEM, "; b");
  CHECK(memory.exit_code() == Exit::memory);
  CHECK(memory.advice().empty());
  CHECK_FALSE(is_out_of_files(ENOMEM));
  CHECK(system_failure(Exit::write_failed, "a", ENOENT).exit_code() == Exit::write_failed);
}
