#include "command/reports/verify_report.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>

#include "base/text/message_text.hpp"
#include "launch/run_events.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t name_width = 16;
constexpr std::size_t number_width = 22;
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

std::array<Row, 4> rows_of(const ReportedCertificate& reported,
                           const VerificationResult& verified) {
  const double dual =
      verified.dual ? verified.dual->value : std::numeric_limits<double>::quiet_NaN();
  return {{{"primal", "primal", reported.primal, verified.primal, true},
           {"dual", "dual", reported.dual, dual, false},
           {"gap", "gap", reported.gap, verified.gap(), true},
           {"relative gap", "relative_gap", reported.relative_gap, verified.relative_gap(), true}}};
}

std::string value_text(BoundKind known, double value) {
  return (std::isfinite(value) ? bound_prefix(known) : "") + number_text(value, digits);
}

// ": gap 0.0974 %", with the target if the gap is above it.
std::string gap_text(const ReportedCertificate& reported, const VerificationResult& verified) {
  std::string gap = ": gap " + percent_text(verified.relative_gap());
  if (verified.reaches_target(reported)) return gap;
  return gap + ", the target of " + percent_text(reported.target) + " was not reached";
}

std::string line(const std::string& name, const std::string& reported,
                 const std::string& recomputed, const std::string& difference) {
  return "  " + padded(name, name_width) + padded(reported, number_width) +
         padded(recomputed, number_width) + difference + "\n";
}

std::string verdict_of(const ReportedCertificate& reported, const VerificationResult& verified) {
  if (!verified.refuted.empty()) return "not verified";
  if (std::isnan(reported.dual)) {
    if (!std::isfinite(reported.primal)) return "the run reported nothing that could be verified";
    return verified.bounded ? "primal verified; the solver proves no dual"
                            : "agrees, from below; the solver proves no dual";
  }
  if (!verified.dual) return "primal verified, dual not";
  if (verified.certified && !reported.certified) {
    const bool reaches = verified.reaches_target(reported);
    return (reaches ? "agrees, certified by fresh answers" : "agrees; by fresh answers") +
           gap_text(reported, verified);
  }
  if (verified.certified) return "verified" + gap_text(reported, verified);
  return reported.certified ? "verified, not certified" : "agrees, not certified";
}

}  // namespace

void print_verified(std::ostream& out, const std::string& run, const ReportedCertificate& reported,
                    const VerificationResult& verified) {
  out << run << ": " << verdict_of(reported, verified) << "\n";
  out << line("", "reported", "recomputed", "difference");
  for (const Row& row : rows_of(reported, verified)) {
    const BoundKind known = row.follows_primal ? reported.known : BoundKind::exact;
    const BoundKind now = row.follows_primal ? verified.known : BoundKind::exact;
    // A reported lower bound has no difference: it would only show what is known in addition.
    const bool from_below = known == BoundKind::lower && std::isfinite(row.reported);
    out << line(row.name, value_text(known, row.reported), value_text(now, row.recomputed),
                from_below ? std::string() : number_text(row.difference()));
  }
  if (verified.relaxed) {
    out << summary_line("objective", "relaxed: no less than the primal of outputs");
  }
  const auto word = [](bool certified) { return certified ? "yes" : "no"; };
  out << line("certified", word(reported.certified && reported.reached),
              word(verified.reaches_target(reported)), "");
  if (verified.dual) {
    out << summary_line("planes", std::to_string(verified.dual->planes) + ", " +
                                      std::to_string(verified.dual->active) + " with alpha; " +
                                      std::to_string(verified.compared) +
                                      " comparisons with fresh answers, " +
                                      std::to_string(verified.seen_again) + " found again");
  }
  out << summary_line("oracle calls", std::to_string(verified.oracle_calls) + " at " +
                                          std::to_string(verified.places) + " w");
  for (const std::string& sentence : verified.refuted) {
    out << summary_line("refuted", printable(sentence));
  }
  for (const std::string& sentence : verified.notes)
    out << summary_line("note", printable(sentence));
}

Json verified_json(const std::string& run, const ReportedCertificate& reported,
                   const VerificationResult& verified) {
  Json json = {{"name", run},
               {"verified", verified.refuted.empty() && verified.dual.has_value()},
               {"certified", verified.reaches_target(reported)},
               {"gap_proved", verified.certified},
               {"target", number_json(reported.target)},
               {"objective", verified.relaxed ? "relaxed" : "standard"}};
  for (const Row& row : rows_of(reported, verified)) {
    json[row.key] = {{"reported", number_json(row.reported)},
                     {"recomputed", number_json(row.recomputed)},
                     {"difference", number_json(row.difference())}};
  }
  json["planes"] = nullptr;
  if (verified.dual) {
    json["planes"] = {{"count", verified.dual->planes},
                      {"active", verified.dual->active},
                      {"comparisons", verified.compared},
                      {"found_again", verified.seen_again}};
  }
  json["oracle_calls"] = verified.oracle_calls;
  json["refuted"] = verified.refuted;
  json["notes"] = verified.notes;
  return json;
}

}  // namespace sculpt::core
