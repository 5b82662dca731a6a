// LineReader and Source with a host that reads the files for them (sculpt/cpp/host_source.hpp).

#include <doctest/doctest.h>
#include <sculpt/ext/draft/host_source.h>

#include <algorithm>
#include <cstring>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

// What the fake host lends: its text in blocks of some bytes, each in the same memory.
struct sculpt_source_reader {
  std::string text;
  std::size_t position = 0;
  std::string block;
  std::size_t block_size;
  std::int64_t line_number = 0;
};

namespace {

struct FakeHost {
  FakeHost(std::string content, std::size_t bytes) : text(std::move(content)), block_size(bytes) {}
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  static FakeHost& of(const sculpt_host* host) { return *static_cast<FakeHost*>(host->self); }
  static sculpt_status open(const sculpt_host* host, const sculpt_source* source,
                            sculpt_source_reader** out, sculpt_error* error) {
    FakeHost& self = of(host);
    if (self.status != SCULPT_OK) {
      sculpt::detail::write_error(error, std::string(source->path) + ": refused");
      return self.status;
    }
    const std::string text =
        source->text == nullptr
            ? self.text
            : "unpacked " + std::string(source->text, static_cast<std::size_t>(source->text_size));
    *out = new sculpt_source_reader{text, 0, "", self.block_size};
    open_count += 1;
    return SCULPT_OK;
  }
  static sculpt_status next_block(sculpt_source_reader* reader, const char** bytes,
                                  std::int64_t* size, sculpt_error*) {
    // Overwrites the last block, so that nobody can use it any more.
    std::fill(reader->block.begin(), reader->block.end(), '#');
    reader->block = reader->text.substr(reader->position, reader->block_size);
    reader->position += reader->block.size();
    *bytes = reader->block.data();
    *size = static_cast<std::int64_t>(reader->block.size());
    return SCULPT_OK;
  }
  static sculpt_status rest(sculpt_source_reader* reader, const char** bytes, std::int64_t* size,
                            sculpt_error*) {
    *bytes = reader->text.data() + reader->position;
    *size = static_cast<std::int64_t>(reader->text.size() - reader->position);
    reader->position = reader->text.size();
    return SCULPT_OK;
  }
  static sculpt_status next_line(sculpt_source_reader* reader, const char** line,
                                 std::int64_t* size, std::int64_t* number, sculpt_error*) {
    const std::size_t begin = reader->position;
    const std::size_t end = reader->text.find('\n', begin);
    *line = begin < reader->text.size() ? reader->text.data() + begin : nullptr;
    *size = static_cast<std::int64_t>(std::min(end, reader->text.size()) - begin);
    *number = ++reader->line_number;
    reader->position = end == std::string::npos ? reader->text.size() : end + 1;
    return SCULPT_OK;
  }
  static void close(sculpt_source_reader* reader) {
    open_count -= 1;
    delete reader;
  }
  static const void* extension(const sculpt_host*, const char* id) {
    static constexpr sculpt_host_source service = {open, next_block, rest, next_line, close};
    return std::strcmp(id, SCULPT_HOST_SOURCE) == 0 ? &service : nullptr;
  }

  std::string text;
  std::size_t block_size;
  sculpt_status status = SCULPT_OK;
  static inline int open_count = 0;
  sculpt_host raw{sizeof(sculpt_host), {0, 2}, this, "0.2.0", extension};
};

constexpr sculpt_source file{sizeof(sculpt_source), 0, "no such file", nullptr, 0};

using Lines = std::vector<std::string>;

Lines lines_of(sculpt::LineReader reader) {
  Lines lines;
  while (reader.next()) {
    lines.emplace_back(reader.line());
    CHECK(reader.number() == static_cast<std::int64_t>(lines.size()));
  }
  CHECK_FALSE(reader.next());
  return lines;
}

TEST_CASE("lines of a file that the host reads do not depend on its blocks") {
  const std::string long_line(1000, 'x');
  for (const std::string& text :
       {std::string(""), std::string("\n"), std::string("a"), std::string("\xEF\xBB\xBF"),
        std::string("a\n\r\n\nbc\r\nd"), "\xEF\xBB\xBF" + long_line + "\n\n" + long_line}) {
    const sculpt_source inline_text{sizeof(sculpt_source), 0, "inline", text.data(),
                                    static_cast<std::int64_t>(text.size())};
    const Lines expected = lines_of(sculpt::LineReader(sculpt::Source(inline_text)));
    for (const std::size_t bytes : std::vector<std::size_t>{1, 2, 3, 7, 5000}) {
      CAPTURE(bytes);
      FakeHost host(text, bytes);
      const sculpt::Source source(file, &host.raw);
      CHECK(source.read() == text);
      CHECK(lines_of(sculpt::LineReader(source)) == expected);
      CHECK(lines_of(sculpt::LineReader(source, sculpt::LineLife::until_next)) == expected);
    }
  }
  CHECK(FakeHost::open_count == 0);
}

TEST_CASE("lines of a reader that keeps the text live as long as the reader") {
  FakeHost host("first\nsecond\nthird\n", 4);
  sculpt::LineReader reader(sculpt::Source(file, &host.raw));
  std::vector<std::string_view> views;
  while (reader.next()) views.push_back(reader.line());
  CHECK(views == std::vector<std::string_view>{"first", "second", "third"});
}

TEST_CASE("lines that the host reads keep their numbers if the reader moves") {
  FakeHost host("first\nsecond\nthird", 4);
  sculpt::HostSource source(&host.raw, file);
  CHECK(source.next_line() == "first");
  CHECK(source.next_line() == "second");
  sculpt::HostSource moved(std::move(source));
  CHECK(moved.line_number() == 2);
  CHECK_FALSE(source.is_open());  // NOLINT(bugprone-use-after-move)
  sculpt::HostSource assigned;
  assigned = std::move(moved);
  CHECK(assigned.line_number() == 2);
  CHECK(assigned.next_line() == "third");
  CHECK(assigned.line_number() == 3);
  CHECK_FALSE(assigned.next_line().has_value());
}

TEST_CASE("an error of the host is that of the reader") {
  FakeHost host("", 1);
  for (const sculpt_status status : {SCULPT_E_MISSING, SCULPT_E_DATA, SCULPT_E_CANCELLED}) {
    host.status = status;
    for (const auto life : {sculpt::LineLife::reader, sculpt::LineLife::until_next}) {
      try {
        const sculpt::LineReader reader(sculpt::Source(file, &host.raw), life);
        FAIL("was opened");
      } catch (const sculpt::Error& error) {
        CHECK(error.status() == status);
        CHECK(error.what() == std::string("no such file: refused"));
      }
    }
  }
}

TEST_CASE("text of the experiment is unpacked by the host too") {
  FakeHost host("", 1);
  const sculpt_source inline_text{sizeof(sculpt_source), 0, "inline", "text", 4};
  CHECK(sculpt::Source(inline_text, &host.raw).read() == "unpacked text");
  CHECK(lines_of(sculpt::LineReader(sculpt::Source(inline_text, &host.raw),
                                    sculpt::LineLife::until_next)) == Lines{"unpacked text"});
}

TEST_CASE("a source that is opened without the service is refused") {
  try {
    const sculpt::HostSource source(nullptr, file);
    FAIL("was opened");
  } catch (const sculpt::Error& error) {
    CHECK(error.status() == SCULPT_E_UNSUPPORTED);
    CHECK(std::string(error.what()).find(SCULPT_HOST_SOURCE) != std::string::npos);
  }
}

}  // namespace
