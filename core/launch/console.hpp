// console.hpp - messages and progress of a command on stderr. Results go to stdout.
//
// Made by the commands. A terminal shows a live line that is rewritten in place. Otherwise a row is
// printed at passes 1, 2, 5, 10, 20, 50 and so on, and every ten seconds. NO_COLOR and dumb
// terminals are respected.
#pragma once

#include <cstdint>
#include <string>

#include "problem/plugin/services.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class Console {
 public:
  Console();
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void print_line(const std::string& line);  // a line of its own
  void warn(const std::string& line);        // "warning: ..."
  // Shows a live line during a long step; nothing if there is no terminal.
  void progress(const std::string& component, const std::string& phase, std::int64_t done,
                std::int64_t total);

  // Adds a pass to the table; prints a row if it is due.
  void add_pass(const PassReport& report);
  // Prints the last pass, if it was not printed as a row.
  void end_passes();

 private:
  void show_live(const std::string& line);
  void clear_live();
  void print_row(const PassReport& report);

  bool is_terminal_;
  bool has_colour_;
  bool has_live_line_ = false;      // on the screen
  std::int64_t next_row_pass_ = 1;  // the next pass to print as a row
  std::int64_t row_count_ = 0;
  bool has_uncertified_row_ = false;  // among those printed
  double last_row_seconds_ = 0;       // elapsed at the last row
  PassReport last_report_;
  bool is_last_printed_ = true;  // as a row
};

// Sends log, progress and cancel requests of components to the console.
Callbacks callbacks_to(Console& console);

}  // namespace sculpt::core
