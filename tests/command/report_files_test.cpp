// sculpt report: damaged and hostile files give a page without tags of theirs, and no other file is
// replaced.

#include <doctest/doctest.h>

#include <sstream>

#include "command/report_pages.hpp"

using namespace sculpt::test;

TEST_CASE("a run that was killed before its first checkpoint, or left only config.json") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  fs::remove(scratch / "run/model.sculpt");
  fs::remove_all(scratch / "run/checkpoints");
  const std::string events = scratch.read("run/events.jsonl");
  scratch.write("run/events.jsonl", events.substr(0, events.find('\n') + 1));
  Element page = report_page(scratch, {"run"});
  CHECK(contains(section_text(page, "summary"), "ended before its first pass"));
  CHECK(contains(section_text(page, "remarks"), "neither a model nor a checkpoint"));
  CHECK(contains(section_text(page, "weights"), "No weights: "));
  CHECK(contains(section_text(page, "weights"), "the first checkpoint comes after"));
  CHECK(page.by_id("progress") == nullptr);
  fs::remove(scratch / "run/events.jsonl");
  page = report_page(scratch, {"run"});
  CHECK(page.by_id("settings") != nullptr);
  fs::remove(scratch / "run/config.json");
  scratch.write("run/events.jsonl", "");
  page = report_page(scratch, {"run"});
  CHECK(page.by_id("summary") != nullptr);
}

namespace {

// Trains a crf, and removes the last event. Returns the events that are left.
std::string train_crf_without_end(const Scratch& scratch) {
  write_small_experiment(scratch);
  REQUIRE(
      scratch
          .sculpt({"train", "small.json", "--output", "run", "--set", R"(solver={"use": "crf"})"})
          .exit == 0);
  const std::string events = scratch.read("run/events.jsonl");
  const std::string left = events.substr(0, events.find("{\"event\":\"finished\""));
  scratch.write("run/events.jsonl", left);
  return left;
}

}  // namespace

TEST_CASE("a run whose solver knows its weights at the end only says so in place of the weights") {
  const Scratch scratch;
  train_crf_without_end(scratch);
  fs::remove(scratch / "run/model.sculpt");
  const Element page = report_page(scratch, {"run"});
  CHECK(contains(section_text(page, "weights"), "No weights: "));
  CHECK(contains(section_text(page, "weights"), "known only at the end; finish the run"));
  CHECK(report_page(scratch, {"run", "--weights", "0"}).by_id("weights") == nullptr);
}

TEST_CASE("a run that was killed behind its model shows the weights of the model") {
  const Scratch scratch;
  const std::string killed = train_crf_without_end(scratch);
  const Element page = report_page(scratch, {"run"});
  CHECK(contains(section_text(page, "weights"), "weights of the model"));
  CHECK(contains(section_text(page, "summary"), "ended without a result"));
  CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  // A later pass: the model is no longer the end of the run.
  const std::string last = killed.substr(killed.rfind("{\"event\":\"pass\""));
  Json pass = Json::parse(last);
  pass["pass"] = pass["pass"].get<int>() + 1;
  scratch.write("run/events.jsonl", killed + pass.dump() + "\n");
  CHECK(contains(section_text(report_page(scratch, {"run"}), "weights"), "No weights: "));
  CHECK(scratch.sculpt({"verify", "run"}).exit == 65);
}

TEST_CASE("a killed run with a damaged model shows the weights of its checkpoint") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string events = scratch.read("run/events.jsonl");
  scratch.write("run/events.jsonl", events.substr(0, events.find("{\"event\":\"finished\"")));
  scratch.write("run/model.sculpt", "damaged");
  CHECK(contains(section_text(report_page(scratch, {"run"}), "weights"), "of the last checkpoint"));
}

TEST_CASE("damaged lines of events are told, on the page too, and skipped") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string events = scratch.read("run/events.jsonl");
  const std::size_t second = events.find('\n') + 1;
  scratch.write("run/events.jsonl", events.substr(0, second) +
                                        "{\"event\":\"pass\",\"dual\":<script>\xff\n" +
                                        events.substr(second) + "{\"event\":\"pa");
  const Outcome outcome = scratch.sculpt({"report", "run"});
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome.err, "events.jsonl:2: is no event, so it is damaged; it is left out"));
  CHECK(contains(outcome.err, "the line is not complete"));
  const Element page = page_tree(scratch.read("run/report.html"));
  CHECK(contains(section_text(page, "remarks"), "events.jsonl:2: is no event"));
  CHECK(page.by_id("bounds-calls") != nullptr);
}

TEST_CASE("events and settings with any values give a page") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string events = scratch.read("run/events.jsonl");
  for (const std::string value :
       {"null", "\"</script><script>\\u0000\"", "[[[]]]", "{\"a\":{}}", "-1e308", "1e308", "0",
        "true", "123456789012345678901234567890"}) {
    std::string changed;
    std::istringstream lines(events);
    for (std::string line; std::getline(lines, line);) {
      const Json event = Json::parse(line);
      Json forged = event;
      for (const auto& [key, old] : event.items()) {
        if (key != "event") forged[key] = Json::parse(value);
      }
      changed += forged.dump() + "\n";
    }
    CAPTURE(value);
    scratch.write("run/events.jsonl", changed);
    const Outcome outcome = scratch.sculpt({"report", "run"});
    CHECK(outcome.exit == 0);
    CHECK(page_tree(scratch.read("run/report.html")).all("script").size() == 1);
    scratch.write("run/config.json", "{\"name\": " + value + ", \"solver\": " + value + "}");
    CHECK(scratch.sculpt({"report", "run"}).exit == 0);
    CHECK(page_tree(scratch.read("run/report.html")).all("script").size() == 1);
  }
}

TEST_CASE("words and labels with tags, NUL and bytes that are no UTF-8 stay text") {
  const Scratch scratch;
  const std::string hostile = "<script>alert('1')</script>";
  scratch.write("words.txt", hostile + " <b>N\n\xff\xfe\" V&\n\nb V&\nA\x01 <b>N\n\n");
  scratch.write("words.json", R"({"name": "a<b>&'\u202e",
    "dataset": {"use": "conll", "train": "words.txt", "columns": ["w"], "templates": ["w[0]"]},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 0.01}})");
  const Outcome trained = scratch.sculpt({"train", "words.json", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  const Element page = report_page(scratch, {"run"});
  CHECK(page.all("script").size() == 1);
  CHECK(contains(page.all("title").front()->whole_text(), "a<b>&'\\u202e"));
  const std::string examples = section_text(page, "examples");
  CHECK(contains(examples, "<script>alert('1'"));
  CHECK(contains(examples, "\\xff\\xfe"));
  CHECK(contains(examples, "<b>N"));
  CHECK(contains(section_text(page, "weights"), "V&"));
}

TEST_CASE("data that have gone or changed: the rest of the page is made") {
  const Scratch scratch;
  write_points(scratch);
  REQUIRE(scratch.sculpt({"train", "points.json", "--output", "run"}).exit == 0);
  fs::rename(scratch / "points.txt", scratch / "moved.txt");
  const Outcome outcome = scratch.sculpt({"report", "run"});
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome.err, "warning: examples and weights are not complete"));
  CHECK(contains(outcome.err, "--set dataset.train=PATH"));
  Element page = page_tree(scratch.read("run/report.html"));
  CHECK(page.by_id("examples") == nullptr);
  CHECK(page.by_id("bounds-calls") != nullptr);
  CHECK(contains(section_text(page, "remarks"), "--set dataset.train=PATH"));
  page = report_page(scratch, {"run", "--set", "dataset.train=moved.txt"});
  CHECK(page.by_id("examples") != nullptr);
  CHECK(page.by_id("remarks") == nullptr);
  scratch.write("points.txt", "1 1:2\n2 1:1\n");
  page = report_page(scratch, {"run"});
  CHECK(contains(section_text(page, "remarks"), "not complete"));
}

TEST_CASE("what is no report is not replaced") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  report_page(scratch, {"run"});
  report_page(scratch, {"run"});  // its own page
  for (const std::string text : {"", "<!DOCTYPE html>\n<html>mine</html>\n", "notes"}) {
    scratch.write("mine.html", text);
    const Outcome outcome = scratch.sculpt({"report", "run", "--output", "mine.html"});
    CHECK(outcome.exit == 73);
    CHECK(contains(outcome.err, "exists and is no report"));
    CHECK(scratch.read("mine.html") == text);
  }
  report_page(scratch, {"run", "--output", "mine.html", "--force"}, "mine.html");
  scratch.write("target.txt", "precious");
  fs::create_symlink("target.txt", scratch / "link.html");
  CHECK(scratch.sculpt({"report", "run", "--output", "link.html", "--force"}).exit == 73);
  CHECK(scratch.read("target.txt") == "precious");
  CHECK(scratch.sculpt({"report", "run", "--output", "run"}).exit == 73);
  CHECK(scratch.sculpt({"report", "run", "--output", "missing/page.html"}).exit == 73);
  CHECK_FALSE(fs::exists(scratch / "mine.html.partial"));
}

TEST_CASE("report refuses what is no run") {
  const Scratch scratch;
  scratch.write("file.txt", "text");
  fs::create_directory(scratch / "empty");
  for (const std::string word : {"missing", "empty", "file.txt"}) {
    const Outcome outcome = scratch.sculpt({"report", word});
    CHECK(outcome.exit == 66);
    CHECK(contains(outcome.err, word + ": is not a run folder"));
  }
  CHECK(scratch.sculpt({"report"}).exit == 64);
  CHECK(contains(scratch.sculpt({"report"}).err, "sculpt report needs RUN"));
  fs::create_directory(scratch / "sweep");
  scratch.write("sweep/plan.json", "{\"points\": 3}");
  CHECK(scratch.sculpt({"report", "sweep"}).exit == exit_data);
  write_small_experiment(scratch);
  train_small(scratch, {});
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--examples", "-1"}, std::vector<std::string>{"--weights", "5000"},
        std::vector<std::string>{"--seconds", "-1"}, std::vector<std::string>{"--output", ""},
        std::vector<std::string>{"--exmaples", "3"}}) {
    std::vector<std::string> all = {"report", "run"};
    all.insert(all.end(), words.begin(), words.end());
    CHECK(scratch.sculpt(all).exit == 64);
  }
}
