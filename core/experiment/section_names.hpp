// section_names.hpp - the sections of an experiment, and the splits of its dataset.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sculpt::core {

inline constexpr std::array<std::string_view, 5> section_names = {"dataset", "features", "loss",
                                                                  "oracle", "solver"};
inline constexpr std::array<std::string_view, 3> split_names = {"train", "validation", "test"};

inline bool is_section(std::string_view key) {
  return std::find(section_names.begin(), section_names.end(), key) != section_names.end();
}

inline bool is_split(std::string_view key) {
  return std::find(split_names.begin(), split_names.end(), key) != split_names.end();
}

}  // namespace sculpt::core
