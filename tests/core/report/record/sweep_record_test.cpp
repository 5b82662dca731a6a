// What is read of the folder of a sweep, ended or not.

#include "report/record/sweep_record.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "base/failure.hpp"
#include "core/scratch_folder.hpp"

using namespace sculpt::core;
using sculpt::core::test::ScratchFolder;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

void write_cell(const ScratchFolder& scratch, const std::string& name, const std::string& loss) {
  write(scratch.path() / "cells" / name / "events.jsonl",
        "{\"event\":\"finished\",\"validation\":{\"loss\":" + loss + "}}\n");
}

}  // namespace

TEST_CASE("a sweep with folds: means and standard errors, and cells that are missing") {
  const ScratchFolder scratch;
  write(scratch.path() / "plan.json", R"({"holding": "--folds 3", "points": [
    {"name": "000", "settings": ["solver.C=1", "oracle.use=lp"], "identity": {"name": "toy"}},
    {"name": "001", "settings": ["solver.C=a=b", "oracle.use=lp"]}]})");
  write_cell(scratch, "000.fold0", "1");
  write_cell(scratch, "000.fold1", "2");
  write_cell(scratch, "000.fold2", "6");
  write_cell(scratch, "001.fold0", "null");
  write(scratch.path() / "cells" / "001.fold1" / "events.jsonl", "{\"event\":\"started\"}\n");
  write(scratch.path() / "cells" / "0010" / "events.jsonl", "{\"event\":\"finished\"}\n");
  const SweepRecord sweep = read_sweep_record(scratch.path());
  CHECK(sweep.name == "toy");
  CHECK(sweep.has_folds);
  CHECK(sweep.keys == std::vector<std::string>{"solver.C", "oracle.use"});
  REQUIRE(sweep.points.size() == 2);
  CHECK(sweep.points[1].values == std::vector<std::string>{"a=b", "lp"});
  REQUIRE(sweep.points[0].cells.size() == 3);
  CHECK(sweep.points[0].cells[2].fold == 2);
  const SweepValue value = sweep_value(sweep.points[0], "validation", "loss");
  CHECK(value.mean == doctest::Approx(3));
  // Squared deviations 4 + 1 + 9 = 14; s^2 = 7; sqrt(7 / 3).
  CHECK(value.standard_error == doctest::Approx(std::sqrt(7.0 / 3)));
  CHECK(value.folds == std::vector<double>{1, 2, 6});
  CHECK(std::isnan(sweep_value(sweep.points[1], "validation", "loss").mean));
  CHECK(sweep.points[1].cells.size() == 2);
}

TEST_CASE("a damaged plan is refused") {
  const ScratchFolder scratch;
  for (const char* plan : {"{", "[]", "{}", R"({"holding": 3, "points": []})",
                           R"({"holding": "", "points": [{"name": "000"}]})",
                           R"({"holding": "", "points": [{"name": 1, "settings": []}]})",
                           R"({"holding": "", "points": [{"name": "000", "settings": [1]}]})"}) {
    write(scratch.path() / "plan.json", plan);
    CAPTURE(plan);
    CHECK_THROWS_AS(read_sweep_record(scratch.path()), Failure);
  }
}
