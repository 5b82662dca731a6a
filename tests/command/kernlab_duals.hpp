// kernlab_duals.hpp - compares runs with the stored duals of kernlab (tests/kernlab).
//
// Used by kernel_peer_test.cpp and kernel_slow_test.cpp.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "command/kernel_runs.hpp"

namespace sculpt::test {

// "rbf:0.5" or "polynomial:0.25:1:3", as dual.R reads it, as the kernel of an experiment.
inline Json kernel_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream words(text);
  for (std::string part; std::getline(words, part, ':');) parts.push_back(part);
  if (parts[0] == "linear") return "linear";
  if (parts[0] == "rbf") return rbf(std::stod(parts.at(1)));
  return {{"use", "polynomial"},
          {"gamma", std::stod(parts.at(1))},
          {"coef0", std::stod(parts.at(2))},
          {"degree", std::stoi(parts.at(3))}};
}

// Trains on each case of duals.json with this data set, up to `gap`. The dual of kernlab is a lower
// bound on P, and at most its tolerance below the optimum. So it lies between ours and P.
// kernlab sums the slacks: C is n times its C.
inline void compare_with_kernlab(const std::string& data, double gap) {
  const Scratch scratch;
  const fs::path folder = fs::path(SCULPT_TEST_SOURCE) / "tests/kernlab";
  std::string train = (folder / "rows.svml").string();
  if (data != "rows") {
    const auto shared = shared_data("multiclass/" + data + ".train.svml");
    if (!shared) return;
    train = *shared;
  }
  int cases = 0;
  for (const Json& one : Json::parse(scratch.read((folder / "duals.json").string()))) {
    if (one["data"] != data) continue;
    CAPTURE(one.dump());
    ++cases;
    Json experiment = multiclass_experiment();
    experiment["dataset"]["train"] = train;
    experiment["features"] = {{"use", "multiclass"}, {"bias", false}};
    experiment["kernel"] = kernel_of(one["kernel"]);
    experiment["solver"]["C"] = one["C"].get<double>() * one["examples"].get<double>();
    experiment["solver"]["relative_gap"] = gap;
    const Json end = trained(scratch, experiment);
    const double dual = one["dual"];
    CHECK(end["certified"] == true);
    CHECK(end["primal"].get<double>() >= dual * (1 - 1e-9));
    CHECK(end["dual"].get<double>() <= dual * (1 + one["tolerance"].get<double>()));
    CHECK(end["dual"].get<double>() >= dual * (1 - gap));
  }
  CHECK(cases > 0);
}

}  // namespace sculpt::test
