#include "base/memory/process_memory.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace sculpt::core {

// Does not use getrusage(): its maximum includes the process before exec.
ProcessMemory process_memory(const std::string& process) {
  constexpr std::int64_t kilobyte = 1024;
  ProcessMemory memory;
  std::ifstream status("/proc/" + process + "/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string key;
    std::int64_t value = 0;
    words >> key >> value;
    if (key == "VmRSS:") memory.resident = value * kilobyte;
    if (key == "VmHWM:") memory.peak = value * kilobyte;
    if (key == "RssAnon:") memory.anonymous = value * kilobyte;
  }
  return memory;
}

std::string memory_text(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f MB", bytes < 10'000'000 ? 1 : 0,
                static_cast<double>(bytes) / 1e6);
  return text;
}

}  // namespace sculpt::core
