// What ranks compare before a run, and what they say if something differs.

#include "launch/rank_agreement.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/parallel/ranks/thread_transport.hpp"

using namespace sculpt::core;
using Json = nlohmann::ordered_json;

namespace {

const Json common_run = {{"sculpt", "1.0"},
                         {"config", {{"C", 5}, {"names", {"a", "b"}}}},
                         {"data", {{"train", "xxh3:12"}}},
                         {"libraries", {{"chain", {{"hash", "xxh3:ab"}}}}}};

// How the ranks end if rank `other` has another identity.
std::vector<RankEnd> ends_with(int count, int other, const Json& changed) {
  return run_thread_ranks(count, [&](Ranks& ranks) {
    require_one_run(ranks, ranks.rank() == other ? changed : common_run);
  });
}

Json changed_at(const std::string& pointer, const Json& value) {
  Json changed = common_run;
  changed[Json::json_pointer(pointer)] = value;
  return changed;
}

}  // namespace

TEST_CASE("the first difference of two runs has its path and both values") {
  CHECK(first_difference(common_run, common_run).empty());
  CHECK(first_difference(changed_at("/config/C", 6), common_run) ==
        "config/C is 6, and 5 on rank 0");
  CHECK(first_difference(changed_at("/config/names/1", "c"), common_run) ==
        "config/names/1 is \"c\", and \"b\" on rank 0");
  Json shorter = common_run;
  shorter.erase("data");
  CHECK(first_difference(shorter, common_run) ==
        "data/train is missing, and \"xxh3:12\" on rank 0");
  CHECK(first_difference(common_run, shorter) ==
        "data/train is \"xxh3:12\", and missing on rank 0");
  // An empty object is a value, too.
  CHECK(first_difference(changed_at("/config", Json::object()), common_run) != "");
  const std::string longest =
      first_difference(changed_at("/sculpt", std::string(1000, 'x')), common_run);
  CHECK(longest.size() < 120);
}

TEST_CASE("threads: ranks with one run go on, for any number of them") {
  for (const int count : {1, 2, 5}) CHECK(all_returned(ends_with(count, -1, common_run)));
}

TEST_CASE("threads: all ranks name the one that differs, with the exit code of what differs") {
  const struct {
    std::string pointer;
    Exit exit;
    std::string difference;
  } cases[] = {{"/data/train", Exit::data, "data/train is \"other\", and \"xxh3:12\" on rank 0"},
               {"/libraries/chain/hash", Exit::plugin,
                "libraries/chain/hash is \"other\", and \"xxh3:ab\" on rank 0"},
               {"/config/C", Exit::config, "config/C is \"other\", and 5 on rank 0"},
               {"/sculpt", Exit::config, "sculpt is \"other\", and \"1.0\" on rank 0"}};
  for (const auto& one : cases) {
    for (const RankEnd& end : ends_with(3, 2, changed_at(one.pointer, "other"))) {
      CHECK(end.is_rank_failure);
      CHECK(end.exit == one.exit);
      CHECK(end.text == "rank 2 of 3 on host0: " + one.difference +
                            "; all ranks need the same experiment, data and plugins");
    }
  }
}

TEST_CASE("threads: if all other ranks differ from the first, the first of them is named") {
  for (const RankEnd& end : ends_with(2, 0, changed_at("/config/C", 7))) {
    CHECK(end.text.find("rank 1 of 2 on host0: config/C is 5, and 7 on rank 0") == 0);
  }
}
