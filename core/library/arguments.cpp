#include "library/arguments.hpp"

#include <algorithm>
#include <thread>

#include "experiment/experiment_keys.hpp"
#include "library/guarded_call.hpp"

namespace sculpt::core {

int threads_of(const char* function, std::int32_t threads) {
  if (threads < 0 || threads > max_threads) {
    throw Failure(Exit::usage, std::string(function) + ": threads is " + std::to_string(threads) +
                                   "; it must be from 0 (all cores) to " +
                                   std::to_string(max_threads));
  }
  if (threads > 0) return threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::vector<std::string> texts_of(const char* const* texts, std::int64_t count,
                                  const char* function, const char* argument) {
  std::vector<std::string> copies;
  if (count < 0) {
    throw Failure(Exit::usage, std::string(function) + ": the number of " + argument + " is " +
                                   std::to_string(count) + ", which is below 0");
  }
  if (count > 0) require_pointer(texts, function, argument);
  for (std::int64_t k = 0; k < count; ++k) {
    require_pointer(texts[k], function, (argument + ("[" + std::to_string(k) + "]")).c_str());
    copies.emplace_back(texts[k]);
  }
  return copies;
}

std::vector<std::filesystem::path> plugin_path_of(const char* function, const char* const* folders,
                                                  std::int64_t count) {
  std::vector<std::filesystem::path> path;
  for (const std::string& folder : texts_of(folders, count, function, "plugin_path")) {
    path.push_back(std::filesystem::absolute(folder));
  }
  return path;
}

LentSplits lent_of(const char* function, const sculpt_lent_rows* lent, std::int64_t count) {
  LentSplits splits;
  if (count < 0) throw Failure(Exit::usage, std::string(function) + ": lent_count is below 0");
  if (count > 0) require_pointer(lent, function, "lent");
  for (std::int64_t k = 0; k < count; ++k) {
    require_pointer(lent[k].name, function, "the name of lent rows");
    require_pointer(lent[k].rows, function, "lent rows");
    splits.add(std::make_shared<MemoryRows>(lent[k].name, *lent[k].rows));
  }
  return splits;
}

}  // namespace sculpt::core
