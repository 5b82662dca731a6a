#include "run/process_memory.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace sculpt::core {

// Not getrusage(): its maximum goes on from what the process was before exec.
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
  }
  return memory;
}

}  // namespace sculpt::core
