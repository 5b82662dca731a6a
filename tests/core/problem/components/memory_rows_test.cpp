// Arrays of a program: what is refused, by the name of the array and the example, and their hash.

#include "problem/components/memory_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/infinity.hpp"
#include "core/refusal.hpp"

namespace sculpt::core {
namespace {

// Two graphs: three sites with two edges, then one site.
struct Graphs {
  std::vector<std::int64_t> first_site{0, 3, 4};
  std::vector<std::int64_t> row_from{0, 2, 3, 3, 5};
  std::vector<std::int32_t> index{0, 2, 1, 0, 1};
  std::vector<double> value{1, 0.5, -2, 3, 1};
  std::vector<std::int64_t> first_edge{0, 2, 2};
  std::vector<std::int32_t> edge{0, 1, 2, 1};
  std::vector<std::int32_t> edge_kind{0, 1};
  std::vector<std::int64_t> first_label{0, 3, 4};
  std::vector<std::int32_t> label{0, 1, -1, 1};
  std::vector<double> weight{1, 2};
  std::vector<const char*> state_name{"a", "b"};
  std::vector<const char*> feature_name{"x", "y", "z"};
  std::vector<const char*> edge_kind_name{"near", "far"};

  sculpt_memory_rows raw() const {
    sculpt_memory_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.state_count = 2;
    rows.example_count = 2;
    rows.site_count = 4;
    rows.feature_count = 3;
    rows.first_site = first_site.data();
    rows.row_from = row_from.data();
    rows.index = index.data();
    rows.value = value.data();
    rows.first_edge = first_edge.data();
    rows.edge = edge.data();
    rows.edge_kind = edge_kind.data();
    rows.edge_kind_count = 2;
    rows.first_label = first_label.data();
    rows.label = label.data();
    rows.weight = weight.data();
    rows.state_name = state_name.data();
    rows.feature_name = feature_name.data();
    rows.edge_kind_name = edge_kind_name.data();
    return rows;
  }
};

using Change = std::function<void(Graphs&)>;
using RecordChange = std::function<void(sculpt_memory_rows&)>;

std::string fault_of_record(const RecordChange& change) {
  const Graphs graphs;
  sculpt_memory_rows rows = graphs.raw();
  change(rows);
  const Refusal refusal = refusal_of([&] { const MemoryRows checked("train", rows); });
  CHECK((refusal.exit == Exit::data || refusal.exit == Exit::reached));
  return refusal.text;
}

std::string fault_after(const Change& change) {
  Graphs graphs;
  change(graphs);
  const Refusal refusal = refusal_of([&] { const MemoryRows checked("train", graphs.raw()); });
  CHECK((refusal.exit == Exit::data || refusal.exit == Exit::reached));
  return refusal.text;
}

std::string hash_after(const Change& change) {
  Graphs graphs;
  change(graphs);
  return MemoryRows("train", graphs.raw()).hash();
}

const std::string prefix = "the arrays \"train\": ";

TEST_CASE("good arrays are borrowed") {
  const Graphs graphs;
  const MemoryRows rows("train", graphs.raw());
  CHECK(rows.raw().value == graphs.value.data());
  CHECK(rows.raw().label == graphs.label.data());
}

TEST_CASE("values that are not finite are named by example, site and column") {
  CHECK(fault_after([](Graphs& g) { g.value[2] = std::nan(""); }) ==
        prefix + "example 0, site 1, column 1: value[2] is NaN; values must be finite");
  CHECK(fault_after([](Graphs& g) { g.value[3] = -infinity; }) ==
        prefix + "example 1, site 0, column 0: value[3] is -infinity; values must be finite");
  std::vector<double> dense{1, 2, 3, infinity};
  CHECK(fault_of_record([&](sculpt_memory_rows& rows) {
          rows.first_site = nullptr;
          rows.row_from = nullptr;
          rows.index = nullptr;
          rows.first_edge = nullptr;
          rows.label = nullptr;
          rows.first_label = nullptr;
          rows.feature_name = nullptr;
          rows.example_count = rows.site_count = 2;
          rows.feature_count = 2;
          rows.value = dense.data();
        }) == prefix + "example 1, column 1: value[3] is infinity; values must be finite");
}

TEST_CASE("indices that fall, repeat or leave the range are named") {
  CHECK(fault_after([](Graphs& g) { g.index[4] = 3; }) ==
        prefix + "example 1, site 0: index[4] is 3; it must be at least 0 and below 3");
  CHECK(fault_after([](Graphs& g) { g.index[0] = -1; }) ==
        prefix + "example 0, site 0: index[0] is -1; it must be at least 0 and below 3");
  const std::string order = "; sort each row by index, with each index once";
  CHECK(fault_after([](Graphs& g) { g.index[4] = 0; }) ==
        prefix + "example 1, site 0: index[4] is 0, after 0" + order);
  CHECK(fault_after([](Graphs& g) { g.index[0] = 2, g.index[1] = 1; }) ==
        prefix + "example 0, site 0: index[1] is 1, after 2" + order);
}

TEST_CASE("offsets begin at 0, do not fall, and end at the size of what they divide") {
  CHECK(fault_after([](Graphs& g) { g.first_site[0] = 1; }) ==
        prefix + "first_site[0] is 1; offsets begin at 0");
  CHECK(fault_after([](Graphs& g) { g.first_site[1] = 5; }) ==
        prefix + "example 1: first_site[2] is 4, but first_site[1] is 5; offsets must not fall");
  CHECK(fault_after([](Graphs& g) { g.first_site[2] = 3; }) ==
        prefix + "first_site[2] is 3, but there are 4 rows; the last offset is their number");
  CHECK(fault_after([](Graphs& g) { g.row_from[2] = 1; }) ==
        prefix +
            "example 0, site 1: row_from[2] is 1, but row_from[1] is 2; offsets must not fall");
  CHECK(fault_after([](Graphs& g) { g.first_edge[1] = -1; }) ==
        prefix + "example 0: first_edge[1] is -1, but first_edge[0] is 0; offsets must not fall");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.first_site = nullptr; }) ==
        prefix +
            "there are 2 examples, but 4 rows; give one row an example, or the offsets "
            "first_site");
}

TEST_CASE("edges join sites of one example, and have known kinds") {
  CHECK(fault_after([](Graphs& g) { g.edge[2] = 3; }) ==
        prefix +
            "example 0: edge[2] is 3; it must be at least 0 and below 3, because sites count "
            "from 0 in each example");
  CHECK(fault_after([](Graphs& g) { g.edge_kind[1] = 2; }) ==
        prefix + "example 0: edge_kind[1] is 2; it must be at least 0 and below 2");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.edge = nullptr; }) ==
        prefix + "edge is missing (NULL), but must have 4 elements");
}

TEST_CASE("an example has a known label for each site, or none") {
  CHECK(fault_after([](Graphs& g) { g.label[3] = 2; }) ==
        prefix + "example 1: label[3] is 2; it must be at least -1 and below 2");
  CHECK(fault_after([](Graphs& g) { g.label[0] = -2; }) ==
        prefix + "example 0: label[0] is -2; it must be at least -1 and below 2");
  CHECK(fault_after([](Graphs& g) {
          g.first_label = {0, 2, 4};
        }) == prefix +
                  "example 0: has 2 labels, but 3 sites; give it as many labels, with -1 for "
                  "unknown ones, or none");
  CHECK(fault_after([](Graphs& g) { g.first_label = {0, 3, 3}; }) == "(accepted)");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.first_label = nullptr; }) ==
        "(accepted)");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.variable_count = 4; }) ==
        prefix +
            "example 0: has 3 labels, but 4 variables; give it as many labels, with -1 for "
            "unknown ones, or none");
}

TEST_CASE("weights and names are checked") {
  CHECK(fault_after([](Graphs& g) {
          g.weight[1] = -1;
        }).starts_with(prefix + "example 1: its weight is -1; weights of examples are numbers"));
  CHECK(fault_after([](Graphs& g) {
          g.weight[0] = std::nan("");
        }).starts_with(prefix + "example 0: its weight is not a finite number"));
  CHECK(fault_after([](Graphs& g) { g.state_name[1] = "a"; }) ==
        prefix + "state_name[1] is \"a\", as is state_name[0]; names must differ");
  CHECK(fault_after([](Graphs& g) { g.feature_name[2] = nullptr; }) ==
        prefix + "feature_name[2] is empty; give it a name");
  CHECK(fault_after([](Graphs& g) { g.feature_name[0] = "a\nb"; }) ==
        prefix + "feature_name[0] has a control character, such as a line end; leave it out");
  CHECK(fault_after([](Graphs& g) { g.edge_kind_name[0] = "\xFF"; }) ==
        prefix + "edge_kind_name[0] is not UTF-8; encode names as UTF-8");
}

TEST_CASE("counts and missing arrays are named") {
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.feature_count = -1; }) ==
        prefix + "feature_count is -1; it must be from 0 to 2147483647");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.value = nullptr; }) ==
        prefix + "value is missing (NULL), but must have 5 elements");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.row_from = nullptr; }) ==
        prefix +
            "index is given without row_from; give both for sparse rows, or none for dense "
            "rows");
  CHECK(fault_of_record([](sculpt_memory_rows& rows) { rows.struct_size = 8; }) ==
        prefix + "struct_size is 8; set it to sizeof(sculpt_memory_rows)");
}

TEST_CASE("fields behind struct_size count as 0") {
  const Graphs graphs;
  sculpt_memory_rows rows = graphs.raw();
  rows.struct_size = offsetof(sculpt_memory_rows, weight);
  const MemoryRows known("train", rows);
  CHECK(known.raw().weight == nullptr);
  CHECK(known.raw().state_name == nullptr);
  CHECK(known.raw().edge_kind == graphs.edge_kind.data());
}

TEST_CASE("edges without kinds are of one kind") {
  const Graphs graphs;
  sculpt_memory_rows rows = graphs.raw();
  rows.edge_kind = nullptr;
  rows.edge_kind_name = nullptr;
  rows.edge_kind_count = 0;
  CHECK(MemoryRows("train", rows).raw().edge_kind_count == 1);
}

TEST_CASE("equal arrays have equal hashes, whatever their name, and each other array has another") {
  const std::string hash = hash_after([](Graphs&) {});
  CHECK(hash.starts_with("xxh3:"));
  const Graphs graphs;
  CHECK(MemoryRows("other", graphs.raw()).hash() == hash);
  const std::vector<Change> changes = {
      [](Graphs& g) {
        g.first_site = {0, 3, 4}, g.first_edge = {0, 1, 2}, g.edge = {0, 1, 0, 0};
      },
      [](Graphs& g) { g.row_from[1] = 1, g.index[1] = 0; },
      [](Graphs& g) { g.index[1] = 1; },
      [](Graphs& g) { g.value[4] = 1 + 1e-15; },
      [](Graphs& g) { g.edge[1] = 2; },
      [](Graphs& g) { g.edge_kind[1] = 0; },
      [](Graphs& g) { g.label[0] = 1; },
      [](Graphs& g) {
        g.first_label = {0, 3, 3};
      },
      [](Graphs& g) { g.weight[0] = 3; },
      [](Graphs& g) { g.state_name[0] = "c"; },
      [](Graphs& g) { g.feature_name[0] = "c"; },
      [](Graphs& g) { g.edge_kind_name[0] = "c"; }};
  std::vector<std::string> hashes{hash};
  for (const Change& change : changes) {
    const std::string other = hash_after(change);
    CHECK(std::find(hashes.begin(), hashes.end(), other) == hashes.end());
    hashes.push_back(other);
  }
}

}  // namespace
}  // namespace sculpt::core
