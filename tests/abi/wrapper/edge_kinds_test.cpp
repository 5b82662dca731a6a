// Kinds of edges (ext/draft/edge_kinds.h): features get them from a dataset class through C tables.
// A dataset without the extension has one kind.

#include <doctest/doctest.h>
#include <sculpt/cpp/edge_kinds.hpp>

#include "host_memory.hpp"
#include "live.hpp"

namespace {

struct WithoutKinds {
  static constexpr sculpt::About about{"org.sculpt.test.plain", "1.0.0", "without kinds of edges"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 3; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};

// Example 0 has edges, 1 has none, and 2 is damaged.
struct Roads : WithoutKinds {
  static constexpr sculpt::About about{"org.sculpt.test.roads", "1.0.0", "two kinds of edges"};
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;

  std::int32_t edge_kind_count() const { return 2; }
  void edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const {
    out << (kind == 0 ? "road" : "rail");
  }
  const std::int32_t* edge_kinds(std::int64_t example) const {
    static constexpr std::int32_t kinds[] = {1, 0, 1};
    if (example == 2) throw sculpt::data_error("its edges are damaged; read it again");
    return example == 0 ? kinds : nullptr;
  }
};

std::string name_of(const sculpt::EdgeKinds& kinds, std::int32_t kind) {
  ByteMemory memory;
  sculpt::ByteOutput out(memory.raw());
  kinds.name(kind, out);
  const std::vector<char> text = memory.items();
  return {text.begin(), text.end()};
}

TEST_CASE("features get the numbers and names of the kinds of edges from the dataset") {
  const LiveComponent roads(sculpt::Dataset<Roads>::component);
  const sculpt::EdgeKinds kinds(roads.ref());
  CHECK(kinds.count() == 2);
  CHECK(name_of(kinds, 0) == "road");
  CHECK(name_of(kinds, 1) == "rail");
  REQUIRE(kinds.of(0) != nullptr);
  CHECK(std::vector<std::int32_t>(kinds.of(0), kinds.of(0) + 3) ==
        std::vector<std::int32_t>{1, 0, 1});
  CHECK(kinds.of(1) == nullptr);
}

TEST_CASE("without the extension all edges have one kind with the name edge") {
  const LiveComponent plain(sculpt::Dataset<WithoutKinds>::component);
  CHECK(plain.ref().extension(SCULPT_EXT_EDGE_KINDS) == nullptr);
  const sculpt::EdgeKinds kinds(plain.ref());
  CHECK(kinds.count() == 1);
  CHECK(kinds.of(0) == nullptr);
  CHECK(name_of(kinds, 0) == "edge");
}

TEST_CASE("an error of the dataset about its kinds of edges reaches the features") {
  const LiveComponent roads(sculpt::Dataset<Roads>::component);
  const sculpt::EdgeKinds kinds(roads.ref());
  CHECK_THROWS_WITH_AS(kinds.of(2), "its edges are damaged; read it again", sculpt::Error);
}

TEST_CASE("only the exact id of the extension returns the table of edge kinds") {
  const LiveComponent roads(sculpt::Dataset<Roads>::component);
  CHECK(roads.extension("sculpt.edge-kinds/1") == nullptr);
  CHECK(roads.extension(SCULPT_EXT_EDGE_KINDS) != nullptr);
}

}  // namespace
