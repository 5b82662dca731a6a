// experiment_keys.hpp - the keys of an experiment that belong to no component.
//
// Used by this folder, launch and command. One table for the parser, the messages and the schema.
// The keys of a section are in the table of its component or solver.
#pragma once

#include <sculpt/cpp/parameters.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/infinity.hpp"

namespace sculpt::core {

// Larger than on any machine.
inline constexpr std::int64_t max_threads = 4096;

namespace detail {

constexpr sculpt_parameter key(std::uint32_t type, const char* name, const char* fallback,
                               const char* unit, const char* summary, double upper = infinity) {
  return sculpt::detail::parameter(type, name, fallback, 0, upper, nullptr, unit, summary);
}

}  // namespace detail

// Editors find the schema by this key. The host ignores it, whatever its value.
inline constexpr const char* schema_key = "$schema";

// The top level. A section has type JSON here; it is read by a rule of its own.
inline constexpr std::array<sculpt_parameter, 17> top_level_keys = {
    detail::key(SCULPT_PARAMETER_TEXT, "name", "null", nullptr,
                "name of the run and of its folder; the name of the file if unset"),
    detail::key(SCULPT_PARAMETER_PATH | SCULPT_PARAMETER_LIST, "plugin_path", "[]", nullptr,
                "folders that are searched for plugins first"),
    detail::key(SCULPT_PARAMETER_JSON, "dataset", nullptr, nullptr,
                "the component that reads data, and the paths of the splits"),
    detail::key(SCULPT_PARAMETER_JSON, "features", nullptr, nullptr, "the joint feature map"),
    detail::key(SCULPT_PARAMETER_JSON, "kernel", "null", nullptr,
                "how alike two inputs are, to learn without a dense w"),
    detail::key(SCULPT_PARAMETER_JSON, "loss", nullptr, nullptr, "what a wrong output costs"),
    detail::key(SCULPT_PARAMETER_JSON, "oracle", nullptr, nullptr,
                "finds the best output: an oracle or a map_solver"),
    detail::key(SCULPT_PARAMETER_JSON, "solver", nullptr, nullptr, "trains the weights"),
    detail::key(SCULPT_PARAMETER_INT, "threads", "0", nullptr,
                "number of threads, 0 for all cores; results do not depend on it",
                static_cast<double>(max_threads)),
    detail::key(SCULPT_PARAMETER_INT, "seed", "0", nullptr, "seed of all random numbers"),
    detail::key(SCULPT_PARAMETER_PATH, "output", "null", nullptr,
                "the run folder; runs/NAME in the working directory if unset"),
    detail::key(SCULPT_PARAMETER_REAL, "checkpoint_seconds", "30", "seconds",
                "time between checkpoints; 0: after every pass"),
    detail::key(SCULPT_PARAMETER_JSON, "memory", "null", nullptr,
                "how much memory the run may use, such as \"4GB\"; rows of the data then lie in "
                "files"),
    detail::key(SCULPT_PARAMETER_TEXT, "cache", R"("none")", nullptr,
                "a file with the data that later runs map instead of reading text: none, auto "
                "(beside the data if possible), or the folder of that file"),
    detail::key(SCULPT_PARAMETER_JSON, "hold_out", "null", nullptr,
                "examples of the split \"train\" that are measured instead of learned from"),
    detail::key(SCULPT_PARAMETER_JSON, "predict_with", "[]", nullptr,
                "further oracles to measure the trained model with, each as under \"oracle\""),
    detail::key(SCULPT_PARAMETER_JSON, "audit_with", "null", nullptr,
                "an oracle that finds the true primal of the trained model, usually an exact one"),
};

// The keys of hold_out.
inline constexpr std::array<sculpt_parameter, 5> hold_out_keys = {
    sculpt::integer("folds", "null", 2, 1e6, "number of parts that the examples are divided into"),
    detail::key(SCULPT_PARAMETER_INT, "fold", "null", nullptr,
                "the part that is held out, counted from 0"),
    sculpt::real("fraction", "null", 1e-6, 1,
                 "instead of folds: the fraction of the examples that is held out"),
    detail::key(SCULPT_PARAMETER_INT, "seed", "0", nullptr,
                "seed of the random order of the examples"),
    detail::key(SCULPT_PARAMETER_PATH, "groups", "null", nullptr,
                "a file with one line for each example; the same word means the same part"),
};

// The splits of a dataset: each is a path, {"text": inline data}, {"arrays": inline arrays}, or
// {"memory": name of arrays that a program lends}.
inline constexpr std::array<sculpt_parameter, 3> split_keys = {
    detail::key(SCULPT_PARAMETER_JSON, "train", nullptr, nullptr,
                "the examples that the weights are learned from"),
    detail::key(SCULPT_PARAMETER_JSON, "validation", "null", nullptr,
                "examples to choose settings by; measured after training"),
    detail::key(SCULPT_PARAMETER_JSON, "test", "null", nullptr,
                "examples that are measured after training"),
};

// {"use": "combine", "members": [...]} under "oracle" asks all members and keeps the best answer.
// It belongs to no library. A list without "combine" escalates.
inline constexpr const char* combine = "combine";
inline constexpr const char* combine_summary =
    "asks several oracles and takes the best answer; a list of oracles asks the next one only if "
    "those before it find no useful plane";
inline constexpr std::array<sculpt_parameter, 1> combine_keys = {
    detail::key(SCULPT_PARAMETER_JSON, "members", R"(["greedy", "belief_propagation"])", nullptr,
                "at least two oracles, each as under \"oracle\""),
};

// The keys of the top level that contain a component.
inline constexpr std::array<std::string_view, 6> section_names = {"dataset", "features", "kernel",
                                                                  "loss",    "oracle",   "solver"};

inline bool is_section(std::string_view key) {
  return std::find(section_names.begin(), section_names.end(), key) != section_names.end();
}

inline bool is_split(std::string_view key) {
  return std::any_of(split_keys.begin(), split_keys.end(),
                     [key](const sculpt_parameter& split) { return key == split.name; });
}

}  // namespace sculpt::core
