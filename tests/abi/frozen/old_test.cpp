// A plugin that was built with the headers of ABI 0.1 is refused, with what to do.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

constexpr const char* remedy =
    "was built for ABI 0.1, this host has 0.2; build it against the headers of this host";

}  // namespace

TEST_CASE("a plugin built with the headers of 0.1 is refused with the remedy by each command") {
  const Scratch scratch;
  scratch.write("lines.txt", "a -1\nb 1\n");
  scratch.write("old.json", R"({
    "dataset": {"use": "old.so#old_lines", "train": "lines.txt"},
    "features": "old_blocks", "loss": "old_cost", "oracle": "old_argmax", "solver": "n_slack"})");
  const std::string library = std::string(SCULPT_TEST_PLUGINS) + "/old.so";
  for (const std::vector<std::string>& command :
       {with_test_plugins({"train", "old.json"}), {"check", library}, {"describe", library}}) {
    CAPTURE(command.front());
    const Outcome outcome = scratch.sculpt(command);
    CHECK(outcome.exit == 69);
    CHECK(outcome.err.find(remedy) != std::string::npos);
  }
  CHECK_FALSE(fs::exists(scratch / "runs"));
}
