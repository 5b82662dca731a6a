// The hardest examples of each run, in their own text.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/text/message_text.hpp"
#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_line_length = 160;
constexpr std::size_t wide_output = 2000;  // bytes of markup: longer outputs take a whole row

void write_value(Markup& out, const char* name, double value) {
  if (!std::isfinite(value)) return;
  out << "<div><dt>" << std::string(name) << "</dt><dd>" << number_text(value, 4) << "</dd></div>";
}

class ExampleWriter {
 public:
  // `prefix`: of the ids of the run.
  ExampleWriter(Markup& out, std::string prefix, const PageLimits& limits)
      : out_(out), prefix_(std::move(prefix)), limits_(limits) {}

  void write_list(const std::string& heading, const std::string& remark,
                  const std::vector<ExampleRecord>& examples) {
    if (examples.empty() || limits_.examples == 0) return;
    out_ << "<h3>" << heading << "</h3>\n<p class=\"note\">" << remark
         << "</p>\n<div class=\"examples\">\n";
    Markup shown_before;
    for (std::size_t k = 0; k < std::min(limits_.examples, examples.size()); ++k) {
      if (is_shown_.insert(examples[k].number).second) {
        write_example(examples[k]);
        continue;
      }
      if (!shown_before.is_empty()) shown_before << ", ";
      shown_before << "<a href=\"#" << id_of(examples[k]) << "\">example " << examples[k].number
                   << "</a>";
    }
    out_ << "</div>\n";
    if (shown_before.is_empty()) return;
    out_ << "<p class=\"note\">Also in this list, and shown above: " << shown_before << ".</p>\n";
  }

 private:
  std::string id_of(const ExampleRecord& example) const {
    return prefix_ + std::to_string(example.number);
  }

  void write_example(const ExampleRecord& example) {
    Markup outputs;
    if (example.truth.is_known || example.guess.is_known) {
      write_outputs(outputs, id_of(example) + "-", example, colours_);
    }
    const bool is_wide = outputs.text().find("<figure") != std::string::npos ||
                         outputs.text().find("<table") != std::string::npos ||
                         outputs.text().size() > wide_output;
    out_ << "<article id=\"" << id_of(example) << "\" class=\"example";
    if (is_wide) out_ << " wide";
    out_ << "\"><h4>example " << example.number;
    if (!example.place.empty()) out_ << " <small>" << example.place << "</small>";
    out_ << "</h4>\n<dl class=\"numbers\">";
    write_value(out_, "slack", example.slack);
    write_value(out_, "dual mass", example.mass);
    write_value(out_, "loss of the guess", example.loss);
    out_ << "</dl>\n" << outputs;
    write_source(example);
    out_ << "</article>\n";
  }

  void write_source(const ExampleRecord& example) {
    if (example.source.empty() || limits_.lines == 0) return;
    out_ << "<details><summary>Text in the file</summary><div class=\"scroll\" tabindex=\"0\" "
            "role=\"group\" aria-label=\"Text of example "
         << example.number << "\"><pre>";
    const std::size_t count = std::min(limits_.lines, example.source.size());
    for (std::size_t k = 0; k < count; ++k) {
      out_ << shortened_text(example.source[k], max_line_length) << "\n";
    }
    if (example.source_is_cut || count < example.source.size()) out_ << "…";
    out_ << "</pre></div></details>\n";
  }

  Markup& out_;
  std::string prefix_;
  const PageLimits& limits_;
  LabelColours colours_;
  std::set<std::int64_t> is_shown_;
};

}  // namespace

void write_examples(Markup& out, const ReportInput& input, const PageLimits& limits) {
  Markup body;
  for (std::size_t k = 0; k < input.contents.size(); ++k) {
    const RunContent& content = input.contents[k];
    const std::string run = input.runs.size() > 1 ? input.runs[k].label + ": " : "";
    ExampleWriter writer(body, "example-" + std::to_string(k) + "-", limits);
    writer.write_list(
        run + "largest slack",
        "By how much the worst output violates its margin, " + content.slack_source + ".",
        content.by_slack);
    writer.write_list(run + "largest dual mass",
                      "The sum of the dual variables of its planes: how strongly the example holds "
                      "the weights in place. " +
                          content.mass_remark,
                      content.by_mass);
    writer.write_list(run + "largest loss",
                      "The loss of the prediction on the training data. This run has no slacks.",
                      content.by_loss);
  }
  if (body.is_empty()) return;
  out << "<section id=\"examples\"><h2>Hardest training examples</h2>\n<p class=\"note\">The "
         "guess is what the model predicts. ✗ marks what it has wrong.</p>\n"
      << body << "</section>\n";
}

}  // namespace sculpt::core
