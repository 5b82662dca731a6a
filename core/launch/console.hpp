// console.hpp - what a person sees while a command works: on stderr, results go to stdout.
//
// On a terminal there is a live line, rewritten in place; elsewhere rows at passes 1, 2, 5, 10, 20,
// 50 and so on, and every ten seconds. NO_COLOR and a dumb terminal are honoured.
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

  void say(const std::string& line);   // a line of its own
  void warn(const std::string& line);  // "warning: ..."
  // A live line while something long goes on; nothing where there is no terminal.
  void progress(const std::string& component, const std::string& phase, std::int64_t done,
                std::int64_t total);

  // One row of the table of passes.
  void pass(const PassReport& report);
  // The last row, if it has not been shown as one.
  void end_passes();

 private:
  void live(const std::string& line);
  void clear_live();
  void row(const PassReport& report);

  bool terminal_;
  bool colour_;
  bool live_shown_ = false;
  std::int64_t next_row_ = 1;
  std::int64_t rows_ = 0;
  bool doubt_shown_ = false;  // in a row
  double row_seconds_ = 0;    // elapsed at the last row
  PassReport last_;
  bool last_shown_ = true;
};

// Where the log, the progress and the cancel request of components go.
Callbacks callbacks_to(Console& console);

}  // namespace sculpt::core
