// error.hpp - exceptions of a plugin, and the guard that stops them at the boundary.
//
// SPDX-License-Identifier: Apache-2.0
//
// Throw sculpt::Error with "what is wrong, what to do". The host adds the component's name and the
// example before the text. Every other exception is reported as a bug of the component.
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../base.h"

namespace sculpt {

class Error : public std::runtime_error {
 public:
  Error(sculpt_status status, const std::string& text)
      : std::runtime_error(text), status_(status) {}
  sculpt_status status() const { return status_; }

 private:
  sculpt_status status_;
};

// A file or an example is malformed.
inline Error data_error(const std::string& text) {
  return {SCULPT_E_DATA, text};
}
// A file does not exist or cannot be read.
inline Error missing_error(const std::string& text) {
  return {SCULPT_E_MISSING, text};
}
// A parameter value is refused for a reason that its table cannot express.
inline Error parameter_error(const std::string& text) {
  return {SCULPT_E_PARAMETER, text};
}
// These components cannot work together.
inline Error unsupported_error(const std::string& text) {
  return {SCULPT_E_UNSUPPORTED, text};
}

// Returns the text for a message, cut between characters to at most 60 bytes and "...".
inline std::string shortened(std::string_view text) {
  constexpr std::size_t max_bytes = 60;
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end + 3 > max_bytes && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

// Returns text from data in quotes for a message: 'a1b2'. The host escapes unprintable characters.
// A NUL would end the message before it reaches the host, so it becomes \x00 here.
inline std::string shown(std::string_view text) {
  std::string quoted = "'";
  for (const char c : shortened(text)) {
    if (c == '\0') {
      quoted += "\\x00";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

namespace detail {

inline void write_error(sculpt_error* error, std::string_view text) noexcept {
  if (error == nullptr) return;
  const auto wanted = static_cast<std::int64_t>(text.size()) + 1;
  if (wanted > error->capacity && error->grow != nullptr) (void)error->grow(error, wanted);
  if (error->text == nullptr || error->capacity <= 0) return;
  const auto max_size = static_cast<std::size_t>(error->capacity - 1);
  std::size_t size = text.size() < max_size ? text.size() : max_size;
  if (size < text.size()) {  // Does not cut a UTF-8 character.
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  }
  std::memcpy(error->text, text.data(), size);
  error->text[size] = '\0';
}

inline sculpt_status unexpected(sculpt_error* error, const char* method,
                                const char* description) noexcept {
  try {
    write_error(error, std::string(method) + " threw: " + description);
  } catch (...) {
    write_error(error, method);
  }
  return SCULPT_E_INTERNAL;
}

// Runs `body` and turns every exception into a status and a text.
template <class Body>
sculpt_status guarded(sculpt_error* error, const char* method, Body&& body) noexcept {
  try {
    body();
    return SCULPT_OK;
  } catch (const Error& caught) {
    write_error(error, caught.what());
    return caught.status();
  } catch (const std::bad_alloc&) {
    write_error(error, "out of memory");
    return SCULPT_E_MEMORY;
  } catch (const std::exception& caught) {
    return unexpected(error, method, caught.what());
  } catch (...) {
    return unexpected(error, method, "something that is not a std::exception");
  }
}

// For calls to the host or to another component: a failed status becomes an Error with the callee's
// text.
class ErrorText {
 public:
  ErrorText() : owned_{{buffer_, sizeof buffer_, grow}, this} {}
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;
  sculpt_error* pointer() { return &owned_.raw; }
  void check(sculpt_status status) const {
    if (status != SCULPT_OK) throw Error(status, owned_.raw.text);
  }

 private:
  struct OwnedError {  // `raw` is first: grow() casts its address to OwnedError
    sculpt_error raw;
    ErrorText* owner;
  };
  static sculpt_status grow(sculpt_error* raw, std::int64_t min_capacity) noexcept {
    try {
      ErrorText& self = *reinterpret_cast<OwnedError*>(raw)->owner;
      std::string larger(raw->text);
      larger.resize(static_cast<std::size_t>(min_capacity));
      self.large_ = std::move(larger);
      raw->text = self.large_.data();
      raw->capacity = min_capacity;
      return SCULPT_OK;
    } catch (...) {
      return SCULPT_E_MEMORY;
    }
  }

  char buffer_[256] = "";
  std::string large_;  // for a longer text
  OwnedError owned_;
};

}  // namespace detail

// Calls a function of the host or of another component: function(sculpt_error*). A failed status
// becomes an Error with the callee's text.
template <class Function>
void checked_call(Function&& function) {
  detail::ErrorText error;
  error.check(function(error.pointer()));
}

}  // namespace sculpt
