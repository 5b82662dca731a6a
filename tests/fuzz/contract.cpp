#include "contract.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace sculpt::core::fuzz {
namespace {

// Silences std::cout and std::cerr, because the warnings of every input would hide a finding.
class SilencedOutput {
 public:
  SilencedOutput() : out_(std::cout.rdbuf(nullptr)), error_(std::cerr.rdbuf(nullptr)) {}
  ~SilencedOutput() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(error_);
  }
  SilencedOutput(const SilencedOutput&) = delete;
  SilencedOutput& operator=(const SilencedOutput&) = delete;

 private:
  std::streambuf* out_;
  std::streambuf* error_;
};

// Whether the text is a message of the SDK's guard (sculpt/cpp/error.hpp) for a missing check:
// "letters: load threw: ..." or "letters: out of memory". Other messages may quote these words from
// the input.
bool is_unexpected(const std::string& text) {
  const std::string before = text.substr(0, text.find(" threw: "));
  const bool is_of_component = std::count(before.begin(), before.end(), ':') == 1 &&
                               before.find_first_of("\"'/#") == std::string::npos;
  return is_of_component && (before != text || text.ends_with(": out of memory"));
}

}  // namespace

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

Parts split_at(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + separator.size())};
}

int expect(std::initializer_list<Exit> exits, const std::function<void()>& use) {
  std::string text;
  Exit exit = Exit::reached;
  try {
    const SilencedOutput silenced;
    use();
    return 0;
  } catch (const Failure& failure) {
    text = failure.what();
    exit = failure.exit_code();
  }
  if (std::getenv("FUZZ_TELL") != nullptr)
    std::cerr << static_cast<int>(exit) << ": " << text << "\n";
  const bool allowed = std::find(exits.begin(), exits.end(), exit) != exits.end();
  const bool unexpected = text.empty() || (exit == Exit::plugin && is_unexpected(text));
  if (allowed && !unexpected) return 0;
  std::cerr << "a refusal that must not be, exit " << static_cast<int>(exit) << ": " << text
            << std::endl;
  std::abort();
}

}  // namespace sculpt::core::fuzz
