// check_options.hpp - what `sculpt check` was asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

struct CheckLevel {
  int level = 2;  // 1 .. 3
  // The value for this level.
  template <class Value>
  Value of(Value first, Value second, Value third) const {
    return level == 1 ? first : level == 2 ? second : third;
  }
};

struct CheckOptions {
  CheckLevel level;
  std::vector<std::string> only;  // tests ("oracle.exact") and groups ("oracle"); none: all
  std::uint64_t seed = 1;
  double time_limit = 30;              // seconds a test
  std::vector<std::int64_t> examples;  // to ask about; empty: some are chosen
  std::filesystem::path library;       // that is asked about; empty: an experiment is

  bool wants(std::string_view test) const {
    return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& name) {
             return test == name || test.starts_with(name + ".");
           });
  }
};

}  // namespace sculpt::core
