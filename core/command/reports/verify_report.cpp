#include "command/reports/verify_report.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text/message_text.hpp"
#include "launch/run_events.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t bound_name_width = 16;
constexpr std::size_t bound_width = 22;
constexpr int digits = 9;

// One row of the table: the value of the run and the recomputed value; not finite if there is none.
struct Row {
  const char* name;
  const char* key;
  double reported;
  double recomputed;
  bool follows_primal;  // its bound kind is that of the primal
  double difference() const { return recomputed - reported; }
};

std::vector<Row> rows_of(const ReportedCertificate& reported, const VerificationResult& result) {
  const double dual = result.dual ? result.dual->value : std::numeric_limits<double>::quiet_NaN();
  std::vector<Row> rows = {
      {"primal", "primal", reported.primal, result.primal, true},
      {"dual", "dual", reported.dual, dual, false},
      {"gap", "gap", reported.gap, result.gap(), true},
      {"relative gap", "relative_gap", reported.relative_gap, result.relative_gap(), true}};
  if (result.residual) {
    rows.push_back(
        {"residual", "residual", reported.residual.value_or(infinity), *result.residual, false});
  }
  return rows;
}

std::string value_text(BoundKind kind, double value) {
  return (std::isfinite(value) ? bound_prefix(kind) : "") + number_text(value, digits);
}

// ": gap 0.0974 %", with the target if the gap is above it.
std::string gap_text(const ReportedCertificate& reported, const VerificationResult& result) {
  std::string gap = ": gap " + percent_text(result.relative_gap());
  if (result.reaches_target(reported)) return gap;
  return gap + ", the target of " + percent_text(reported.target) + " was not reached";
}

// One line of the table, without its end.
std::string table_line(const std::string& name, const std::string& reported,
                       const std::string& recomputed, const std::string& difference) {
  return "  " + padded(name, bound_name_width) + padded(reported, bound_width) +
         padded(recomputed, bound_width) + difference;
}

// The first line of the report.
std::string verdict_of(const ReportedCertificate& reported, const VerificationResult& result) {
  if (!result.contradictions.empty()) return "not verified";
  if (result.residual && std::isfinite(reported.primal)) {
    return "verified: residual " + number_text(*result.residual) + " of ||b||" +
           (result.reaches_target(reported)
                ? ""
                : ", the target of " + number_text(reported.target) + " was not reached");
  }
  if (std::isnan(reported.dual)) {
    if (!std::isfinite(reported.primal)) return "the run reported nothing that could be verified";
    return result.is_bounded ? "primal verified; the solver proves no dual"
                             : "agrees as a lower bound; the solver proves no dual";
  }
  if (!result.dual) return "primal verified, dual not";
  if (result.certified && !reported.certified) {
    const bool reaches = result.reaches_target(reported);
    return (reaches ? "agrees, certified by new answers" : "agrees; proved by new answers") +
           gap_text(reported, result);
  }
  if (result.certified) return "verified" + gap_text(reported, result);
  return reported.certified ? "verified, not certified" : "agrees, not certified";
}

}  // namespace

void print_verify_report(TextOut& out, const std::string& run, const ReportedCertificate& reported,
                         const VerificationResult& result) {
  out << run << ": " << verdict_of(reported, result) << "\n";
  out << table_line("", "reported", "recomputed", "difference") << "\n";
  for (const Row& row : rows_of(reported, result)) {
    const BoundKind reported_kind = row.follows_primal ? reported.primal_kind : BoundKind::exact;
    const BoundKind recomputed_kind = row.follows_primal ? result.primal_kind : BoundKind::exact;
    // A reported lower bound has no difference: it would only show what is known in addition.
    const bool is_lower_bound = reported_kind == BoundKind::lower && std::isfinite(row.reported);
    out << table_line(row.name, value_text(reported_kind, row.reported),
                      value_text(recomputed_kind, row.recomputed),
                      is_lower_bound ? std::string() : number_text(row.difference()))
        << "\n";
  }
  if (result.relaxed) {
    out.row("objective", "relaxed: an upper bound of the primal over outputs");
  }
  const auto yes_or_no = [](bool certified) { return certified ? "yes" : "no"; };
  const char* const claim = result.residual ? "target reached" : "certified";
  const bool is_claimed = reported.reached && (result.residual || reported.certified);
  out << table_line(claim, yes_or_no(is_claimed), yes_or_no(result.reaches_target(reported)), "")
      << "\n";
  if (result.dual && result.has_planes) {
    out.row("planes", std::to_string(result.dual->planes) + ", " +
                          std::to_string(result.dual->active_planes) + " with alpha; " +
                          std::to_string(result.comparison_count) +
                          " comparisons with new answers, " +
                          count_text(result.repeated_output_count, "repeated output"));
  }
  out.row("oracle calls", std::to_string(result.oracle_calls) + " at " +
                              std::to_string(result.point_count) +
                              (result.point_count == 1 ? " w" : " different w"));
  for (const std::string& sentence : result.contradictions) {
    out.row("refuted", sentence);
  }
  for (const std::string& sentence : result.notes) {
    out.row("note", sentence);
  }
}

Json verify_report_json(const std::string& run, const ReportedCertificate& reported,
                        const VerificationResult& result) {
  Json json = {
      {"name", run},
      {"verified", result.contradictions.empty() && (result.dual.has_value() || result.residual)},
      {"certified", result.reaches_target(reported)},
      {"gap_proved", result.certified},
      {"target", number_json(reported.target)},
      {"objective", result.relaxed ? "relaxed" : "standard"}};
  for (const Row& row : rows_of(reported, result)) {
    json[row.key] = {{"reported", number_json(row.reported)},
                     {"recomputed", number_json(row.recomputed)},
                     {"difference", number_json(row.difference())}};
  }
  json["planes"] = nullptr;
  if (result.dual && result.has_planes) {
    json["planes"] = {{"count", result.dual->planes},
                      {"active", result.dual->active_planes},
                      {"comparisons", result.comparison_count},
                      {"found_again", result.repeated_output_count}};
  }
  json["oracle_calls"] = result.oracle_calls;
  json["refuted"] = result.contradictions;
  json["notes"] = result.notes;
  return json;
}

}  // namespace sculpt::core
