// session.hpp - the session of a caller of libsculpt, and one call with it.
//
// Called by all functions of the C API that do more than look up a value.
#pragma once

#include <sculpt/host/session.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "base/surroundings.hpp"
#include "library/guarded_call.hpp"

namespace sculpt::core {

// What is around the host in a process that calls it. Lives as long as anything that was made with
// the session.
class CallerSurroundings : public Surroundings {
 public:
  // `options` may be NULL. Throws Failure(Exit::usage).
  explicit CallerSurroundings(const sculpt_session_options* options);

  std::ostream& out() override { return out_; }
  std::ostream& error() override { return help_; }
  void print_message(std::string_view text) override { write(SCULPT_TEXT_MESSAGE, text); }
  bool out_is_terminal() const override { return false; }
  bool messages_are_terminal() const override { return false; }
  StopFlag& stop_flag() override { return stop_flag_; }
  bool wants_durable_files() const override { return wants_durable_files_; }
  void set_wants_durable_files(bool wanted) { wants_durable_files_ = wanted; }
  std::vector<std::filesystem::path> plugin_path() const override { return plugin_path_; }
  std::vector<const sculpt_plugin*> catalogues() const override { return catalogues_; }

  // Lends the catalogue to all later calls. Throws Failure: Exit::plugin if it is faulty or has a
  // name or a component of another one.
  void add(const sculpt_plugin* catalogue);

  // Nobody listens.
  bool is_silent() const { return write_ == nullptr; }
  int threads() const { return threads_; }
  void flush();
  // False if a call uses the session already.
  bool enter() { return !is_in_use_.exchange(true); }
  void leave() { is_in_use_.store(false); }

 private:
  // Passes on what is printed, in pieces.
  class Buffer : public std::streambuf {
   public:
    Buffer(CallerSurroundings& owner, std::int32_t kind) : owner_(owner), kind_(kind) {}

   protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    CallerSurroundings& owner_;
    std::int32_t kind_;
    std::string waiting_;
  };
  void write(std::int32_t kind, std::string_view text);

  void (*write_)(void*, std::int32_t, const char*, std::int64_t) = nullptr;
  void* user_ = nullptr;
  std::mutex write_mutex_;
  int threads_ = 1;
  bool wants_durable_files_ = true;
  std::vector<std::filesystem::path> plugin_path_;
  std::vector<const sculpt_plugin*> catalogues_;
  StopFlag stop_flag_;
  std::atomic<bool> is_in_use_{false};
  Buffer out_buffer_{*this, SCULPT_TEXT_RESULT};
  Buffer help_buffer_{*this, SCULPT_TEXT_HELP};
  std::ostream out_{&out_buffer_};
  std::ostream help_{&help_buffer_};
};

}  // namespace sculpt::core

struct sculpt_session {
  std::shared_ptr<sculpt::core::CallerSurroundings> surroundings;
};

namespace sculpt::core {

// One call. While it lives, the host on this thread prints and stops as the session says.
class SessionCall {
 public:
  // `function`: of the C API, for messages. Throws Failure(Exit::usage) if the session is in use.
  SessionCall(std::shared_ptr<CallerSurroundings> surroundings, const char* function);
  // The same; throws also if the session is NULL.
  SessionCall(sculpt_session* session, const char* function);
  ~SessionCall();
  SessionCall(const SessionCall&) = delete;
  SessionCall& operator=(const SessionCall&) = delete;

  CallerSurroundings& surroundings() { return *surroundings_; }

 private:
  std::shared_ptr<CallerSurroundings> surroundings_;
  std::optional<ScopedSurroundings> scope_;
};

}  // namespace sculpt::core
