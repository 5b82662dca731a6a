// Error texts of any length arrive whole, from C and from C++. c_plugin.h reads sources.

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "problem/components/dataset.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

// The refusal of a source by a dataset. Under a guard, too: the text then ends at a fence.
Refusal refusal_of_source(const std::string& dataset, const SplitSource& source,
                          Services::Guard guard = Services::Guard::none) {
  Workers workers(1);
  Services services({}, workers, guard);
  Component component(stub::find(SCULPT_KIND_DATASET, dataset), {}, services);
  return refusal_of([&] { Dataset(component, 1).load(source); });
}

Refusal refusal_of_text(const std::string& dataset, const std::string& text,
                        Services::Guard guard = Services::Guard::none) {
  return refusal_of_source(dataset, {"train", "inline", text}, guard);
}

Refusal refusal_of_file(const std::string& path) {
  return refusal_of_source("talkative", {"train", path, std::nullopt});
}

}  // namespace

TEST_CASE("a message of any length up to a mebibyte arrives whole, a longer one is cut") {
  for (const char* dataset : {"talkative", "throwing"}) {
    CAPTURE(dataset);
    const std::string prefix = std::string(dataset) + ": ";
    for (const std::size_t size : {10U, 2046U, 2047U, 2048U, 5000U, (1U << 20) - 1}) {
      CAPTURE(size);
      const Refusal refusal = refusal_of_text(dataset, "repeat " + std::to_string(size));
      CHECK(refusal.exit == Exit::data);
      CHECK((refusal.text == prefix + std::string(size, 'x')));
    }
    for (const std::size_t size : {1U << 20, 2U << 20}) {
      CAPTURE(size);
      const Refusal refusal = refusal_of_text(dataset, "repeat " + std::to_string(size));
      CHECK(refusal.exit == Exit::data);
      CHECK((refusal.text == prefix + std::string((1 << 20) - 1, 'x') +
                                 " ... (the rest is cut: the message is too long)"));
    }
  }
}

TEST_CASE("sculpt_read_source copies inline text, and a zero stands behind it") {
  for (const auto guard : {Services::Guard::none, Services::Guard::fences}) {
    CHECK(refusal_of_text("talkative", "some text\n", guard).text ==
          "talkative: 10 bytes, the last one 10, a zero behind: some text\n");
    CHECK(refusal_of_text("talkative", "", guard).text ==
          "talkative: 0 bytes, the last one -1, a zero behind: ");
  }
}

TEST_CASE("sculpt_read_source reads files of any size") {
  const test::ScratchFolder folder;
  for (const std::size_t size : {0U, 1U, 65534U, 65535U, 65536U, 200000U}) {
    CAPTURE(size);
    const std::string path = (folder.path() / "data").string();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(size, 'y');
    const Refusal refusal = refusal_of_file(path);
    CHECK(refusal.exit == Exit::data);
    CHECK((refusal.text == "talkative: " + std::to_string(size) + " bytes, the last one " +
                               (size > 0 ? "121" : "-1") +
                               ", a zero behind: " + std::string(size, 'y')));
  }
}

TEST_CASE("sculpt_read_source reports a missing file and a folder by their path") {
  const test::ScratchFolder folder;
  const Refusal missing = refusal_of_file(folder.path().string() + "/none");
  CHECK(missing.exit == Exit::missing);
  CHECK(missing.text == "talkative: " + folder.path().string() +
                            "/none: cannot be opened: No such file or directory; check the path");
  const Refusal directory = refusal_of_file(folder.path().string());
  CHECK(directory.exit == Exit::missing);
  CHECK(directory.text ==
        "talkative: " + folder.path().string() + ": is a folder; give the path of a file");
}

}  // namespace sculpt::core
