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
constexpr std::int64_t unit = 1024;  // /proc counts in KiB

// The number after this word at the beginning of a line.
std::optional<std::int64_t> entry(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  for (std::int64_t value = 0; file >> word;) {
    if (word == name && file >> value) return value;
    file.ignore(unlimited, '\n');
  }
  return std::nullopt;
}

// The number in a file with nothing else; none for "max".
std::optional<std::int64_t> number(const fs::path& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// Cached file pages count as free: the kernel gives them back if memory runs short.
std::int64_t left_in(const fs::path& group) {
  const auto limit = number(group / "memory.max");
  const auto used = number(group / "memory.current");
  if (!limit || !used) return unlimited;
  const std::int64_t cached = entry(group / "memory.stat", "inactive_file").value_or(0);
  return std::max<std::int64_t>(0, *limit - *used + cached);
}

// The memory left in this group of cgroup v2 and in its parents.
std::int64_t left_in_groups() {
  const fs::path root = "/sys/fs/cgroup";
  std::ifstream file("/proc/self/cgroup");
  std::int64_t left = unlimited;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::/")) continue;
    for (fs::path group = line.substr(4);; group = group.parent_path()) {
      left = std::min(left, left_in(root / group));
      if (group.empty()) break;
    }
  }
  return std::min(left, left_in(root));
}

}  // namespace

std::int64_t free_memory_for_new_processes() {
  const auto available = entry("/proc/meminfo", "MemAvailable:");
  return std::min(available ? *available * unit : unlimited, left_in_groups());
}

AddressSpace address_space() {
  rlimit limit = {};
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const std::int64_t taken = entry("/proc/self/status", "VmSize:").value_or(0) * unit;
  return {limited ? static_cast<std::int64_t>(limit.rlim_cur) : unlimited, taken};
}

std::int64_t free_memory_for_this_process() {
  const AddressSpace space = address_space();
  const std::int64_t swap = entry("/proc/meminfo", "SwapFree:").value_or(0) * unit;
  const auto available = entry("/proc/meminfo", "MemAvailable:");
  const std::int64_t machine = available ? *available * unit + swap : unlimited;
  return std::min(
      {machine, left_in_groups(), std::max<std::int64_t>(0, space.limit - space.taken)});
}

}  // namespace sculpt::core
