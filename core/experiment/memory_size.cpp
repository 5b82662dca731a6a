#include "experiment/memory_size.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace sculpt::core {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 10> units = {{{"", 1},
                                         {"B", 1},
                                         {"kB", 1e3},
                                         {"KB", 1e3},
                                         {"MB", 1e6},
                                         {"GB", 1e9},
                                         {"TB", 1e12},
                                         {"MiB", 1048576.0},
                                         {"GiB", 1073741824.0},
                                         {"TiB", 1099511627776.0}}};
constexpr double most_bytes = 4611686018427387904.0;  // 2^62

}  // namespace

std::optional<std::int64_t> bytes_in(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const Unit& one : units) {
    if (one.name != unit) continue;
    const double bytes = std::floor(number * one.bytes);
    if (!(bytes >= 1 && bytes <= most_bytes)) return std::nullopt;
    return static_cast<std::int64_t>(bytes);
  }
  return std::nullopt;
}

std::int64_t read_memory(const JsonDocument& document) {
  const nlohmann::ordered_json& value = *document.find("/memory");
  const std::optional<std::int64_t> bytes = value.is_string()   ? bytes_in(value.get<std::string>())
                                            : value.is_number() ? bytes_in(value.dump())
                                                                : std::nullopt;
  if (bytes) return *bytes;
  refuse(document.position("/memory"),
         "\"memory\" is " + value.dump() + "; write a size such as \"500MB\" or \"4GB\"");
}

}  // namespace sculpt::core
