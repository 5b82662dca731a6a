#include "command/reports/loo_report.hpp"

#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "launch/run_events.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t loo_name_width = 20;
constexpr std::size_t loo_number_width = 12;

void print_loo_row(TextOut& out, const std::string& name, const std::string& value,
                   const std::string& summary) {
  out << padded(name, loo_name_width) << padded(value, loo_number_width) << summary << "\n";
}

double retrained_fraction(const LeaveOneOutResult& result) {
  return static_cast<double>(result.count_by(LeftOutBy::retrained)) /
         static_cast<double>(result.examples.size());
}

}  // namespace

void print_loo_report(TextOut& out, const LooReport& report) {
  const LeaveOneOutResult& result = report.result;
  for (const Metric& metric : report.evaluation.metrics) {
    print_loo_row(out, metric.name, number_text(metric.value), metric.summary + ", each left out");
  }
  if (result.xi_alpha_error) {
    print_loo_row(out, "xi_alpha_bound", number_text(*result.xi_alpha_error),
                  "upper bound of the error without any retraining (Joachims 2000)");
  }
  const auto count = [](std::int64_t value) { return std::to_string(value); };
  print_loo_row(out, "examples", count(std::ssize(result.examples)), "left out, one at a time");
  print_loo_row(out, "unused", count(result.count_by(LeftOutBy::unused)),
                "the solution does not depend on them");
  print_loo_row(out, "ball", count(result.count_by(LeftOutBy::ball)),
                "proved by the ball test, without retraining");
  print_loo_row(out, "retrained", count(result.count_by(LeftOutBy::retrained)),
                percent_text(retrained_fraction(result)) + ", in " +
                    count_text(result.passes, "pass") + " and " +
                    number_text(result.retraining_seconds, 3) + " s");
  print_loo_row(out, "certain", count(result.certain_count()),
                "the output of the exact optimum; others: of a solution within the gap");
  if (report.evaluation.no_output_count > 0) {
    print_loo_row(out, "no_output", count(report.evaluation.no_output_count), "");
  }
  if (result.missed_count() > 0) {
    print_loo_row(out, "missed_target", count(result.missed_count()),
                  "retraining ended before the target of the run");
  }
}

Json loo_report_json(const LooReport& report) {
  const LeaveOneOutResult& result = report.result;
  Json json = metrics_json(report.evaluation);
  json["name"] = report.run;
  for (const LeftOutBy method : {LeftOutBy::unused, LeftOutBy::ball, LeftOutBy::retrained}) {
    json[name_of(method)] = result.count_by(method);
  }
  json["retrained_fraction"] = retrained_fraction(result);
  json["certain"] = result.certain_count();
  json["missed_target"] = result.missed_count();
  json["passes"] = result.passes;
  json["oracle_calls"] = result.oracle_calls;
  json["seconds"] = result.retraining_seconds;
  if (result.xi_alpha_error) json["xi_alpha_bound"] = *result.xi_alpha_error;
  return json;
}

void print_loo_list(TextOut& out, Problem& problem, const LeaveOneOutResult& result) {
  out << "# example by certain loss\n";
  for (const LeftOutExample& left_out : result.examples) {
    const std::int64_t example = problem.training()[left_out.example];
    out << example << " " << std::string(name_of(left_out.by))
        << std::string(left_out.is_certain ? " yes " : " no ");
    if (left_out.prediction.no_output) {
      out << "-\n";
      continue;
    }
    out << number_text(problem.loss()->value(0, example, problem.dataset().truth(example),
                                             left_out.prediction.raw()))
        << "\n";
  }
}

}  // namespace sculpt::core
