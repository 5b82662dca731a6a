// SourceReader: blocks and lines of files, pipes and memory, packed or not.

#include "base/file/source_reader.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "base/cancelled.hpp"
#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "packed_text.hpp"

namespace sculpt::core {
namespace {

using sculpt::test::gzip;
using sculpt::test::zstd;
using sculpt::test::zstd_with_window;
using test::ScratchFolder;

SourceReader reader_of(std::string_view bytes) {
  return SourceReader(unpacked(open_memory_bytes(bytes), "memory"));
}

std::vector<std::string> lines_of(std::string_view bytes) {
  SourceReader reader = reader_of(bytes);
  std::vector<std::string> lines;
  while (const auto line = reader.next_line()) lines.emplace_back(*line);
  CHECK(reader.line_number() == static_cast<std::int64_t>(lines.size()));
  return lines;
}

// Numbers, one a line, in several blocks of the reader.
std::string many_lines() {
  std::string text;
  for (int k = 0; k < 100000; ++k) text += std::to_string(k * 7919) + "\n";
  return text;
}

// What reading these bytes is refused with, in exit code and text.
Refusal refusal_of_bytes(const std::string& bytes) {
  return refusal_of([&] { (void)reader_of(bytes).rest(); });
}
bool is_refused(const std::string& bytes, const std::string& text) {
  const Refusal refusal = refusal_of_bytes(bytes);
  return refusal.exit == Exit::data && refusal.text == text;
}

using Lines = std::vector<std::string>;

TEST_CASE("lines end with LF or CRLF, the last one also with the source") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a") == Lines{"a"});
  CHECK(lines_of("a\n") == Lines{"a"});
  CHECK(lines_of("\n\na\r\n\r\nb\r") == Lines{"", "", "a", "", "b"});
  CHECK(lines_of("\xEF\xBB\xBF"
                 "a\n\xEF\xBB\xBF"
                 "b") == Lines{"a",
                               "\xEF\xBB\xBF"
                               "b"});
  CHECK(lines_of("\xEF\xBB\xBF").empty());
  CHECK(lines_of(std::string("a\0b\n", 4)) == Lines{std::string("a\0b", 3)});
}

TEST_CASE("a line may span any number of blocks") {
  const std::string giant(3000001, 'x');
  CHECK(lines_of("a\n" + giant + "\nb\n" + giant) == Lines{"a", giant, "b", giant});
}

TEST_CASE("packed and plain bytes give the same lines, blocks and rest") {
  const std::string text = many_lines();
  const Lines lines = lines_of(text);
  REQUIRE(lines.size() == 100000);
  const std::string half = text.substr(0, text.size() / 2);
  const std::string other = text.substr(half.size());
  const std::string skippable("\x53\x2A\x4D\x18\x04\0\0\0....", 12);  // a frame without text
  for (const std::string& bytes : {text, gzip(text), zstd(text), gzip(half) + gzip(other),
                                   zstd(half) + zstd(other), skippable + zstd(text)}) {
    CHECK(lines_of(bytes) == lines);
    CHECK(reader_of(bytes).rest() == text);
    SourceReader reader = reader_of(bytes);
    CHECK(reader.next_line() == "0");
    CHECK(reader.next_line() == "7919");
    std::string blocks(reader.next_block());
    CHECK(blocks.size() < text.size());
    blocks += reader.rest();
    CHECK(blocks == text.substr(7));
    CHECK(reader.next_block().empty());
    CHECK_FALSE(reader.next_line().has_value());
  }
  CHECK(reader_of(gzip("")).rest().empty());
  CHECK(reader_of(zstd("")).rest().empty());
}

TEST_CASE("packed bytes may end where a block ends") {
  const std::size_t block = std::size_t{1} << 18;
  for (const std::size_t size : {block - 1, block, block + 1, 2 * block, 3 * block}) {
    CAPTURE(size);
    std::string text(size, 'a');
    for (std::size_t k = 0; k < size; k += 7) text[k] = static_cast<char>('a' + k % 26);
    CHECK(reader_of(text).rest() == text);
    CHECK(reader_of(gzip(text)).rest() == text);
    CHECK(reader_of(zstd(text)).rest() == text);
    CHECK(reader_of(zstd(text) + zstd(text)).rest() == text + text);
    CHECK(reader_of(gzip(text) + gzip(text)).rest() == text + text);
  }
}

TEST_CASE("the first bytes tell that a file is packed, not its name") {
  const ScratchFolder folder;
  const std::string path = (folder.path() / "plain.txt").string();
  std::ofstream(path, std::ios::binary) << gzip("inside\n");
  SourceReader reader(unpacked(open_file_bytes(path), path));
  CHECK(reader.rest() == "inside\n");
  for (const char* text :
       {"(", "(a", "P", "P*", "P*M", "\x1F", "\x1F\x8B", "\x1F\x8B\x07", "X*M?"}) {
    CHECK(reader_of(text).rest() == text);
  }
}

TEST_CASE("packed data that end too early are refused, wherever they end") {
  const std::string text = many_lines();
  for (const bool is_gzip : {true, false}) {
    const std::string packed = is_gzip ? gzip(text) : zstd(text);
    const std::string expected = std::string("memory: ends in the middle of its ") +
                                 (is_gzip ? "gzip" : "zstd") +
                                 " data; get a complete copy, or pack it again";
    for (std::size_t size = 4; size < packed.size(); size += 1 + packed.size() / 200) {
      CAPTURE(size);
      CHECK(is_refused(packed.substr(0, size), expected));
    }
    CHECK(is_refused(packed.substr(0, packed.size() - 1), expected));
    CHECK(is_refused(packed + packed.substr(0, packed.size() / 2), expected));
    CHECK(refusal_of_bytes(packed).exit == Exit::reached);
  }
}

TEST_CASE("damaged packed data are refused") {
  const std::string text = many_lines();
  for (const bool is_gzip : {true, false}) {
    const std::string packed = is_gzip ? gzip(text) : zstd(text);
    CHECK(refusal_of_bytes(packed + "more").says("data are damaged"));
    if (is_gzip) {  // zstd adds a checksum only on request
      std::string damaged = packed;
      damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 1);
      CHECK(refusal_of_bytes(damaged).says("memory: its gzip data are damaged ("));
    }
  }
}

TEST_CASE("zeros behind gzip data are padding, of any length") {
  const std::string packed = gzip("a\nb\n");
  for (const std::size_t size : {1U, 511U, 1000000U}) {
    const std::string zeros(size, '\0');
    CHECK(reader_of(packed + zeros).rest() == "a\nb\n");
    CHECK(reader_of(packed + zeros + packed).rest() == "a\nb\na\nb\n");
    CHECK(refusal_of_bytes(packed + zeros + "more").says("data are damaged"));
  }
}

TEST_CASE("zstd data with windows larger than the default of the library are read") {
  const std::string text = many_lines();
  CHECK(reader_of(zstd_with_window(text, 28)).rest() == text);
}

TEST_CASE("zstd data that need a larger window or a dictionary are refused with what to do") {
  // The byte of a frame header behind the flags: exponent 25, so a window of 2^35 bytes.
  const std::string too_large("\x28\xB5\x2F\xFD\x00\xC8\x01\x00\x00", 9);
  CHECK(is_refused(too_large,
                   "memory: its zstd data need a window above 2 GB; pack it again with a smaller "
                   "--long"));
  const std::string with_dictionary("\x28\xB5\x2F\xFD\x21\x07\x01\x09\x00\x00x", 11);
  CHECK(is_refused(with_dictionary,
                   "memory: its zstd data need a dictionary; pack it again without one"));
}

TEST_CASE("a missing file and a folder are refused with the path") {
  for (const auto& [path, what] :
       {std::pair{"/no/such/file", ": cannot be opened: No such file or directory; check the path"},
        std::pair{"/", ": is a folder; give the path of a file"}}) {
    const Refusal refusal = refusal_of([&path = path] { open_file_bytes(path); });
    CHECK(refusal.exit == Exit::missing);
    CHECK(refusal.text == path + std::string(what));
  }
}

// Both ends of a pipe. Its reading end has a path.
struct Pipe {
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  std::string path() const { return "/dev/fd/" + std::to_string(ends[0]); }
  void write(std::string_view text) const {
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends = {-1, -1};
};

TEST_CASE("a pipe gives a line as soon as it is complete") {
  Pipe pipe;
  pipe.write("1\n");
  SourceReader reader(unpacked(open_file_bytes(pipe.path()), pipe.path()));
  CHECK(reader.next_line() == "1");
  pipe.write("2");
  pipe.write("3\n4");
  CHECK(reader.next_line() == "23");
  pipe.close_writer();
  CHECK(reader.next_line() == "4");
  CHECK_FALSE(reader.next_line().has_value());
}

TEST_CASE("opening a source reads nothing, so it does not wait for the first byte of a pipe") {
  Pipe pipe;
  std::unique_ptr<ByteInput> input;
  // Reading would wait, and end by this request to stop.
  CHECK_NOTHROW(input = unpacked(open_file_bytes(pipe.path(), [] { return true; }), pipe.path()));
  CHECK_THROWS_AS(input->read(), Cancelled);
  SourceReader reader(unpacked(open_file_bytes(pipe.path()), pipe.path()));
  pipe.write(gzip("a\n"));
  CHECK(reader.next_line() == "a");
}

TEST_CASE("a packed pipe is recognised also if its first bytes come one by one") {
  const std::string packed = gzip("a\nb\n");
  Pipe pipe;
  pipe.write(packed.substr(0, 1));
  int polls = 0;  // writes the second byte only after the first one was read
  const auto write_more = [&] {
    if (++polls == 2) pipe.write(packed.substr(1, 1));
    if (polls == 5) {
      pipe.write(packed.substr(2));
      pipe.close_writer();
    }
    return false;
  };
  SourceReader reader(unpacked(open_file_bytes(pipe.path(), write_more), pipe.path()));
  CHECK(reader.rest() == "a\nb\n");
}

TEST_CASE("waiting for a pipe, or for its writer, ends with a request to stop") {
  const Pipe pipe;
  const ScratchFolder folder;
  const std::string named_pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(named_pipe.c_str(), 0600) == 0);
  for (const std::string& path : {pipe.path(), named_pipe}) {
    int asked = 0;
    const auto cancelled = [&asked] { return ++asked > 2; };
    SourceReader reader(open_file_bytes(path, cancelled));
    CHECK_THROWS_AS(reader.next_line(), Cancelled);
  }
}

}  // namespace
}  // namespace sculpt::core
