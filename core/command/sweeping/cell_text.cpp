#include "command/sweeping/cell_text.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// "003.fold1 (solver.C=1, fold 1)"
std::string cell_text(const Grid& grid, const HoldOutOptions& hold_out_options, const Cell& cell) {
  const std::string fold = hold_out_options.folds > 0 ? ", fold " + std::to_string(cell.fold) : "";
  const std::string settings = joined(grid.settings(cell.point), ", ") + fold;
  return cell.name + (settings.empty() ? "" : " (" + settings + ")");
}

}  // namespace

std::string record_text(const CellRecord& record) {
  if (!record.has_model()) {
    return "failed (" + std::to_string(record.exit_code) + "): " + record.reason;
  }
  const Json& event = record.finished;
  const Json gap = event.value("relative_gap", Json());
  const bool has_target =
      event.value("dual", Json()).is_number() || event.value("residual", Json()).is_number();
  const bool misses_target = has_target && record.exit_code != static_cast<int>(Exit::reached);
  return event.value("stopped_by", "") + " after " + count_text(event.value("passes", 0), "pass") +
         ", relative gap " + (gap.is_number() ? number_text(gap.get<double>(), 2) : "-") +
         (event.value("certified", false) ? "" : ", not certified") +
         (misses_target ? ", target missed" : "") + ", " +
         number_text(event.value("seconds", 0.0), 3) + " s";
}

void print_cell(const SweepRequest& request, const Cell& cell, const CellRecord& record,
                const std::string& suffix, Console& console) {
  const std::string text =
      cell_text(request.grid, request.hold_out_options, cell) + ": " + record_text(record) + suffix;
  if (record.has_model()) {
    console.print_line(text);
  } else {
    console.warn(text);
  }
}

}  // namespace sculpt::core
