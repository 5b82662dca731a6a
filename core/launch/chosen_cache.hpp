// chosen_cache.hpp - the cache of the data that an experiment asks for.
//
// Called by train.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "launch/assembly.hpp"
#include "problem/cache/data_cache.hpp"

namespace sculpt::core {

// nullptr: the experiment asks for none, or none is possible; then `warn` is called with the
// reason. `dataset`: of the ProblemSpec. `run_folder`: it need not exist yet. Throws
// Failure(Exit::config) if the folder that the experiment names does not exist.
std::unique_ptr<DataCache> chosen_cache(const Assembly& assembly, const ComponentSpec& dataset,
                                        const std::filesystem::path& run_folder,
                                        const std::function<void(const std::string&)>& warn);

}  // namespace sculpt::core
