#include "base/memory/free_memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kibibyte = 1024;  // the unit of /proc

// The number after this word at the beginning of a line. None if there is no such line.
std::optional<std::int64_t> number_after(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  for (std::int64_t value = 0; file >> word;) {
    if (word == name && file >> value) return value;
    file.ignore(unlimited, '\n');
  }
  return std::nullopt;
}

// The number in a file with nothing else; none for "max".
std::optional<std::int64_t> only_number(const fs::path& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// Cached file pages count as free: the kernel gives them back if memory runs short.
std::int64_t free_in(const fs::path& group) {
  const auto limit = only_number(group / "memory.max");
  const auto used = only_number(group / "memory.current");
  if (!limit || !used) return unlimited;
  const std::int64_t cached = number_after(group / "memory.stat", "inactive_file").value_or(0);
  return std::max<std::int64_t>(0, *limit - *used + cached);
}

// The memory left in this group of cgroup v2 and in its parents.
std::int64_t free_in_groups() {
  const fs::path root = "/sys/fs/cgroup";
  std::ifstream file("/proc/self/cgroup");
  std::int64_t left = unlimited;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::/")) continue;
    for (fs::path group = line.substr(4);; group = group.parent_path()) {
      left = std::min(left, free_in(root / group));
      if (group.empty()) break;
    }
  }
  return std::min(left, free_in(root));
}

}  // namespace

std::int64_t free_memory_for_new_processes() {
  const auto available = number_after("/proc/meminfo", "MemAvailable:");
  return std::min(available ? *available * kibibyte : unlimited, free_in_groups());
}

AddressSpace address_space() {
  rlimit limit = {};
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const std::int64_t used = number_after("/proc/self/status", "VmSize:").value_or(0) * kibibyte;
  return {limited ? static_cast<std::int64_t>(limit.rlim_cur) : unlimited, used};
}

std::int64_t free_memory_for_this_process() {
  const AddressSpace space = address_space();
  const std::int64_t swap = number_after("/proc/meminfo", "SwapFree:").value_or(0) * kibibyte;
  const auto available = number_after("/proc/meminfo", "MemAvailable:");
  const std::int64_t machine = available ? *available * kibibyte + swap : unlimited;
  return std::min({machine, free_in_groups(), std::max<std::int64_t>(0, space.limit - space.used)});
}

}  // namespace sculpt::core
