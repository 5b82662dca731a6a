// wide_rows.hpp - a small table with a long w. For tests of limits and of the memory estimate.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "command/host_process.hpp"

namespace sculpt::test {

// Writes rows of two classes with random labels. Each row has a column of its own, so w is long.
inline void write_wide_rows(const Scratch& scratch, int columns) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> column(1, 40);
  std::string text;
  for (int row = 0; row < 60; ++row) {
    std::vector<int> on{column(random), column(random), column(random), columns - row};
    std::sort(on.begin(), on.end());
    on.erase(std::unique(on.begin(), on.end()), on.end());
    text += random() % 2 == 0 ? "1" : "2";
    for (const int j : on) text += " " + std::to_string(j) + ":1";
    text += "\n";
  }
  scratch.write("wide.svml", text);
  scratch.write("wide.json",
                R"({"dataset": {"use": "svmlight", "train": "wide.svml"}, "features": "multiclass",
                    "loss": "zero_one", "oracle": "enumerate", "threads": 1,
                    "solver": {"use": "one_slack", "C": 1000, "relative_gap": 0}})");
}

}  // namespace sculpt::test
