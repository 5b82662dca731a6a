#include "command/command_call.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>

#include "command/command.hpp"

namespace sculpt::test {
namespace {

// Sends stdout and stderr of this process to /dev/null.
class HiddenOutput {
 public:
  HiddenOutput() {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    flush();
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  ~HiddenOutput() {
    flush();
    ::dup2(out_, STDOUT_FILENO);
    ::dup2(err_, STDERR_FILENO);
    ::close(out_);
    ::close(err_);
  }
  HiddenOutput(const HiddenOutput&) = delete;
  HiddenOutput& operator=(const HiddenOutput&) = delete;

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(nullptr);
  }
  int out_ = ::dup(STDOUT_FILENO);
  int err_ = ::dup(STDERR_FILENO);
};

CommandEnd end_of(core::Exit exit, const std::string& text = "") {
  return {static_cast<int>(exit), text};
}

}  // namespace

CommandEnd call_command(const std::vector<std::string>& words) {
  const auto commands = core::commands();
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const auto& entry) { return words.at(0) == entry.name; });
  const HiddenOutput hidden;
  try {
    return end_of(command->run({words.begin() + 1, words.end()}));
  } catch (const core::Failure& failure) {
    return end_of(failure.exit_code(), failure.what());
  } catch (const std::bad_alloc& error) {
    return end_of(core::Exit::memory, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return end_of(core::Exit::cannot_create, error.what());
  } catch (const std::exception& error) {
    return end_of(core::Exit::internal, error.what());
  }
}

}  // namespace sculpt::test
