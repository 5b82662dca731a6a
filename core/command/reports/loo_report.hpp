// loo_report.hpp - prints the results of loo, as text or as JSON.
//
// Called by loo.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/text/text_out.hpp"
#include "leave_one_out/leave_one_out.hpp"

namespace sculpt::core {

struct LooReport {
  const std::string& run;  // its name
  const LeaveOneOutResult& result;
  const Evaluation& evaluation;  // of the outputs
};

// The metrics as evaluate prints them, then how many outputs came from where.
void print_loo_report(TextOut& out, const LooReport& report);

// The JSON object of loo --json: the metrics as evaluate --json prints them, then "name", "unused",
// "ball", "retrained", "retrained_fraction", "certain", "missed_target", "passes", "oracle_calls",
// "seconds" and, for binary problems, "xi_alpha_bound".
nlohmann::ordered_json loo_report_json(const LooReport& report);

// One line for each example: its number in the dataset, what gave the output, "yes" or "no": if it
// is certain, its loss ("-" without an output). A first line with "#" names the columns.
void print_loo_list(TextOut& out, Problem& problem, const LeaveOneOutResult& result);

}  // namespace sculpt::core
