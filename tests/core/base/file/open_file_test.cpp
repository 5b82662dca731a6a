#include "base/file/open_file.hpp"

#include <doctest/doctest.h>

#include <cerrno>

using namespace sculpt::core;

TEST_CASE(
    "too many files and too little memory are exit 71, the latter without advice of its own") {
  for (const int number : {EMFILE, ENFILE}) {
    CHECK(is_out_of_files(number));
    const Failure failure = system_failure(Exit::write, "a", number, "; b");
    CHECK(failure.exit() == Exit::memory);
    CHECK(failure.advice().find("ulimit -a") != std::string::npos);
  }
  // Training takes one with advice for another lack, and would not name its checkpoint.
  const Failure memory = system_failure(Exit::write, "a", ENOMEM, "; b");
  CHECK(memory.exit() == Exit::memory);
  CHECK(memory.advice().empty());
  CHECK_FALSE(is_out_of_files(ENOMEM));
  CHECK(system_failure(Exit::write, "a", ENOENT).exit() == Exit::write);
}
