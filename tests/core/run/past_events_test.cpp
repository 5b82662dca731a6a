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

std::string cut(const std::string& text, std::int64_t behind) {
  const Events events(text);
  truncate_events(events.path, behind);
  std::ifstream file(events.path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("events are cut behind the pass of a checkpoint") {
  const std::string all = started + pass(1) + pass(2) + pass(3) + finished;
  CHECK(cut(all, 0) == started);
  CHECK(cut(all, 2) == started + pass(1) + pass(2));
  CHECK(cut(all, 3) == started + pass(1) + pass(2) + pass(3));
  CHECK(cut(all, 9) == started + pass(1) + pass(2) + pass(3));  // fewer than there should be
}

TEST_CASE("an earlier resumption stays with the passes behind it") {
  const std::string all = started + pass(1) + pass(2) + resumed + pass(3);
  CHECK(cut(all, 3) == all);
  CHECK(cut(all, 2) == started + pass(1) + pass(2));
}

TEST_CASE("half a line, or one that is no event, ends what stays") {
  CHECK(cut(started + pass(1) + "{\"event\":\"pa", 5) == started + pass(1));
  CHECK(cut(started + pass(1) + pass(2).substr(0, pass(2).size() - 1), 5) == started + pass(1));
  CHECK(cut(started + pass(1) + "nonsense\n" + pass(2), 5) == started + pass(1));
  CHECK(cut("", 5).empty());
}

TEST_CASE("the last event of a file that has none is null") {
  CHECK(last_event("nowhere/events.jsonl").is_null());
  CHECK(last_event(Events("").path).is_null());
  CHECK(last_event(Events(started + "{\"ev").path).is_null());
  CHECK(last_event(Events(started + finished).path)["event"] == "finished");
}
