#include "sweep/runs/cell_end.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/stored_json.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

void write_cell_end(const std::filesystem::path& path, const CellEnd& end) {
  Json json = Json::object();
  if (end.exit_code) json["exit"] = *end.exit_code;
  if (end.peak_bytes > 0) json["peak_bytes"] = end.peak_bytes;
  const std::string text = json.dump() + "\n";
  write_durably(path, std::array{std::string_view(text)});
}

}  // namespace

CellEnd read_cell_end(const std::filesystem::path& path) {
  constexpr int max_exit_code = 255;
  const Json json = read_stored_object(path, Exit::missing);
  CellEnd end;
  if (!json.is_object()) return end;
  const Json code = json.value("exit", Json());
  if (code.is_number_unsigned() && code.get<std::uint64_t>() <= max_exit_code) {
    end.exit_code = code.get<int>();
  }
  const Json bytes = json.value("peak_bytes", Json());
  if (bytes.is_number_integer()) end.peak_bytes = bytes.get<std::int64_t>();
  return end;
}

void store_end(const std::filesystem::path& path, const CellRecord& record,
               const ProcessExit& process, bool is_stopped) {
  if (is_stopped && !record.has_model()) return;
  CellEnd end;
  end.peak_bytes = read_cell_end(path).peak_bytes;
  if (!is_stopped) end.exit_code = process.exit_code;
  if (record.has_model()) end.peak_bytes = std::max(end.peak_bytes, process.peak_bytes);
  write_cell_end(path, end);
}

void forget_cell_end(const std::filesystem::path& path) {
  CellEnd end = read_cell_end(path);
  if (!end.exit_code) return;
  end.exit_code.reset();
  write_cell_end(path, end);
}

}  // namespace sculpt::core
