#include "launch/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

bool is_terminal(const Surroundings& here) {
  const char* term = std::getenv("TERM");
  return here.messages_are_terminal() && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

std::size_t terminal_width() {
  struct winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Seconds. Without a terminal a row is printed at least this often.
constexpr double max_row_interval = 10;

// Seconds. During a pass the live line is written this often.
constexpr double live_interval = 0.5;

// The number after `pass` in 1, 2, 5, 10, 20, 50, ...
std::int64_t next_printed_pass(std::int64_t pass) {
  std::int64_t power = 1;
  while (power * 10 <= pass) power *= 10;
  if (pass < 2 * power) return 2 * power;
  if (pass < 5 * power) return 5 * power;
  return 10 * power;
}

const char* const headings =
    "    pass      calls   planes  active       primal         dual   rel. gap  seconds";

// For solvers that minimize by steps and have a dual.
const char* const headings_of_steps =
    "    pass      calls       primal         dual   rel. gap    last fall  seconds";

// For solvers of a linear system.
const char* const headings_of_residual = "    pass      calls       primal   residual  seconds";

// For solvers without a dual.
const char* const headings_of_mistakes = "    pass      calls  mistakes       primal  seconds";
const char* const headings_of_violated = "    pass      calls  violated       primal  seconds";

const char* headings_of(const PassReport& report) {
  if (report.progress) return headings_of_steps;
  if (report.residual) return headings_of_residual;
  if (report.mistakes) return headings_of_mistakes;
  return report.violated ? headings_of_violated : headings;
}

// What the columns mean, in lines above the headings.
std::vector<std::string> legend_of(const PassReport& report, const RunGoals& goals) {
  const auto target = [](const std::optional<double>& value) {
    return value ? "; the run ends at " + number_text(*value) : "";
  };
  std::vector<std::string> lines;
  if (report.residual) {
    lines.emplace_back("  primal: the objective at w (lower is better)");
    lines.push_back("  residual: ||b - A w|| / ||b|| of the linear system A w = b" +
                    target(goals.residual));
    return lines;
  }
  lines.emplace_back(
      "  primal: the objective at the best w so far (lower is better); -: not computed");
  if (report.mistakes) {
    lines.emplace_back("  mistakes: the examples of the pass that changed w");
    return lines;
  }
  if (report.violated) {
    lines.emplace_back("  violated: the examples of the pass whose margin was too small");
    return lines;
  }
  lines.emplace_back("  dual: a proved bound, no w has a lower objective");
  lines.push_back("  rel. gap: (primal - dual) / primal, the most that is left to gain" +
                  target(goals.relative_gap));
  if (report.progress) lines.emplace_back("  last fall: of the primal by the last step, relative");
  return lines;
}

// True if there is a gap that is not certified. Passes in batches have no gap.
bool has_uncertified_gap(const PassReport& report) {
  return !report.certified && std::isfinite(report.relative_gap);
}

// Hard margins have no gap until all margins hold. Until then a w that separates the data may not
// exist.
std::string gap_text(const PassReport& report) {
  const bool margins_fail =
      !std::isfinite(report.relative_gap) && std::isfinite(report.margin_bound);
  if (!margins_fail) return number_text(report.relative_gap);
  char text[32];
  std::snprintf(text, sizeof text, "<%.1e", report.margin_bound);
  return text;
}

// An upper bound of P is marked, because P may be far below.
std::string primal_text(const PassReport& report) {
  const bool is_bound = report.primal_kind == BoundKind::upper && std::isfinite(report.best_primal);
  return (is_bound ? "<" : "") + number_text(report.best_primal);
}

std::string row_text(const PassReport& report) {
  char text[160];
  if (const auto count = report.mistakes ? report.mistakes : report.violated) {
    std::snprintf(text, sizeof text, "%8lld %10lld %9lld %12s %8.2f",
                  static_cast<long long>(report.pass), static_cast<long long>(report.oracle_calls),
                  static_cast<long long>(*count), primal_text(report).c_str(),
                  report.elapsed_seconds);
    return text;
  }
  if (report.residual) {
    std::snprintf(text, sizeof text, "%8lld %10lld %12s %10s %8.2f",
                  static_cast<long long>(report.pass), static_cast<long long>(report.oracle_calls),
                  primal_text(report).c_str(), number_text(*report.residual).c_str(),
                  report.elapsed_seconds);
    return text;
  }
  if (report.progress) {
    std::snprintf(text, sizeof text, "%8lld %10lld %12s %12s %9s%s %12s %8.2f",
                  static_cast<long long>(report.pass), static_cast<long long>(report.oracle_calls),
                  primal_text(report).c_str(), number_text(report.dual).c_str(),
                  gap_text(report).c_str(), has_uncertified_gap(report) ? "?" : " ",
                  number_text(*report.progress).c_str(), report.elapsed_seconds);
    return text;
  }
  std::snprintf(text, sizeof text, "%8lld %10lld %8lld %7lld %12s %12s %9s%s %8.2f",
                static_cast<long long>(report.pass), static_cast<long long>(report.oracle_calls),
                static_cast<long long>(report.planes), static_cast<long long>(report.active_planes),
                primal_text(report).c_str(), number_text(report.dual).c_str(),
                gap_text(report).c_str(), has_uncertified_gap(report) ? "?" : " ",
                report.elapsed_seconds);
  return text;
}

}  // namespace

Console::Console(Prints prints)
    : prints_(prints),
      surroundings_(surroundings()),
      is_terminal_(prints == Prints::all && is_terminal(surroundings_)) {
  const char* no_colour = std::getenv("NO_COLOR");
  has_colour_ = is_terminal_ && (no_colour == nullptr || *no_colour == '\0');
}

Console::~Console() {
  end_live();
}

void Console::end_live() {
  if (has_live_line_) surroundings_.print_message("\r\033[K");
  has_live_line_ = false;
}

void Console::show_live(const std::string& line) {
  // A line that wraps cannot be rewritten in place.
  surroundings_.print_message("\r\033[K" + line.substr(0, terminal_width() - 1));
  has_live_line_ = true;
}

void Console::print_line(const std::string& line) {
  if (is_quiet()) return;
  end_live();
  surroundings_.print_message(printable(line) + "\n");
}

void Console::warn(const std::string& line) {
  end_live();
  const std::string word = has_colour_ ? "\033[33mwarning:\033[0m " : "warning: ";
  surroundings_.print_message(word + printable(line) + "\n");
}

void Console::progress(const std::string& component, const std::string& phase, std::int64_t done,
                       std::int64_t total) {
  if (!is_terminal_) return;
  std::string line = printable(component + ": " + phase) + " " + std::to_string(done);
  if (total > 0) line += " of " + std::to_string(total);
  show_live(line);
}

void Console::set_goals(const RunGoals& goals) {
  goals_ = goals;
}

void Console::print_headings(const PassReport& report) {
  for (const std::string& line : legend_of(report, goals_)) print_line(line);
  print_line(headings_of(report));
}

void Console::add_note(const std::string& line) {
  if (row_count_ > 0) {
    print_line(line);
  } else {
    early_notes_.push_back(line);
  }
}

void Console::print_row(const PassReport& report) {
  if (row_count_++ == 0) print_headings(report);
  print_line(row_text(report));
  for (const std::string& note : early_notes_) print_line(note);
  early_notes_.clear();
  has_uncertified_row_ |= has_uncertified_gap(report);
  is_last_printed_ = true;
  last_row_seconds_ = report.elapsed_seconds;
}

void Console::add_pass(const PassReport& report) {
  last_report_ = report;
  is_last_printed_ = false;
  since_report_ = Stopwatch();
  if (is_terminal_) {
    if (!live_line_) live_line_.emplace(goals_);
    live_line_->add(report);
  }
  if (report.pass >= next_row_pass_) {
    next_row_pass_ = next_printed_pass(report.pass);
    print_row(report);
  } else if (!is_terminal_ && report.elapsed_seconds - last_row_seconds_ >= max_row_interval) {
    print_row(report);
  }
  if (is_terminal_) show_live_line();
}

void Console::show_live_line() {
  show_live(live_line_->text(since_report_.seconds()));
  since_live_ = Stopwatch();
}

void Console::refresh_live() {
  if (!is_terminal_ || std::this_thread::get_id() != thread_) return;
  if (live_line_ && since_live_.seconds() >= live_interval) show_live_line();
}

void Console::end_passes() {
  live_line_.reset();
  if (!is_last_printed_) print_row(last_report_);
  if (last_report_.primal_kind == BoundKind::upper && std::isfinite(last_report_.best_primal)) {
    print_line(
        "  < the primal is at most this value: the bounds of the oracle are above its outputs");
  }
  if (!has_uncertified_row_) return;
  if (last_report_.certified) {
    print_line("  ? the gap of this pass is not certified; that of the last pass is");
    return;
  }
  print_line(
      last_report_.escalated
          ? "  ? the gap is not certified: the last oracle was not called for all examples, or it "
            "gives no upper bound"
          : "  ? the gap is not certified: the oracle gives no upper bound, or only "
            "approximations, or the kernel does not claim to be positive semidefinite");
}

Callbacks callbacks_to(Console& console) {
  Callbacks callbacks;
  callbacks.log = [&console](std::int32_t severity, const std::string& text) {
    if (severity >= SCULPT_LOG_WARNING) console.warn(text);
    if (severity == SCULPT_LOG_INFO) console.print_line(text);
  };
  callbacks.cancelled = stop_request();
  callbacks.progress = [&console](const std::string& component, const std::string& phase,
                                  std::int64_t done, std::int64_t total) {
    console.progress(component, phase, done, total);
  };
  return callbacks;
}

}  // namespace sculpt::core
