#include "library/session.hpp"

#include <utility>

#include "command/command.hpp"
#include "library/arguments.hpp"
#include "library/record.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/library.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t piece_size = 1 << 16;  // bytes that wait before they are passed on

}  // namespace

CallerSurroundings::CallerSurroundings(const sculpt_session_options* options) {
  constexpr const char* function = "sculpt_session_open";
  const auto given = record_or_zeros(options, function, "options");
  write_ = given.write;
  user_ = given.user;
  threads_ = threads_of(function, given.threads);
  plugin_path_ = plugin_path_of(function, given.plugin_path, given.plugin_path_count);
}

void CallerSurroundings::write(std::int32_t kind, std::string_view text) {
  if (write_ == nullptr || text.empty()) return;
  const std::lock_guard lock(write_mutex_);
  write_(user_, kind, text.data(), static_cast<std::int64_t>(text.size()));
}

void CallerSurroundings::add(const sculpt_plugin* catalogue) {
  const Library added = Library::lent(catalogue);
  for (const sculpt_plugin* other : catalogues_) {
    const Library earlier = Library::lent(other);
    if (earlier.file() == added.file()) {
      throw Failure(Exit::plugin, "the session has a catalogue " + added.file().string() +
                                      " already; give this one another name");
    }
    for (const sculpt_component* component : added.components()) {
      for (const sculpt_component* known : earlier.components()) {
        if (known->kind != component->kind || std::string_view(known->id) != component->id) {
          continue;
        }
        throw Failure(Exit::plugin, "the catalogue " + added.file().string() + " has the " +
                                        std::string(kind_name(component->kind)) + " " +
                                        component->id + ", as the catalogue " +
                                        earlier.file().string() + " of the session does; give " +
                                        "one of them another id");
      }
    }
  }
  catalogues_.push_back(catalogue);
}

void CallerSurroundings::flush() {
  out_.flush();
  help_.flush();
}

CallerSurroundings::Buffer::int_type CallerSurroundings::Buffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof()))
    return traits_type::not_eof(character);
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize CallerSurroundings::Buffer::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  if (waiting_.size() >= piece_size) sync();
  return size;
}

int CallerSurroundings::Buffer::sync() {
  owner_.write(kind_, waiting_);
  waiting_.clear();
  return 0;
}

SessionCall::SessionCall(std::shared_ptr<CallerSurroundings> surroundings, const char* function)
    : surroundings_(std::move(surroundings)) {
  if (!surroundings_->enter()) {
    throw Failure(Exit::usage,
                  std::string(function) +
                      ": another call uses this session, or this is a call out of a callback of "
                      "one; open a second session for it");
  }
  scope_.emplace(*surroundings_);
}

SessionCall::SessionCall(sculpt_session* session, const char* function)
    : SessionCall((require_pointer(session, function, "the session"), session->surroundings),
                  function) {}

SessionCall::~SessionCall() {
  scope_.reset();
  surroundings_->flush();
  surroundings_->stop_flag().clear();
  surroundings_->leave();
}

}  // namespace sculpt::core

using namespace sculpt::core;

sculpt_exit sculpt_session_open(const sculpt_session_options* options, sculpt_session** session,
                                sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    require_pointer(session, "sculpt_session_open", "session");
    *session = nullptr;
    *session = new sculpt_session{std::make_shared<CallerSurroundings>(options)};
    return Exit::reached;
  });
}

sculpt_exit sculpt_session_add_catalogue(sculpt_session* session, const sculpt_plugin* catalogue,
                                         sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_session_add_catalogue";
    SessionCall call(session, function);
    require_pointer(catalogue, function, "catalogue");
    call.surroundings().add(catalogue);
    return Exit::reached;
  });
}

void sculpt_session_stop(sculpt_session* session) {
  if (session != nullptr) session->surroundings->stop_flag().request_stop();
}

void sculpt_session_request_checkpoint(sculpt_session* session) {
  if (session != nullptr) session->surroundings->stop_flag().request_checkpoint();
}

void sculpt_session_free(sculpt_session* session) {
  delete session;
}

sculpt_exit sculpt_run_command(sculpt_session* session, const char* const* words,
                               std::int64_t word_count, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_run_command";
    const SessionCall call(session, function);
    return run_words(texts_of(words, word_count, function, "words"));
  });
}
