// source.hpp - the source of a split: a file, or text inside the experiment.
//
// SPDX-License-Identifier: Apache-2.0
//
// For load() of datasets, which most often pass it to a LineReader (reading.hpp). If the host has
// the service of host_source.hpp, it reads the file, and files packed by gzip or zstd come
// unpacked.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "../data.h"
#include "error.hpp"
#include "host_source.hpp"

namespace sculpt {

class Source {
 public:
  // `host` lives as long as the component; nullptr: without its service.
  explicit Source(const sculpt_source& raw, const sculpt_host* host = nullptr)
      : path_(raw.path), host_(host) {
    if (raw.text != nullptr) {
      text_.assign(raw.text, static_cast<std::size_t>(raw.text_size));
      is_inline_ = true;
    }
  }
  const std::string& path() const { return path_; }

  // Returns the whole text. Throws E_MISSING if the file cannot be read, E_DATA if it is packed and
  // damaged, or E_MEMORY if there are too many open files.
  std::string read() const { return read_as<std::string>(); }
  // The same as another kind of std::basic_string<char>, such as LargeText.
  template <class Text>
  Text read_as() const {
    if (is_inline_) return Text(unpacked_text());
    HostSource source = open_blocks();
    if (!source.is_open()) return read_file<Text>();
    Text text;
    struct stat status = {};
    if (::stat(path_.c_str(), &status) == 0) text.reserve(static_cast<std::size_t>(status.st_size));
    for (std::string_view block = source.next_block(); !block.empty();
         block = source.next_block()) {
      text += block;
    }
    return text;
  }

  // Returns the file opened by the host, to read it block by block. It is not open if the host
  // lacks the service, or if the source is text. Throws as read() does.
  HostSource open_blocks() const {
    if (is_inline_ || HostSource::service(host_) == nullptr) return {};
    require_regular();
    return {host_, {sizeof(sculpt_source), 0, path_.c_str(), nullptr, 0}};
  }

 private:
  // Uses the C library: <fstream> and <filesystem> would take most of a plugin's compile time.
  class OpenFile {
   public:
    explicit OpenFile(const std::string& path) : file_(std::fopen(path.c_str(), "rb")) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
      if (file_ != nullptr) std::fclose(file_);
    }
    std::FILE* get() const { return file_; }

   private:
    std::FILE* file_;
  };

  std::string unpacked_text() const {
    if (HostSource::service(host_) == nullptr) return text_;
    HostSource source(host_, {sizeof(sculpt_source), 0, path_.c_str(), text_.data(),
                              static_cast<std::int64_t>(text_.size())});
    return std::string(source.rest());
  }

  // Reads the file without the host.
  template <class Text>
  Text read_file() const {
    require_regular();
    errno = 0;
    const OpenFile file(path_);
    if (file.get() == nullptr) refuse_to_open(errno);
    long size = -1;
    if (std::fseek(file.get(), 0, SEEK_END) == 0) size = std::ftell(file.get());
    if (size < 0) throw missing_error(path_ + ": cannot be read");
    std::rewind(file.get());
    Text text(static_cast<std::size_t>(size), '\0');
    if (std::fread(text.data(), 1, text.size(), file.get()) != text.size()) {
      throw missing_error(path_ + ": cannot be read");
    }
    return text;
  }

  // Called before opening, because opening a pipe would wait for a writer.
  void require_regular() const {
    struct stat status = {};
    if (::stat(path_.c_str(), &status) != 0) return;
    if (S_ISDIR(status.st_mode)) {
      throw missing_error(path_ + ": is a folder; give the path of a file");
    }
    if (!S_ISREG(status.st_mode)) {
      throw missing_error(path_ + ": is not a regular file; write it to one first");
    }
  }

  [[noreturn]] void refuse_to_open(int number) const {
    const std::string reason = number == 0 ? "" : std::string(": ") + std::strerror(number);
    const std::string message = path_ + ": cannot be opened" + reason;
    if (number == EMFILE || number == ENFILE) {
      throw Error(SCULPT_E_MEMORY, message + "; raise ulimit -n, or end other processes");
    }
    throw missing_error(message +
                        (number == EACCES ? "; change its rights (chmod)" : "; check the path"));
  }

  std::string path_;
  const sculpt_host* host_;
  std::string text_;
  bool is_inline_ = false;
};

}  // namespace sculpt
