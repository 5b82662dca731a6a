#include "check/system/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace sculpt::core {

void limit_memory(std::uint64_t more) {
  // In pages: size, resident, shared, text, library, data and stack.
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int field = 0; field < 6; ++field) {
    if (!(statm >> pages)) return;
  }
  const std::uint64_t taken = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t most_without_sanitizer = std::uint64_t{1} << 40;
  rlimit limit = {};
  if (taken > most_without_sanitizer || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, taken + more);
  ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace sculpt::core
