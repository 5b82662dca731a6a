// The service "source" of the host, through a plugin in C that reads lines, blocks or the rest
// (sculpt/ext/draft/host_source.h).

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "packed_text.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

std::vector<std::string> lines_of(const Dataset& dataset) {
  std::vector<std::string> lines;
  for (std::int64_t example = 0; example < dataset.count(); ++example) {
    std::string& line = lines.emplace_back();
    for (const std::int32_t byte : stub::vector_of(dataset.truth(example))) {
      line += static_cast<char>(byte);
    }
  }
  return lines;
}

// The lines that the plugin reads from a source, by one of its functions.
std::vector<std::string> read(const std::string& by, const SplitSource& source) {
  const auto component = stub::create(SCULPT_KIND_DATASET, "lines", R"({"by": ")" + by + "\"}");
  Dataset dataset(*component, 1);
  dataset.load(source);
  return lines_of(dataset);
}

TEST_CASE(
    "a plugin in C reads files and memory, plain and packed, in lines, blocks and as a whole") {
  const test::ScratchFolder folder;
  std::string text = "first\n\n";
  std::vector<std::string> expected{"first", ""};
  for (int k = 0; k < 60000; ++k) {  // more than a block
    expected.push_back("line " + std::to_string(k));
    text += expected.back() + "\n";
  }
  const std::string path = (folder.path() / "data").string();
  for (const std::string& bytes : {text, sculpt::test::gzip(text), sculpt::test::zstd(text)}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    for (const char* by : {"line", "block", "rest"}) {
      CAPTURE(by);
      CHECK(read(by, {"train", path, {}}) == expected);
      CHECK(read(by, {"train", "inline", bytes}) == expected);
    }
  }
}

TEST_CASE("sculpt_read_source of a plugin in C reads packed files and packed text") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "data").string();
  const auto refusal_of_source = [](const SplitSource& source) {
    const auto component = stub::create(SCULPT_KIND_DATASET, "talkative");
    return refusal_of([&] { Dataset(*component, 1).load(source); });
  };
  for (const std::string& bytes : {sculpt::test::gzip("a line"), sculpt::test::zstd("a line")}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    CHECK(refusal_of_source({"train", path, {}}).says("6 bytes, the last one 101"));
    CHECK(refusal_of_source({"train", "inline", bytes}).says("6 bytes, the last one 101"));
  }
}

TEST_CASE("a plugin reads a pipe by its path") {
  std::array<int, 2> ends = {-1, -1};
  REQUIRE(::pipe(ends.data()) == 0);
  REQUIRE(::write(ends[1], "a\nb", 3) == 3);
  ::close(ends[1]);
  CHECK(read("line", {"train", "/dev/fd/" + std::to_string(ends[0]), {}}) ==
        std::vector<std::string>{"a", "b"});
  ::close(ends[0]);
}

TEST_CASE("errors of reading keep their status and name the path") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "data").string();
  const Refusal missing = refusal_of([&] { read("line", {"train", path, {}, "; the advice"}); });
  CHECK(missing.exit == Exit::missing);
  CHECK(missing.text == "lines: " + path +
                            ": cannot be opened: No such file or directory; check the path; the "
                            "advice");
  const std::string packed = sculpt::test::gzip("a line\n");
  std::ofstream(path, std::ios::binary) << packed.substr(0, packed.size() - 5);
  for (const char* by : {"line", "block", "rest"}) {
    const Refusal refusal = refusal_of([&] { read(by, {"train", path, {}}); });
    CHECK(refusal.exit == Exit::data);
    CHECK(refusal.says(path + ": ends in the middle of its gzip data"));
  }
}

TEST_CASE("a request to stop ends the reading of a plugin") {
  Workers workers(1);
  Services services({{}, [] { return true; }, {}}, workers);
  const sculpt_component& description = stub::find(SCULPT_KIND_DATASET, "lines");
  const CheckedParameters parameters = stub::checked(description, "{}");
  Component component(description, parameters.values(), services);
  Dataset dataset(component, 1);
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "data").string();
  std::ofstream(path) << "a line\n";
  CHECK(refusal_of([&] { dataset.load({"train", path, {}}); }).exit == Exit::interrupted);
}

}  // namespace
}  // namespace sculpt::core
