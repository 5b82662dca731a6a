// Who may work in a run folder, and when that is found out.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "run/run_folder.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("a run to resume or to replace is locked before anything of it is read") {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "run";
  { RunFolder(path, RunFolder::Existing::refuse).create({{"C", 1}}); }
  for (const auto existing : {RunFolder::Existing::resume, RunFolder::Existing::replace}) {
    const RunFolder first(path, existing);
    for (const auto other : {RunFolder::Existing::resume, RunFolder::Existing::replace}) {
      const Refusal refusal = refusal_of([&] { const RunFolder second(path, other); });
      CHECK(refusal.exit == Exit::output);
      CHECK(refusal.says("another run is at work there"));
    }
  }
  const RunFolder free(path, RunFolder::Existing::resume);  // gone with its owner
}

TEST_CASE("a run that has come to be in the meantime is neither resumed nor replaced") {
  for (const auto existing :
       {RunFolder::Existing::refuse, RunFolder::Existing::resume, RunFolder::Existing::replace}) {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "run";
    RunFolder late(path, existing);
    { RunFolder(path, RunFolder::Existing::refuse).create({{"C", 1}}); }
    const Refusal refusal = refusal_of([&] { late.create({{"C", 2}}); });
    CHECK(refusal.exit == Exit::output);
    CHECK(late.earlier_config() == nlohmann::ordered_json{{"C", 1}});
  }
}
