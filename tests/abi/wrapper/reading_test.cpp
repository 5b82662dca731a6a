// LineReader and Source: lines, fields, numbers and their error messages.

#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <random>
#include <sculpt/cpp/sparse_rows.hpp>
#include <sculpt/sculpt.hpp>

namespace {

sculpt::LineReader reader_of(const std::string& text) {
  const sculpt_source raw{sizeof(sculpt_source), 0, "a.txt", text.data(),
                          static_cast<std::int64_t>(text.size())};
  return sculpt::LineReader(sculpt::Source(raw));
}

std::vector<std::string> lines_of(const std::string& text) {
  sculpt::LineReader reader = reader_of(text);
  std::vector<std::string> lines;
  while (reader.next()) lines.emplace_back(reader.line());
  return lines;
}

using Lines = std::vector<std::string>;

// Returns the error text of reading the last field of `line` as a number, or "".
std::string refusal(const std::string& line, bool is_integer) {
  sculpt::LineReader reader = reader_of(line);
  REQUIRE(reader.next());
  const sculpt::Field field = reader.fields().back();
  try {
    is_integer ? static_cast<void>(reader.integer(field, "a label"))
               : static_cast<void>(reader.real(field, "a value"));
  } catch (const sculpt::Error& error) {
    CHECK(error.status() == SCULPT_E_DATA);
    return error.what();
  }
  return "";
}

std::int64_t integer_of(const std::string& line) {
  sculpt::LineReader reader = reader_of(line);
  REQUIRE(reader.next());
  return reader.integer(reader.fields().at(0), "a label");
}
double real_of(const std::string& line) {
  sculpt::LineReader reader = reader_of(line);
  REQUIRE(reader.next());
  return reader.real(reader.fields().at(0), "a value");
}

TEST_CASE("lines end in LF, in CRLF or at the end of the file") {
  CHECK(lines_of("a\nb\n") == Lines{"a", "b"});
  CHECK(lines_of("a\r\nb\r\n") == Lines{"a", "b"});
  CHECK(lines_of("a\nb") == Lines{"a", "b"});
  CHECK(lines_of("a\r\nb\r") == Lines{"a", "b"});
  CHECK(lines_of("a\n\n\nb") == Lines{"a", "", "", "b"});
}

TEST_CASE("an empty file has no line, a newline alone is one empty line") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n") == Lines{""});
  CHECK(lines_of("\r\n") == Lines{""});
}

TEST_CASE("a byte order mark is skipped only at the start") {
  CHECK(lines_of("\xEF\xBB\xBF"
                 "a\nb") == Lines{"a", "b"});
  CHECK(lines_of("\xEF\xBB\xBF").empty());
  CHECK(lines_of("a\n\xEF\xBB\xBF"
                 "b") == Lines{"a",
                               "\xEF\xBB\xBF"
                               "b"});
}

TEST_CASE("fields are separated by blanks and tabs, and have a column") {
  sculpt::LineReader reader = reader_of("  a\tbc   d \n");
  REQUIRE(reader.next());
  const auto& fields = reader.fields();
  REQUIRE(fields.size() == 3);
  CHECK(fields[0].text == "a");
  CHECK(fields[0].column == 2);
  CHECK(fields[1].text == "bc");
  CHECK(fields[1].column == 4);
  CHECK(fields[2].column == 9);
}

TEST_CASE("lines are counted from 1, and errors have path, line and column") {
  sculpt::LineReader reader = reader_of("a\n\nb c\n");
  while (reader.next()) {
  }
  CHECK(reader.number() == 3);
  CHECK(std::string(reader.error(2, "no such label").what()) == "a.txt:3:3: no such label");
}

TEST_CASE("whole numbers may have a sign") {
  CHECK(integer_of("17") == 17);
  CHECK(integer_of("-3") == -3);
  CHECK(integer_of("+3") == 3);
  CHECK(integer_of("9223372036854775807") == INT64_MAX);
}

TEST_CASE("the error for text that is no whole number has the text and its place") {
  CHECK(refusal("1 10abc", true) == "a.txt:1:3: '10abc' is not a label");
  for (const char* text : {"1.5", "1e3", "+", "-", "+-3", "++3", "0x10", "1e"}) {
    CAPTURE(text);
    CHECK(refusal(text, true) == "a.txt:1:1: '" + std::string(text) + "' is not a label");
  }
}

TEST_CASE("the error for a whole number beyond 64 bits says that it is too large") {
  const std::string remedy =
      "' is too large; whole numbers are from -9223372036854775808 to 9223372036854775807";
  for (const std::string text :
       {"9223372036854775808", "+99999999999999999999", "-9223372036854775809"}) {
    CAPTURE(text);
    CHECK(refusal(text, true) == "a.txt:1:1: '" + text + remedy);
  }
  CHECK(refusal("9999999999999999999x", true) ==
        "a.txt:1:1: '9999999999999999999x' is not a label");
  sculpt::LineReader reader = reader_of("9999999999999999999 -9999999999999999999");
  REQUIRE(reader.next());
  CHECK(reader.clamped_integer(reader.fields().at(0), "a label") == INT64_MAX);
  CHECK(reader.clamped_integer(reader.fields().at(1), "a label") == INT64_MIN);
}

TEST_CASE("real numbers are read exactly") {
  CHECK(real_of("0.1") == 0.1);
  CHECK(real_of("+2.5e-3") == 2.5e-3);
  CHECK(real_of("-.5") == -0.5);
  CHECK(real_of("1e-310") == 1e-310);  // denormal
}

TEST_CASE("the error for text that is no finite number has the text and its place") {
  CHECK(refusal("1 2:x", false) == "a.txt:1:3: '2:x' is not a value; a finite number is expected");
  for (const char* text : {"nan", "inf", "-inf", "0x10", "1e", "--1", "1.5.2", "1e400x"}) {
    CAPTURE(text);
    CHECK(refusal(text, false) ==
          "a.txt:1:1: '" + std::string(text) + "' is not a value; a finite number is expected");
  }
  CHECK(refusal("1,5", false) ==
        "a.txt:1:1: '1,5' is not a value; a finite number is expected, with a point in place of "
        "the comma");
}

TEST_CASE("the error for a number beyond the range of double says that it is too large") {
  const std::string nines(400, '9');
  for (const std::string& text :
       {std::string("1e400"), std::string("-1e400"), std::string("+1E+400"),
        std::string("0.001e400"), std::string("1e99999999999999999999"), nines, nines + "e-20"}) {
    CAPTURE(text);
    const std::string shown = sculpt::shown(text);
    CHECK(refusal(text, false) ==
          "a.txt:1:1: " + shown + " is too large; numbers are from -1.79e308 to 1.79e308");
  }
}

TEST_CASE("a number too small for a double is read as zero") {
  CHECK(real_of("1e-400") == 0);
  CHECK(real_of("-1e-400") == 0);
  CHECK(real_of("1e-99999999999999999999") == 0);
  CHECK(real_of("0." + std::string(400, '0') + "1") == 0);
  CHECK(real_of("0." + std::string(400, '0') + "1e20") == 0);
  CHECK(real_of("1234e-400") == 0);
}

TEST_CASE("a missing file and a folder have the status MISSING") {
  for (const char* path : {"/no/such/file", "/"}) {
    const sculpt_source raw{sizeof(sculpt_source), 0, path, nullptr, 0};
    try {
      sculpt::Source(raw).read();
      FAIL("was read");
    } catch (const sculpt::Error& error) {
      CHECK(error.status() == SCULPT_E_MISSING);
      CHECK(std::string(error.what()).starts_with(path));
    }
  }
}

TEST_CASE("a message quotes text of the data, and cuts long text between characters") {
  CHECK(sculpt::shown("") == "''");
  CHECK(sculpt::shown("Stra\xC3\x9F"
                      "e") ==
        "'Stra\xC3\x9F"
        "e'");
  CHECK(sculpt::shown(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  CHECK(sculpt::shown(std::string(1000000, 'x')) == "'" + std::string(60, 'x') + "...'");
  const std::string letters = std::string(59, 'x') + "\xC3\x9F" + "y";
  CHECK(sculpt::shown(letters) == "'" + std::string(59, 'x') + "...'");
  // bytes that are no characters: cut anywhere
  CHECK(sculpt::shown(std::string(100, '\x80')) == "'" + std::string(57, '\x80') + "...'");
}

TEST_CASE("a zero byte in the data does not end the message") {
  CHECK(refusal(std::string("1\0", 2) + "2", true) == "a.txt:1:1: '1\\x002' is not a label");
  CHECK(refusal(std::string("\0", 1), false) ==
        "a.txt:1:1: '\\x00' is not a value; a finite number is expected");
}

TEST_CASE("a file is read with all its bytes, also zero bytes") {
  const auto path = std::filesystem::temp_directory_path() / "sculpt_reading_test.bin";
  const std::string content("a\0b\r\n", 5);
  std::ofstream(path, std::ios::binary) << content;
  const std::string name = path.string();
  const sculpt_source raw{sizeof(sculpt_source), 0, name.c_str(), nullptr, 0};
  CHECK(sculpt::Source(raw).read() == content);
  std::filesystem::remove(path);
}

}  // namespace

TEST_CASE("characters after a number are not read") {
  // without e-5 the number is beyond double
  const std::string text = "1" + std::string(400, '0') + "e-5";
  sculpt::LineReader reader = reader_of(text);
  REQUIRE(reader.next());
  const std::string_view cut(text.data(), text.size() - 2);
  CHECK_THROWS_AS(reader.real({cut, 0}, "a value"), sculpt::Error);
  CHECK_THROWS_AS(reader.real({std::string_view(text.data(), text.size() - 3), 0}, "a value"),
                  sculpt::Error);
  CHECK(real_of("1e-400") == 0);
}

TEST_CASE("read_plain_decimal gives the value and the end of from_chars") {
  std::mt19937_64 random(1);
  const auto digits = [&](std::size_t count) {
    std::string text;
    while (text.size() < count) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  int plain = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    const std::size_t before = random() % 10;
    const std::size_t after = random() % 10;
    std::string text = (random() % 3 == 0 ? "-" : "") + digits(before);
    if (random() % 4 != 0) text += "." + digits(after);
    constexpr std::string_view suffixes[] = {"", " 3", "e5", "x", ".", "\t"};
    text += suffixes[random() % std::size(suffixes)];
    CAPTURE(text);
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    double value = 7;
    const char* const stop = sculpt::read_plain_decimal(begin, end, value);
    if (stop == nullptr || (stop != end && *stop == 'e')) continue;  // callers use from_chars
    double expected = 8;
    const auto [expected_stop, problem] = std::from_chars(begin, end, expected);
    REQUIRE(problem == std::errc());
    REQUIRE(stop == expected_stop);
    REQUIRE(std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(expected));
    ++plain;
  }
  CHECK(plain > 100000);
}

TEST_CASE("read_plain_decimal refuses other text and numbers with too many digits") {
  double value = 7;
  for (const std::string_view text : {"", "-", ".", "-.", "+1", "x", "nan", "1234567890123456",
                                      "0.1234567890123456", "1234567890.123456"}) {
    CAPTURE(text);
    CHECK(sculpt::read_plain_decimal(text.data(), text.data() + text.size(), value) == nullptr);
  }
  CHECK(value == 7);
}

TEST_CASE("a missing field is no number") {
  const sculpt::LineReader reader = reader_of("1");
  CHECK_THROWS_AS(reader.real({}, "a value"), sculpt::Error);
  CHECK_THROWS_AS(reader.integer({}, "a label"), sculpt::Error);
}

TEST_CASE("the first fields of a line, or one field after a column, can be read alone") {
  sculpt::LineReader reader = reader_of("  a\tbc   d \n");
  REQUIRE(reader.next());
  CHECK(reader.fields(2).size() == 2);
  CHECK(reader.fields(0).empty());
  CHECK(reader.field_from(0).text == "a");
  CHECK(reader.field_from(3).text == "bc");
  CHECK(reader.field_from(5).text == "c");
  CHECK(reader.field_from(5).end() == 6);
  CHECK(reader.field_from(10).text.empty());
  CHECK(reader.field_from(10).column == 11);
}

TEST_CASE("rows do not depend on the notation of their numbers") {
  const auto entries_of = [](const std::string& line) {
    sculpt::LineReader reader = reader_of(line);
    REQUIRE(reader.next());
    sculpt::SparseRows rows;
    rows.add_row(reader, 0);
    sculpt::SiteStore store;
    store.begin_split("train");
    rows.copy_row(0, rows.feature_count(), store);
    store.end_site();
    store.end_example({});
    const sculpt_sites sites = store.sites(0);
    std::vector<std::pair<std::int32_t, double>> entries;
    for (std::int64_t j = 0; j < sites.row_from[1]; ++j) {
      entries.emplace_back(sites.index[j], sites.value[j]);
    }
    return entries;
  };
  const auto plain = entries_of("1:0.5 12:-3 400:25");
  REQUIRE(plain.size() == 3);
  CHECK(plain[1] == std::pair<std::int32_t, double>(11, -3));
  CHECK(entries_of("\t+1:5e-1  0012:-3.00000000000000000  00000000000400:+2.5e1\t") == plain);
  CHECK(entries_of("1:.5 12:-3. 13:0 400:25.0 2147483647:0").size() == 3);
}
