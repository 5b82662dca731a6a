// host_source.hpp - the service of the host that reads files, also packed ones and pipes.
//
// SPDX-License-Identifier: Apache-2.0
//
// Source and LineReader (reading.hpp) use it if the host offers it: then each dataset that reads
// with them also reads .gz and .zst. Use it directly to read lines from a pipe as they come.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "../ext/draft/host_source.h"
#include "error.hpp"

namespace sculpt {

// An open source. What it returns is valid until its next call. Every function throws the error of
// the host, which begins with the path. One thread at a time.
class HostSource {
 public:
  // Returns the service of the host, or nullptr.
  static const sculpt_host_source* service(const sculpt_host* host) {
    return host == nullptr
               ? nullptr
               : static_cast<const sculpt_host_source*>(host->extension(host, SCULPT_HOST_SOURCE));
  }

  HostSource() = default;  // not open
  // Opens the source. What it points to must outlive this object. Throws E_UNSUPPORTED if the host
  // lacks the service.
  HostSource(const sculpt_host* host, const sculpt_source& source) : service_(service(host)) {
    if (service_ == nullptr) {
      throw unsupported_error("this host has no service " SCULPT_HOST_SOURCE
                              "; use a newer version of sculpt");
    }
    checked_call(
        [&](sculpt_error* error) { return service_->open(host, &source, &reader_, error); });
  }
  HostSource(HostSource&& other) noexcept
      : service_(other.service_),
        reader_(std::exchange(other.reader_, nullptr)),
        line_number_(other.line_number_) {}
  HostSource& operator=(HostSource&& other) noexcept {
    std::swap(service_, other.service_);
    std::swap(reader_, other.reader_);
    std::swap(line_number_, other.line_number_);
    return *this;
  }
  ~HostSource() {
    if (reader_ != nullptr) service_->close(reader_);
  }

  bool is_open() const { return reader_ != nullptr; }
  // Returns the next block of bytes, empty at the end.
  std::string_view next_block() { return bytes_by(service_->next_block); }
  // Returns all bytes that are not yet read.
  std::string_view rest() { return bytes_by(service_->rest); }
  // Returns the next line without its line end, nullopt at the end.
  std::optional<std::string_view> next_line() {
    const char* line = nullptr;
    std::int64_t size = 0;
    checked_call([&](sculpt_error* error) {
      return service_->next_line(reader_, &line, &size, &line_number_, error);
    });
    if (line == nullptr) return std::nullopt;
    return std::string_view(line, static_cast<std::size_t>(size));
  }
  std::int64_t line_number() const { return line_number_; }  // of the last line, from 1

 private:
  std::string_view bytes_by(decltype(sculpt_host_source::rest) function) {
    const char* bytes = nullptr;
    std::int64_t size = 0;
    checked_call([&](sculpt_error* error) { return function(reader_, &bytes, &size, error); });
    return {bytes, static_cast<std::size_t>(size)};
  }

  const sculpt_host_source* service_ = nullptr;
  sculpt_source_reader* reader_ = nullptr;
  std::int64_t line_number_ = 0;
};

}  // namespace sculpt
