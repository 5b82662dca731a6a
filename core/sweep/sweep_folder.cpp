#include "sweep/sweep_folder.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "failure.hpp"
#include "run/durable_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* plan_name = "plan.json";

Json earlier_plan(const fs::path& path) {
  std::ifstream file(path / plan_name, std::ios::binary);
  const Json plan = Json::parse(file, nullptr, false);
  return plan.is_object() ? plan : Json(nullptr);
}

// But for what a sweep leaves that was killed while it wrote its plan.
bool holds_anything(const fs::path& path) {
  const fs::directory_iterator entries(path);
  return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.path().filename() != std::string(plan_name) + ".partial";
  });
}

void remove_sweep(const fs::path& path) {
  for (const char* name : {"sweep.json", "sweep.csv", "sweep.md", "best", "cells"}) {
    std::error_code problem;
    fs::remove_all(path / name, problem);
    if (problem) {
      throw Failure(Exit::output,
                    (path / name).string() + ": cannot be removed: " + problem.message());
    }
  }
}

}  // namespace

SweepFolder::SweepFolder(fs::path path, RunFolder::Existing existing, PlanRecord& plan)
    : path_(std::move(path)) {
  std::error_code problem;
  fs::create_directories(path_, problem);
  if (problem) {
    throw Failure(Exit::output, path_.string() + ": cannot be created: " + problem.message());
  }
  lock_.take(path_);
  const Json then = earlier_plan(path_);
  if (then.is_null() && holds_anything(path_)) {
    throw Failure(Exit::output, path_.string() +
                                    ": holds something else than a sweep; choose another folder "
                                    "with --output");
  }
  if (!then.is_null() && existing == RunFolder::Existing::refuse) {
    throw Failure(Exit::output, path_.string() +
                                    ": holds a sweep; give --resume to go on with it, --force to "
                                    "replace it, or another folder with --output");
  }
  if (!then.is_null() && existing == RunFolder::Existing::resume) {
    plan.go_on_with(then, (path_ / plan_name).string());
  }
  if (existing == RunFolder::Existing::replace) remove_sweep(path_);
  write(plan_name, plan.json().dump(2) + "\n");
  fs::create_directories(cells(), problem);
  if (problem) {
    throw Failure(Exit::output, cells().string() + ": cannot be created: " + problem.message());
  }
}

void SweepFolder::write(const std::string& name, const std::string& text) const {
  write_durably(path_ / name, std::array{std::string_view(text)});
}

}  // namespace sculpt::core
