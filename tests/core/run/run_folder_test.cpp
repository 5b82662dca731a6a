// A run folder is used by one process at a time. Others are refused at once.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "run/run_folder.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("a run folder is locked as soon as it is opened to resume or replace its run") {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "run";
  { RunFolder(path, RunFolder::Existing::refuse).create({{"C", 1}}); }
  for (const auto existing : {RunFolder::Existing::resume, RunFolder::Existing::replace}) {
    const RunFolder first(path, existing);
    for (const auto other : {RunFolder::Existing::resume, RunFolder::Existing::replace}) {
      const Refusal refusal = refusal_of([&] { const RunFolder second(path, other); });
      CHECK(refusal.exit == Exit::cannot_create);
      CHECK(refusal.says("another run is using this folder"));
    }
  }
  const RunFolder free(path, RunFolder::Existing::resume);  // the lock ended with its owner
}

TEST_CASE("a run folder is refused if another process created a run in it in the meantime") {
  for (const auto existing :
       {RunFolder::Existing::refuse, RunFolder::Existing::resume, RunFolder::Existing::replace}) {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "run";
    RunFolder late(path, existing);
    { RunFolder(path, RunFolder::Existing::refuse).create({{"C", 1}}); }
    const Refusal refusal = refusal_of([&] { late.create({{"C", 2}}); });
    CHECK(refusal.exit == Exit::cannot_create);
    CHECK(late.earlier_config() == nlohmann::ordered_json{{"C", 1}});
  }
}
