// What a reader must know of the runs: their own warnings, damaged lines, what could not be loaded.

#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> remarks_of(const ReportInput& input) {
  std::vector<std::string> remarks;
  const bool is_alone = input.runs.size() == 1;
  for (std::size_t k = 0; k < input.runs.size(); ++k) {
    const RunRecord& run = input.runs[k];
    const std::string prefix = is_alone ? "" : run.label + ": ";
    const Json warnings = run.started.is_object() ? run.started.value("warnings", Json()) : Json();
    if (warnings.is_array()) {
      for (const Json& warning : warnings) {
        if (warning.is_string()) remarks.push_back(prefix + warning.get<std::string>());
      }
    }
    if (run.resumed_count > 0) {
      remarks.push_back(prefix + "the run was resumed " + std::to_string(run.resumed_count) +
                        (run.resumed_count == 1 ? " time" : " times"));
    }
    for (const std::string& fault : run.faults) remarks.push_back(prefix + fault);
    if (k >= input.contents.size()) continue;
    for (const std::string& remark : input.contents[k].remarks) remarks.push_back(prefix + remark);
  }
  for (const SweepRecord& sweep : input.sweeps) {
    remarks.insert(remarks.end(), sweep.faults.begin(), sweep.faults.end());
  }
  return remarks;
}

}  // namespace

void write_remarks(Markup& out, const ReportInput& input) {
  const std::vector<std::string> remarks = remarks_of(input);
  if (remarks.empty()) return;
  out << "<section id=\"remarks\"><h2>Remarks</h2>\n<ul>";
  for (const std::string& remark : remarks) out << "<li>" << remark << "</li>\n";
  out << "</ul></section>\n";
}

}  // namespace sculpt::core
