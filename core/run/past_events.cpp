#include "run/past_events.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "base/file/stored_json.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The event of a line; null if it is no JSON object.
Json parse_event(const std::string& line) {
  Json event = parse_stored_json(line);
  return event.is_object() ? event : Json(nullptr);
}

bool is_event(const Json& event, const char* name) {
  return event.is_object() && event.value("event", Json()) == name;
}

// True if the event belongs to the run up to pass number `pass`.
bool is_up_to(const Json& event, std::int64_t pass, std::int64_t validated) {
  if (is_event(event, "started")) return true;
  const bool is_validation = is_event(event, "validated");
  if (!is_validation && !is_event(event, "pass")) return false;
  const Json number = event.value("pass", Json());
  return number.is_number_integer() &&
         number.get<std::int64_t>() <= (is_validation ? validated : pass);
}

}  // namespace

Json last_event(const fs::path& events) {
  std::ifstream file = open_if_there(events, Exit::missing);
  std::string last;
  for (std::string line; std::getline(file, line);) last = std::move(line);
  return parse_event(last);
}

std::int64_t last_pass(const fs::path& events) {
  std::ifstream file = open_if_there(events, Exit::missing);
  std::int64_t pass = 0;
  for (std::string line; std::getline(file, line);) {
    const Json event = parse_event(line);
    const Json number = is_event(event, "pass") ? event.value("pass", Json()) : Json();
    if (number.is_number_integer()) pass = number.get<std::int64_t>();
  }
  return pass;
}

// "resumed" is kept if a pass after it is kept.
void truncate_events(const fs::path& events, std::int64_t pass, std::int64_t validated) {
  std::uintmax_t size = 0;  // of the lines so far
  std::uintmax_t kept_size = 0;
  {
    std::ifstream file = open_if_there(events, Exit::missing);
    for (std::string line; std::getline(file, line) && !file.eof();) {
      const Json event = parse_event(line);
      size += line.size() + 1;
      if (is_up_to(event, pass, validated)) {
        kept_size = size;
      } else if (!is_event(event, "resumed")) {
        break;
      }
    }
  }
  const FileDescriptor file = open_plain_file(events, O_WRONLY);
  if (!file.is_open() || ::ftruncate(file.number(), static_cast<off_t>(kept_size)) == 0) return;
  throw system_failure(Exit::write_failed, events.string() + ": cannot be truncated", errno);
}

}  // namespace sculpt::core
