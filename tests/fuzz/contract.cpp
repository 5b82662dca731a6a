#include "contract.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace sculpt::core::fuzz {
namespace {

// Warnings of every input would bury a finding.
class Silence {
 public:
  Silence() : out_(std::cout.rdbuf(nullptr)), error_(std::cerr.rdbuf(nullptr)) {}
  ~Silence() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(error_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::streambuf* out_;
  std::streambuf* error_;
};

// "letters: load threw: ...", "letters: out of memory": what the SDK's guard (sculpt/cpp/error.hpp)
// says when a check is missing. Other messages may hold these words, which the input holds.
bool is_unexpected(const std::string& text) {
  const std::string front = text.substr(0, text.find(" threw: "));
  const bool is_of_component = std::count(front.begin(), front.end(), ':') == 1 &&
                               front.find_first_of("\"'/#") == std::string::npos;
  return is_of_component && (front != text || text.ends_with(": out of memory"));
}

}  // namespace

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

Parts split_at(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + mark.size())};
}

int expect(std::initializer_list<Exit> exits, const std::function<void()>& use) {
  std::string text;
  Exit exit = Exit::reached;
  try {
    const Silence silence;
    use();
    return 0;
  } catch (const Failure& failure) {
    text = failure.what();
    exit = failure.exit();
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
