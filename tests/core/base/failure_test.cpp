// Failure: its advice stays with it, and some failures end the process.

#include "base/failure.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("a failure with another text keeps its exit code, its advice and the example") {
  Failure failure(Exit::memory, "a: too many open files", "\n  to see them: ulimit -a");
  failure.set_faulty_example(3);
  const Failure changed = failure.with_text("model: a: too many open files");
  CHECK(changed.what() == std::string("model: a: too many open files"));
  CHECK(changed.exit_code() == Exit::memory);
  CHECK(changed.advice() == failure.advice());
  CHECK(changed.faulty_example() == 3);
}

TEST_CASE("text and advice of a failure fit in one line") {
  CHECK(Failure(Exit::memory, "a", "\n  first,\n  second").text_in_one_line() ==
        "a; first, second");
  CHECK(Failure(Exit::data, "a").text_in_one_line() == "a");
}

TEST_CASE("a lack of memory and a request to stop end the process, bad data do not") {
  CHECK(Failure(Exit::memory, "").ends_process());
  CHECK(Failure(Exit::interrupted, "").ends_process());
  CHECK_FALSE(Failure(Exit::data, "").ends_process());
  CHECK_FALSE(Failure(Exit::plugin, "").ends_process());
}
