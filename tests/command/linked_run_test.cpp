// Links, pipes and folders in place of the files of a run. A run must not follow them: what they
// lead to lies outside of its folder.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <functional>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

using Words = std::vector<std::string>;

// What stands in place of an entry. It makes the entry at `path`; `victim` is the file or folder
// that must not change.
struct Place {
  std::string name;
  std::function<void(const fs::path& path, const fs::path& victim)> put;
};

void link_to_file(const fs::path& path, const fs::path& victim) {
  fs::create_symlink(victim, path);
}
void link_to_nothing(const fs::path& path, const fs::path&) {
  fs::create_symlink("nothing", path);
}
void hard_link(const fs::path& path, const fs::path& victim) {
  fs::create_hard_link(victim, path);
}
void pipe(const fs::path& path, const fs::path&) {
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
}
void folder(const fs::path& path, const fs::path&) {
  fs::create_directory(path);
}

// Puts it in place of `entry`. A file that was there becomes the victim, so that its content is
// valid. Checks that the command is refused with the name of the entry and that the victim stays.
void check_file_refused(const Scratch& scratch, const std::string& entry, const Place& place,
                        const Words& command) {
  CAPTURE(entry);
  CAPTURE(place.name);
  CAPTURE(command.back());
  const fs::path path = scratch / entry;
  const bool was_there = fs::exists(path);
  if (was_there) fs::rename(path, scratch / "victim");
  if (!was_there) scratch.write("victim", "years of work");
  const std::string content = scratch.read("victim");
  place.put(path, scratch / "victim");
  const Outcome outcome = scratch.sculpt_in_time(command);
  INFO(outcome.err);
  CHECK(outcome.exit == 73);
  CHECK(contains(outcome.err, path.string() + ": "));
  CHECK(scratch.read("victim") == content);
  CHECK_FALSE(fs::exists(path.parent_path() / "nothing"));
  fs::remove(path);
  if (was_there) fs::rename(scratch / "victim", path);
}

// The same for a folder, which becomes a link to the folder that was there.
void check_folder_refused(const Scratch& scratch, const std::string& entry, const Words& command) {
  CAPTURE(entry);
  CAPTURE(command.back());
  const fs::path path = scratch / entry;
  const bool was_there = fs::exists(path);
  if (was_there) fs::rename(path, scratch / "victims");
  if (!was_there) fs::create_directory(scratch / "victims");
  const auto count = [&] {
    return std::distance(fs::recursive_directory_iterator(scratch / "victims"), {});
  };
  const auto size = count();
  fs::create_directory_symlink(scratch / "victims", path);
  const Outcome outcome = scratch.sculpt_in_time(command);
  INFO(outcome.err);
  CHECK(outcome.exit == 73);
  CHECK(contains(outcome.err, path.string() + ": is a symbolic link, not a folder"));
  CHECK(count() == size);
  fs::remove(path);
  if (was_there) fs::rename(scratch / "victims", path);
  if (!was_there) fs::remove(scratch / "victims");
}

const std::vector<Place> all_places = {{"a link", link_to_file},
                                       {"a link to nothing", link_to_nothing},
                                       {"a pipe", pipe},
                                       {"a folder", folder}};

const Words ways{"--resume", "--force", "--threads=1"};

}  // namespace

TEST_CASE("train refuses links, pipes and folders in place of the files of a run") {
  const Scratch scratch;
  train_three_passes(scratch);
  for (const std::string& way : ways) {
    const Words command = train_command({}, "run", {way});
    for (const char* entry : {"config.json", "config.json.partial", "events.jsonl", "model.sculpt",
                              "model.sculpt.partial", "checkpoints/last.sculpt",
                              "checkpoints/last.sculpt.partial", "checkpoints/previous.sculpt"}) {
      for (const Place& place : all_places) {
        check_file_refused(scratch, std::string("run/") + entry, place, command);
      }
    }
  }
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);  // the run itself has not changed
}

TEST_CASE("train refuses files with another name if it changes them in place") {
  const Scratch scratch;
  train_three_passes(scratch);
  const Place place{"another name", hard_link};
  for (const char* entry : {"config.json.partial", "events.jsonl", "model.sculpt.partial",
                            "checkpoints/last.sculpt.partial"}) {
    check_file_refused(scratch, std::string("run/") + entry, place,
                       train_command({}, "run", {"--resume"}));
  }
}

TEST_CASE("a run that replaces another leaves the other names of its files alone") {
  const Scratch scratch;
  train_three_passes(scratch);
  fs::create_directory(scratch / "backup");
  for (const char* entry : {"config.json", "events.jsonl", "model.sculpt"}) {
    fs::create_hard_link(scratch / "run" / entry, scratch / "backup" / entry);
  }
  const std::string events = scratch.read("backup/events.jsonl");
  CHECK(train(scratch, {}, "run", {"--force"}) == 0);
  CHECK(scratch.read("backup/events.jsonl") == events);
  CHECK(scratch.read("run/events.jsonl") != events);
}

TEST_CASE("train keeps the other name of a file that it replaces") {
  const Scratch scratch;
  train_three_passes(scratch);
  fs::create_directory(scratch / "backup");
  for (const char* entry : {"config.json", "model.sculpt", "last.sculpt"}) {
    const fs::path in_run = scratch / "run" / entry;
    const fs::path file = fs::exists(in_run) ? in_run : scratch / "run/checkpoints" / entry;
    fs::create_hard_link(file, scratch / "backup" / entry);
  }
  const std::string model = scratch.read("backup/model.sculpt");
  const std::string checkpoint = scratch.read("backup/last.sculpt");
  const std::string config = scratch.read("backup/config.json");
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);
  CHECK(scratch.read("run/model.sculpt") != model);
  CHECK(scratch.read("backup/model.sculpt") == model);
  CHECK(scratch.read("backup/last.sculpt") == checkpoint);
  CHECK(scratch.read("backup/config.json") == config);
}

TEST_CASE("train refuses links to folders in place of the folders of a run") {
  const Scratch scratch;
  train_three_passes(scratch);
  for (const std::string& way : ways) {
    for (const char* entry : {"run/checkpoints", "run/replaced"}) {
      check_folder_refused(scratch, entry, train_command({}, "run", {way}));
    }
  }
  fs::create_directory(scratch / "run/replaced");
  fs::create_directory(scratch / "run/replaced/checkpoints");
  scratch.write("run/replaced/checkpoints/last.sculpt", "an earlier checkpoint");
  check_folder_refused(scratch, "run/replaced/checkpoints", train_command({}, "run", {"--force"}));
  for (const Place& place : all_places) {
    check_file_refused(scratch, "run/replaced/model.sculpt", place,
                       train_command({}, "run", {"--force"}));
  }
}

TEST_CASE("a run folder may be a link to a folder") {
  const Scratch scratch;
  train_three_passes(scratch);
  fs::rename(scratch / "run", scratch / "elsewhere");
  fs::create_directory_symlink("elsewhere", scratch / "run");
  CHECK(train(scratch, {}, "run", {"--resume"}) == 0);
  CHECK(train(scratch, {}, "run", {"--force"}) == 0);
  CHECK(fs::exists(scratch / "elsewhere/model.sculpt"));
  CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
}

TEST_CASE("commands that read a run do not wait for a pipe in its folder") {
  const Scratch scratch;
  train_three_passes(scratch);
  for (const char* entry : {"config.json", "events.jsonl", "model.sculpt"}) {
    CAPTURE(entry);
    const fs::path path = scratch / "run" / entry;
    fs::rename(path, scratch / "kept");
    pipe(path, {});
    const Outcome verified = scratch.sculpt_in_time({"verify", "run"});
    INFO(verified.err);
    CHECK(verified.exit == 66);
    CHECK(contains(verified.err, entry + std::string(": is not a regular file")));
    fs::remove(path);
    fs::rename(scratch / "kept", path);
  }
  fs::rename(scratch / "run/config.json", scratch / "kept");
  pipe(scratch / "run/config.json", {});
  CHECK(scratch.sculpt_in_time({"check", "run"}).exit == 66);
}

TEST_CASE("sweep refuses links, pipes and folders in place of its files") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Words two{"--set", "solver.C=1,2", "--set", "solver.max_passes=1"};
  REQUIRE(scratch.sculpt(sweep_command("sweep", two)).exit == 3);
  for (const std::string& way : ways) {
    Words more = two;
    more.push_back(way);
    const Words command = sweep_command("sweep", more);
    for (const char* entry :
         {"plan.json", "plan.json.partial", "sweep.json", "sweep.csv", "sweep.md",
          "sweep.json.partial", "sweep.csv.partial", "sweep.md.partial"}) {
      for (const Place& place : all_places) {
        check_file_refused(scratch, std::string("sweep/") + entry, place, command);
      }
    }
    for (const char* entry : {"cells/000.log", "cells/000.json", "cells/000.json.partial"}) {
      for (const Place& place : all_places) {
        if (place.name == "a folder") continue;  // as a cell of that name
        check_file_refused(scratch, std::string("sweep/") + entry, place, command);
      }
    }
    check_file_refused(scratch, "sweep/cells/001.log", {"another name", hard_link}, command);
    for (const char* entry : {"cells", "best", "replaced"}) {
      check_folder_refused(scratch, std::string("sweep/") + entry, command);
    }
  }
}

TEST_CASE("sweep refuses a link to a folder in place of a cell") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Words two{"--set", "solver.C=1,2", "--set", "solver.max_passes=1"};
  REQUIRE(scratch.sculpt(sweep_command("sweep", two)).exit == 3);
  fs::rename(scratch / "sweep/cells/000", scratch / "elsewhere");
  fs::create_directory_symlink(scratch / "elsewhere", scratch / "sweep/cells/000");
  Words more = two;
  more.emplace_back("--resume");
  const Outcome outcome = scratch.sculpt(sweep_command("sweep", more));
  INFO(outcome.err);
  CHECK(outcome.exit == 73);
  CHECK(contains(outcome.err, "cells/000: is a symbolic link"));
}
