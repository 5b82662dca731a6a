// The hardest examples of each run, in their own text.

#include <cmath>

#include "base/text/message_text.hpp"
#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_line_length = 160;

void write_value(Markup& out, const char* name, double value) {
  if (!std::isfinite(value)) return;
  out << "<div><dt>" << std::string(name) << "</dt><dd>" << number_text(value, 4) << "</dd></div>";
}

void write_example(Markup& out, const std::string& id, const ExampleRecord& example) {
  out << "<article class=\"example\"><h4>example " << example.number;
  if (!example.place.empty()) out << " <small>" << example.place << "</small>";
  out << "</h4>\n<dl class=\"numbers\">";
  write_value(out, "slack", example.slack);
  write_value(out, "dual mass", example.mass);
  write_value(out, "loss of the guess", example.loss);
  out << "</dl>\n";
  if (example.truth.is_known || example.guess.is_known) write_outputs(out, id, example);
  if (!example.source.empty()) {
    out << "<details><summary>Text in the file</summary><div class=\"scroll\" tabindex=\"0\" "
           "role=\"region\" aria-label=\"Text of example "
        << example.number << "\"><pre>";
    for (const std::string& line : example.source) {
      out << shortened_text(line, max_line_length) << "\n";
    }
    if (example.source_is_cut) out << "…";
    out << "</pre></div></details>\n";
  }
  out << "</article>\n";
}

void write_list(Markup& out, const std::string& id, const std::string& heading,
                const std::string& remark, const std::vector<ExampleRecord>& examples,
                std::size_t max_count) {
  if (examples.empty()) return;
  out << "<h3>" << heading << "</h3>\n<p class=\"note\">" << remark << "</p>\n<div class=\"examples\">\n";
  for (std::size_t k = 0; k < std::min(max_count, examples.size()); ++k) {
    write_example(out, id + std::to_string(k), examples[k]);
  }
  out << "</div>\n";
}

}  // namespace

void write_examples(Markup& out, const ReportInput& input, const PageLimits& limits) {
  Markup body;
  for (std::size_t k = 0; k < input.contents.size(); ++k) {
    const RunContent& content = input.contents[k];
    const std::string run = input.runs.size() > 1 ? input.runs[k].label + ": " : "";
    const std::string id = "x" + std::to_string(k);
    write_list(body, id + "s", run + "largest slack",
               "By how much the worst output violates its margin, " + content.slack_source + ".",
               content.by_slack, limits.examples);
    write_list(body, id + "m", run + "largest dual mass",
               "The sum of the dual variables of its planes: how strongly the example holds the "
               "weights in place.",
               content.by_mass, limits.examples);
    write_list(body, id + "l", run + "largest loss",
               "The loss of the prediction on the training data. This run has no slacks.",
               content.by_loss, limits.examples);
  }
  if (body.is_empty()) return;
  out << "<section id=\"examples\"><h2>Hardest training examples</h2>\n" << body << "</section>\n";
}

}  // namespace sculpt::core
