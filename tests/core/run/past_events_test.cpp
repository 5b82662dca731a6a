// The events of an earlier part of a run: cut after the pass of a checkpoint, and the last one.

#include "run/past_events.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "core/scratch_folder.hpp"

using namespace sculpt::core;

namespace {

namespace fs = std::filesystem;

const std::string started = "{\"event\":\"started\"}\n";
const std::string resumed = "{\"event\":\"resumed\",\"pass\":2}\n";
const std::string finished = "{\"event\":\"finished\"}\n";
std::string pass(int number) {
  return "{\"event\":\"pass\",\"pass\":" + std::to_string(number) + "}\n";
}

struct Events {
  explicit Events(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  test::ScratchFolder root;
  fs::path path = root.path() / "events.jsonl";
};

std::string validated(int number) {
  return "{\"event\":\"validated\",\"pass\":" + std::to_string(number) + "}\n";
}

std::string truncated(const std::string& text, std::int64_t last_pass,
                      std::int64_t last_validated = 0) {
  const Events events(text);
  truncate_events(events.path, last_pass, last_validated);
  std::ifstream file(events.path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("events after the pass of a checkpoint are removed") {
  const std::string all = started + pass(1) + pass(2) + pass(3) + finished;
  CHECK(truncated(all, 0) == started);
  CHECK(truncated(all, 2) == started + pass(1) + pass(2));
  CHECK(truncated(all, 3) == started + pass(1) + pass(2) + pass(3));
  CHECK(truncated(all, 9) == started + pass(1) + pass(2) + pass(3));  // the file has fewer passes
}

TEST_CASE("validations are kept up to the last one that the checkpoint knows") {
  // The run was stopped for the validation of pass 2, and continued before that pass.
  const std::string all = started + pass(1) + validated(2) + pass(2) + pass(3) + validated(4);
  CHECK(truncated(all, 3, 4) == all);
  CHECK(truncated(all, 3, 2) == started + pass(1) + validated(2) + pass(2) + pass(3));
  CHECK(truncated(all, 1, 2) == started + pass(1) + validated(2));
  CHECK(truncated(all, 1, 0) == started + pass(1));
}

TEST_CASE("an earlier resumed event is kept if a later pass is kept") {
  const std::string all = started + pass(1) + pass(2) + resumed + pass(3);
  CHECK(truncated(all, 3) == all);
  CHECK(truncated(all, 2) == started + pass(1) + pass(2));
}

TEST_CASE("events from the first incomplete or invalid line on are removed") {
  CHECK(truncated(started + pass(1) + "{\"event\":\"pa", 5) == started + pass(1));
  CHECK(truncated(started + pass(1) + pass(2).substr(0, pass(2).size() - 1), 5) ==
        started + pass(1));
  CHECK(truncated(started + pass(1) + "nonsense\n" + pass(2), 5) == started + pass(1));
  CHECK(truncated("", 5).empty());
}

TEST_CASE("the last event of a file without events is null") {
  CHECK(last_event("nowhere/events.jsonl").is_null());
  CHECK(last_event(Events("").path).is_null());
  CHECK(last_event(Events(started + "{\"ev").path).is_null());
  CHECK(last_event(Events(started + finished).path)["event"] == "finished");
}
