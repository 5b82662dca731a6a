#include "command/manual/man_reader.hpp"

#include <csignal>
#include <cstdio>

namespace sculpt::core {

bool open_in_man(const std::string& page) {
  std::FILE* const reader = ::popen("exec man -l - 2>/dev/null", "w");
  if (reader == nullptr) return false;
  // After the start of the reader, which keeps the usual action.
  std::signal(SIGPIPE, SIG_IGN);
  std::fwrite(page.data(), 1, page.size(), reader);
  return ::pclose(reader) == 0;
}

}  // namespace sculpt::core
