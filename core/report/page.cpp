#include "report/page.hpp"

#include <array>

#include "base/text/message_text.hpp"
#include "report/markup/markup.hpp"
#include "report/page_style.hpp"
#include "report/sections/sections.hpp"

namespace sculpt::core {
namespace {

// Every page begins with it.
constexpr std::string_view page_begin =
    "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
    "<meta charset=\"utf-8\"/>\n<meta name=\"generator\" content=\"sculpt report\"/>\n";

struct Link {
  const char* id;
  const char* name;
};

constexpr std::array<Link, 9> links = {{{"summary", "Result"},
                                        {"progress", "Progress"},
                                        {"time", "Time"},
                                        {"metrics", "Metrics"},
                                        {"sweep0", "Sweep"},
                                        {"examples", "Examples"},
                                        {"weights", "Weights"},
                                        {"settings", "Settings"},
                                        {"remarks", "Remarks"}}};

std::string title_of(const ReportInput& input) {
  std::vector<std::string> names;
  for (const RunRecord& run : input.runs) names.push_back(run.label);
  for (const SweepRecord& sweep : input.sweeps) names.push_back(sweep.name);
  constexpr std::size_t max_names = 3;
  const std::size_t count = names.size();
  if (count > max_names) names.resize(max_names);
  return joined(names, ", ") +
         (count > max_names ? " and " + std::to_string(count - max_names) + " more" : "");
}

Markup content_of(const ReportInput& input, const PageLimits& limits) {
  Markup out;
  write_summary(out, input);
  write_progress(out, input, limits);
  write_times(out, input);
  write_metrics(out, input);
  write_sweeps(out, input, limits);
  write_examples(out, input, limits);
  write_weights(out, input, limits);
  write_settings(out, input, limits);
  write_remarks(out, input);
  return out;
}

std::string page_with(const ReportInput& input, const PageLimits& limits) {
  const Markup content = content_of(input, limits);
  Markup head;
  head << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n<title>"
       << title_of(input) << " – sculpt report</title>\n<style>\n";
  Markup body;
  body << "</style>\n</head>\n<body>\n<header><p class=\"kind\">sculpt report</p><h1>"
       << title_of(input) << "</h1>\n<nav aria-label=\"Sections\">";
  for (const Link& link : links) {
    if (content.text().find("<section id=\"" + std::string(link.id) + "\"") == std::string::npos) {
      continue;
    }
    body << "<a href=\"#" << std::string(link.id) << "\">" << std::string(link.name) << "</a> ";
  }
  body << "</nav></header>\n<main>\n"
       << content << "</main>\n<footer><p>Made by sculpt " SCULPT_VERSION
       << ". This page is one file and loads nothing.</p></footer>\n<script>\n";
  std::string page(page_begin);
  page += head.text();
  page += page_style();
  page += body.text();
  page += page_script();
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace

// Examples and their text take the most space, curves the least.
bool PageLimits::shrink() {
  if (points == 0) return false;
  lines /= 2;
  examples = examples * 2 / 3;
  weights = weights * 2 / 3;
  points = examples > 0 ? points : points / 2;
  settings = settings * 4 / 5;
  cells = cells * 4 / 5;
  return true;
}

std::string report_page(const ReportInput& input) {
  PageLimits limits;
  for (;;) {
    std::string page = page_with(input, limits);
    if (page.size() <= max_page_bytes || !limits.shrink()) return page;
  }
}

bool is_report_page(std::string_view beginning) {
  return beginning.starts_with(page_begin);
}

}  // namespace sculpt::core
