// arguments.hpp - reads arguments that several functions of the C API have.
#pragma once

#include <sculpt/host/lent_rows.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment/lent_splits.hpp"

namespace sculpt::core {

// Each throws Failure(Exit::usage) for a wrong argument of `function`.

// 0: all processors.
int threads_of(const char* function, std::int32_t threads);
// The texts of an array of strings. `argument`: its name.
std::vector<std::string> texts_of(const char* const* texts, std::int64_t count,
                                  const char* function, const char* argument);
// plugin_path and its count, absolute.
std::vector<std::filesystem::path> plugin_path_of(const char* function, const char* const* folders,
                                                  std::int64_t count);
// Arrays that the caller lends. They are borrowed.
LentSplits lent_of(const char* function, const sculpt_lent_rows* lent, std::int64_t count);

}  // namespace sculpt::core
