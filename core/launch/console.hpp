// console.hpp - messages and progress of a command on stderr, or to a caller of libsculpt.
//
// Made by the commands. The table of passes has a row at passes 1, 2, 5, 10, 20, 50 and so on. A
// terminal shows a live line below it, which is rewritten in place (live_line.hpp). Otherwise there
// is a row every ten seconds at least. NO_COLOR and dumb terminals are respected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/stopwatch.hpp"
#include "base/surroundings.hpp"
#include "launch/live_line.hpp"
#include "problem/plugin/services.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class Console {
 public:
  // What is printed: everything, or only warnings.
  enum class Prints { all, warnings };

  explicit Console(Prints prints = Prints::all);
  // What a command with or without --quiet prints.
  static Prints prints_if(bool is_quiet) { return is_quiet ? Prints::warnings : Prints::all; }
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void print_line(const std::string& line);  // a line of its own
  void warn(const std::string& line);        // "warning: ..."
  // Shows a live line during a long step; nothing if there is no terminal.
  void progress(const std::string& component, const std::string& phase, std::int64_t done,
                std::int64_t total);
  // Erases the live line. Call it before results are printed.
  void end_live();

  // The goals of the run, for the live line and the legend of the table. Call it before the first
  // pass.
  void set_goals(const RunGoals& goals);
  // Prints a line about a pass of the table. It never stands above the headings.
  void add_note(const std::string& line);
  // Adds a pass to the table; prints a row if it is due.
  void add_pass(const PassReport& report);
  // Prints the last pass, if it was not printed as a row.
  void end_passes();
  // Writes the live line again if it is half a second old. Called often during a pass, by any
  // thread; only the thread that made this object writes.
  void refresh_live();

  bool is_quiet() const { return prints_ == Prints::warnings; }

 private:
  void show_live(const std::string& line);
  void print_row(const PassReport& report);
  void print_headings(const PassReport& report);
  void show_live_line();

  Prints prints_;
  Surroundings& surroundings_;  // of the thread that made this object
  bool is_terminal_;
  bool has_colour_;
  bool has_live_line_ = false;      // on the screen
  std::int64_t next_row_pass_ = 1;  // the next pass to print as a row
  std::int64_t row_count_ = 0;
  std::vector<std::string> early_notes_;  // they wait for the first row
  bool has_uncertified_row_ = false;      // among those printed
  double last_row_seconds_ = 0;           // elapsed at the last row
  PassReport last_report_;
  bool is_last_printed_ = true;  // as a row
  RunGoals goals_;
  std::optional<LiveLine> live_line_;  // from the first pass to the last
  Stopwatch since_report_;
  Stopwatch since_live_;  // since the live line was written
  std::thread::id thread_ = std::this_thread::get_id();
};

// Sends log, progress and cancel requests of components to the console.
Callbacks callbacks_to(Console& console);

}  // namespace sculpt::core
