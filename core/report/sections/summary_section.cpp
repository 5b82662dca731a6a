// The first section: the state of each run, its main numbers, and what its gap means.

#include <array>
#include <cmath>
#include <utility>

#include "base/file/stored_json.hpp"
#include "base/text/message_text.hpp"
#include "objective/objective.hpp"
#include "report/figure/figure.hpp"
#include "report/sections/gap_sentence.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> splits = {"test", "validation", "train"};

void write_number(Markup& out, const std::string& name, const std::string& value,
                  const std::string& remark = "") {
  out << "<div><dt>" << name << "</dt><dd>" << value;
  if (!remark.empty()) out << " <small>" << remark << "</small>";
  out << "</dd></div>";
}

// The loss on the first of the splits that was measured.
void write_loss(Markup& out, const Json& finished) {
  for (const char* split : splits) {
    const Json metrics = finished.is_object() ? finished.value(split, Json()) : Json();
    const double loss = number_at(metrics, "loss");
    if (!std::isfinite(loss)) continue;
    const double error = number_at(metrics, "loss_standard_error");
    write_number(out, std::string(split) + " loss", number_text(loss, 4),
                 std::isfinite(error) ? "± " + number_text(error, 2) : "");
    return;
  }
}

// What the run minimizes. "": not known, as for an objective of another program.
std::string objective_text(const RunRecord& run) {
  const Json json = run.started.is_object() ? run.started.value("formulation", Json()) : Json();
  if (!json.is_object()) return "";
  try {
    return objective_in(json)->text();
  } catch (const nlohmann::json::exception&) {
    return "";
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    return "";
  }
}

std::string size_text(const RunRecord& run) {
  const double examples = number_at(run.started, "examples");
  const double dimension = number_at(run.started, "dimension");
  if (!std::isfinite(examples) || !std::isfinite(dimension)) return "";
  return number_text(examples, 12) + " examples, " + number_text(dimension, 12) + " weights";
}

std::string parts_text(const RunRecord& run) {
  std::vector<std::string> names;
  const Json components =
      run.started.is_object() ? run.started.value("components", Json()) : Json();
  if (components.is_array()) {
    for (const Json& component : components) names.push_back(short_name(text_at(component, "id")));
  }
  const std::string solver = text_at(run.started, "solver");
  if (!solver.empty()) names.push_back(solver);
  return joined(names, " · ");
}

void write_state(Markup& out, const RunRecord& run) {
  out << "<p class=\"state ";
  if (run.state == RunState::finished) {
    out << "done";
  } else if (run.state == RunState::running) {
    out << "running";
  } else {
    out << "dead";
  }
  out << "\">" << state_text(run) << "</p>\n";
}

void write_run(Markup& out, const RunRecord& run, std::size_t k, bool has_others) {
  out << "<article class=\"run\"><h3>";
  if (has_others) write_swatch(out, style_of_run(k), true);
  out << run.label << "</h3>\n";
  write_state(out, run);
  if (!run.failure.empty()) out << "<p class=\"failure\">" << run.failure << "</p>\n";
  out << "<dl class=\"numbers\">";
  const Json& newest = run.newest();
  const double share = number_at(newest, "relative_gap");
  const bool is_proved = newest.is_object() && newest.value("certified", Json()) == true;
  if (std::isfinite(share)) {
    write_number(out, "relative gap", percent_text(share), is_proved ? "proved" : "not proved");
  }
  if (std::isfinite(number_at(newest, "primal"))) {
    write_number(out, "primal P", number_text(number_at(newest, "primal")));
  }
  if (std::isfinite(number_at(newest, "dual"))) {
    write_number(out, "dual D", number_text(number_at(newest, "dual")));
  }
  write_loss(out, run.finished);
  const double seconds = number_at(newest, "seconds");
  if (std::isfinite(seconds)) write_number(out, "time", number_text(seconds, 3) + " s");
  const double calls = number_at(newest, "oracle_calls");
  if (std::isfinite(calls)) write_number(out, "oracle calls", number_text(calls, 12));
  out << "</dl>\n<p class=\"meaning\">" << gap_sentence(run) << "</p>\n";
  const std::string objective = objective_text(run);
  out << "<p class=\"note\">";
  if (!objective.empty()) out << "Objective: " << objective << ". ";
  const std::string size = size_text(run);
  if (!size.empty()) out << size << ". ";
  out << parts_text(run) << "</p></article>\n";
}

}  // namespace

CurveStyle style_of_run(std::size_t k) {
  return {k, k % colour_count + k / colour_count, k};
}

void write_summary(Markup& out, const ReportInput& input) {
  if (input.runs.empty()) return;
  out << "<section id=\"summary\"><h2>Result</h2>\n<div class=\"runs\">\n";
  for (std::size_t k = 0; k < input.runs.size(); ++k) {
    write_run(out, input.runs[k], k, input.runs.size() > 1);
  }
  out << "</div></section>\n";
}

}  // namespace sculpt::core
