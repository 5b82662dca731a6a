#include "launch/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text/message_text.hpp"
#include "launch/stop_signal.hpp"

namespace sculpt::core {
namespace {

bool is_terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

std::size_t terminal_width() {
  struct winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Without a terminal a row is printed at least every so many seconds.
constexpr double longest_silence = 10;

// The row after this one in 1, 2, 5, 10, 20, 50, ...
std::int64_t after(std::int64_t row) {
  std::int64_t power = 1;
  while (power * 10 <= row) power *= 10;
  if (row < 2 * power) return 2 * power;
  if (row < 5 * power) return 5 * power;
  return 10 * power;
}

const char* const headings =
    "    pass      calls   planes  active       primal         dual   rel. gap  seconds";

// For solvers without a dual.
const char* const headings_of_mistakes = "    pass      calls  mistakes       primal  seconds";
const char* const headings_of_violated = "    pass      calls  violated       primal  seconds";

const char* headings_of(const PassReport& report) {
  if (report.mistakes) return headings_of_mistakes;
  return report.violated ? headings_of_violated : headings;
}

// True if there is a gap that is not certified. Passes in batches have no gap.
bool uncertified(const PassReport& report) {
  return !report.certified && std::isfinite(report.relative_gap);
}

// Hard margins have no gap until all margins hold. Until then a w that separates the data may not
// exist.
std::string gap_text(const PassReport& report) {
  const bool open = !std::isfinite(report.relative_gap) && std::isfinite(report.margin_bound);
  if (!open) return number_text(report.relative_gap);
  char text[32];
  std::snprintf(text, sizeof text, "<%.1e", report.margin_bound);
  return text;
}

// An upper bound of P is marked, because P may be far below.
std::string primal_text(const PassReport& report) {
  const bool bound = report.primal_kind == BoundKind::upper && std::isfinite(report.best_primal);
  return (bound ? "<" : "") + number_text(report.best_primal);
}

std::string row_text(const PassReport& report) {
  char text[160];
  if (const auto moved = report.mistakes ? report.mistakes : report.violated) {
    std::snprintf(text, sizeof text, "%8lld %10lld %9lld %12s %8.2f",
                  static_cast<long long>(report.pass), static_cast<long long>(report.oracle_calls),
                  static_cast<long long>(*moved), primal_text(report).c_str(),
                  report.elapsed_seconds);
    return text;
  }
  std::snprintf(text, sizeof text, "%8lld %10lld %8lld %7lld %12s %12s %9s%s %8.2f",
                static_cast<long long>(report.pass), static_cast<long long>(report.oracle_calls),
                static_cast<long long>(report.planes), static_cast<long long>(report.active_planes),
                primal_text(report).c_str(), number_text(report.dual).c_str(),
                gap_text(report).c_str(), uncertified(report) ? "?" : " ", report.elapsed_seconds);
  return text;
}

}  // namespace

Console::Console() : terminal_(is_terminal()) {
  const char* no_colour = std::getenv("NO_COLOR");
  colour_ = terminal_ && (no_colour == nullptr || *no_colour == '\0');
}

Console::~Console() {
  clear_live();
}

void Console::clear_live() {
  if (live_shown_) std::fputs("\r\033[K", stderr);
  live_shown_ = false;
}

void Console::live(const std::string& line) {
  // A line that wraps cannot be rewritten in place.
  std::fprintf(stderr, "\r\033[K%s", line.substr(0, terminal_width() - 1).c_str());
  std::fflush(stderr);
  live_shown_ = true;
}

void Console::say(const std::string& line) {
  clear_live();
  std::fprintf(stderr, "%s\n", printable(line).c_str());
}

void Console::warn(const std::string& line) {
  clear_live();
  std::fprintf(stderr, colour_ ? "\033[33mwarning:\033[0m %s\n" : "warning: %s\n",
               printable(line).c_str());
}

void Console::progress(const std::string& component, const std::string& phase, std::int64_t done,
                       std::int64_t total) {
  if (!terminal_) return;
  std::string line = printable(component + ": " + phase) + " " + std::to_string(done);
  if (total > 0) line += " of " + std::to_string(total);
  live(line);
}

void Console::row(const PassReport& report) {
  if (rows_++ == 0) say(headings_of(report));
  say(row_text(report));
  doubt_shown_ |= uncertified(report);
  last_shown_ = true;
  row_seconds_ = report.elapsed_seconds;
}

void Console::pass(const PassReport& report) {
  last_ = report;
  last_shown_ = false;
  if (report.pass >= next_row_) {
    next_row_ = after(report.pass);
    row(report);
  } else if (terminal_) {
    live(row_text(report));
  } else if (report.elapsed_seconds - row_seconds_ >= longest_silence) {
    row(report);
  }
}

void Console::end_passes() {
  if (!last_shown_) row(last_);
  if (last_.primal_kind == BoundKind::upper && std::isfinite(last_.best_primal)) {
    say("  < at most: the oracle's bounds say no more of the primal");
  }
  if (!doubt_shown_) return;
  say(last_.escalated
          ? "  ? not certified: the last oracle was not asked about all, or bounds nothing"
          : "  ? the oracle gives no upper bound: the gap is not certified");
}

Callbacks callbacks_to(Console& console) {
  Callbacks callbacks;
  callbacks.log = [&console](std::int32_t severity, const std::string& text) {
    if (severity >= SCULPT_LOG_WARNING) console.warn(text);
    if (severity == SCULPT_LOG_INFO) console.say(text);
  };
  callbacks.cancelled = stop_requested;
  callbacks.progress = [&console](const std::string& component, const std::string& phase,
                                  std::int64_t done, std::int64_t total) {
    console.progress(component, phase, done, total);
  };
  return callbacks;
}

}  // namespace sculpt::core
