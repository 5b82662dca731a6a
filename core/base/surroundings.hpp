// surroundings.hpp - what is around the host: a terminal and signals, or a program that calls it as
// a library.
//
// The program has those of the process. A call of libsculpt makes its own on the thread of its
// caller (library/call_surroundings.hpp), so that two calls on two threads do not mix. Code that
// runs on that thread asks surroundings(). What other threads use keeps a reference or a
// stop_request().
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>
#include <vector>

#include "base/stop_flag.hpp"

struct sculpt_plugin;

namespace sculpt::core {

class Ranks;

class Surroundings {
 public:
  virtual ~Surroundings() = default;

  // Results and their data.
  virtual std::ostream& out() = 0;
  // Help after wrong words.
  virtual std::ostream& error() = 0;
  // One message, with its line ends. [any]
  virtual void print_message(std::string_view text) = 0;
  // True if people read these as they are printed.
  virtual bool out_is_terminal() const = 0;
  virtual bool messages_are_terminal() const = 0;

  virtual StopFlag& stop_flag() = 0;
  // As stop_requested() and clear_stop_request() below. [any]
  virtual bool stop_is_requested() { return stop_flag().stop_is_requested(); }
  virtual void clear_stop_request() { stop_flag().clear(); }

  // The processes that share the work with this one (parallel/ranks/ranks.hpp). nullptr: there are
  // none.
  virtual Ranks* ranks() { return nullptr; }

  // False if files that this thread writes need not survive a crash of the machine.
  virtual bool wants_durable_files() const { return true; }

  // Folders that are searched for plugins before all others, absolute.
  virtual std::vector<std::filesystem::path> plugin_path() const { return {}; }
  // Catalogues in this process, checked. They come before all libraries.
  virtual std::vector<const sculpt_plugin*> catalogues() const { return {}; }
};

// Of this thread; those of the process unless a ScopedSurroundings lives on it.
Surroundings& surroundings();

// stdout, stderr, and the flag that signals set. Lives as long as the process.
Surroundings& surroundings_of_process();
inline constinit StopFlag stop_flag_of_process;

class ScopedSurroundings {
 public:
  // `here` outlives this object.
  explicit ScopedSurroundings(Surroundings& here);
  ~ScopedSurroundings();
  ScopedSurroundings(const ScopedSurroundings&) = delete;
  ScopedSurroundings& operator=(const ScopedSurroundings&) = delete;

 private:
  Surroundings* outer_;
};

// True if the caller of this thread asked to stop. Cheap.
bool stop_requested();
// The same for other threads: what it returns may be called on any of them.
std::function<bool()> stop_request();
// The remaining work continues. A second signal still ends the process.
void clear_stop_request();
// True if a checkpoint was requested since the last call.
bool consume_checkpoint_request();

}  // namespace sculpt::core
