#include "command/manual/man_reader.hpp"

#include <csignal>
#include <cstdio>

#include "base/text/text_out.hpp"
#include "command/manual/plain_page.hpp"

namespace sculpt::core {
namespace {

// False if there is no man(1), or if it cannot read a page from a pipe.
bool opens_in_man(const std::string& page) {
  std::FILE* const reader = ::popen("exec man -l - 2>/dev/null", "w");
  if (reader == nullptr) return false;
  // After the start of the reader, which keeps the usual action.
  std::signal(SIGPIPE, SIG_IGN);
  std::fwrite(page.data(), 1, page.size(), reader);
  return ::pclose(reader) == 0;
}

}  // namespace

void show_man_page(const std::string& page) {
  if (!opens_in_man(page)) report_out().lines(plain_page(page));
}

}  // namespace sculpt::core
