// Where the text of a pipe is cut into parts.

#include "command/inputs/piped_text.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace sculpt::core {
namespace {

struct NamedPipe {
  NamedPipe() : path(std::filesystem::temp_directory_path() / ("pipe" + std::to_string(getpid()))) {
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    writer = ::open(path.c_str(), O_RDWR);  // opens without a reader
  }
  ~NamedPipe() {
    if (writer >= 0) ::close(writer);
    std::filesystem::remove(path);
  }
  NamedPipe(const NamedPipe&) = delete;
  NamedPipe& operator=(const NamedPipe&) = delete;
  void write(const std::string& text) const {
    REQUIRE(::write(writer, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  std::filesystem::path path;
  int writer;
};

}  // namespace

TEST_CASE("a text is cut behind its last line, or behind its last blank line") {
  CHECK(size_of_parts("ab\ncd", PartEnd::line) == 3);
  CHECK(size_of_parts("ab\r\n", PartEnd::line) == 4);
  CHECK(size_of_parts("abcd", PartEnd::line) == 0);
  CHECK(size_of_parts("", PartEnd::line) == 0);
  CHECK(size_of_parts("a\n\nb\nc", PartEnd::blank_line) == 3);
  CHECK(size_of_parts("a\n \t\r\nb\n", PartEnd::blank_line) == 6);
  CHECK(size_of_parts("\nb\n", PartEnd::blank_line) == 1);
  CHECK(size_of_parts("a\nb\n", PartEnd::blank_line) == 0);
  CHECK(size_of_parts("a\n\n", PartEnd::none) == 0);
}

TEST_CASE("halves of a part are whole parts, with their lines, until it has one end") {
  const auto halves = halves_of({"a\nb\nc\nd\n", 7}, PartEnd::line);
  REQUIRE(halves.has_value());
  CHECK(halves->first.text == "a\nb\n");
  CHECK(halves->first.first_line == 7);
  CHECK(halves->second.text == "c\nd\n");
  CHECK(halves->second.first_line == 9);
  CHECK_FALSE(halves_of({"a\n", 1}, PartEnd::line).has_value());
  CHECK_FALSE(halves_of({"a", 1}, PartEnd::line).has_value());
  CHECK_FALSE(halves_of({"a\nb\n\n", 1}, PartEnd::blank_line).has_value());
  CHECK_FALSE(halves_of({"a\n\nb\n\n", 1}, PartEnd::none).has_value());
  const auto sentences = halves_of({"a\nlonger\n\nb\n\n", 1}, PartEnd::blank_line);
  REQUIRE(sentences.has_value());
  CHECK(sentences->first.text == "a\nlonger\n\n");
  CHECK(sentences->second.first_line == 4);
}

TEST_CASE("a pipe gives the lines that have come, and waits for no more") {
  const NamedPipe pipe;
  CHECK(is_pipe(pipe.path.string()));
  CHECK(is_pipe("-"));
  CHECK(is_pipe("/dev/null"));
  CHECK_FALSE(is_pipe("/"));
  CHECK_FALSE(is_pipe("/no such file"));
  PipedText text(pipe.path.string(), PartEnd::line, {});
  pipe.write("1\n2\n3");
  auto part = text.next();
  REQUIRE(part.has_value());
  CHECK(part->text == "1\n2\n");
  pipe.write("4\n");
  part = text.next();
  REQUIRE(part.has_value());
  CHECK(part->text == "34\n");
  CHECK(part->first_line == 3);
}

TEST_CASE("a text without an end is one part at the end of the pipe") {
  NamedPipe pipe;
  PipedText text(pipe.path.string(), PartEnd::none, {});
  pipe.write("1\n2\n3");
  ::close(pipe.writer);
  pipe.writer = -1;
  const auto part = text.next();
  REQUIRE(part.has_value());
  CHECK(part->text == "1\n2\n3");
  CHECK_FALSE(text.next().has_value());
}

}  // namespace sculpt::core
