// Several processes load parts of a split (sculpt/ext/draft/load_range.h) and merge what they
// learned (sculpt/ext/draft/merge_state.h). Together they have the data and the state of one
// process that loads the whole.

#include <sculpt/ext/draft/load_range.h>
#include <sculpt/ext/draft/merge_state.h>

#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <fstream>

#include "base/random.hpp"
#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "packed_text.hpp"
#include "problem/components/dataset_rows.hpp"
#include "stub_components.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_load_range> {
  static constexpr const char* id = SCULPT_EXT_LOAD_RANGE;
  static constexpr std::size_t required_functions = 1;
};
template <>
struct Extension<sculpt_ext_merge_state> {
  static constexpr const char* id = SCULPT_EXT_MERGE_STATE;
  static constexpr std::size_t required_functions = 2;
};

namespace {

// An example as other components see it: its state, then indices and values of its row.
using Row = std::vector<double>;

std::vector<Row> rows_of(Component& dataset) {
  std::vector<Row> rows;
  const Dataset examples(dataset, 1);
  for (std::int64_t example = 0; example < examples.count(); ++example) {
    const sculpt_sites x = DatasetRows(dataset).sites(example);
    Row& row = rows.emplace_back();
    row.push_back(examples.truth(example).data[0]);
    for (std::int64_t k = x.row_from[0]; k < x.row_from[1]; ++k) {
      row.push_back(x.index[k]);
      row.push_back(x.value[k]);
    }
  }
  return rows;
}

struct Pieces {
  std::string bytes;
  std::vector<std::int64_t> from{0};
};

void load_part(const Component& dataset, const std::string& path, std::int64_t part,
               std::int64_t count) {
  const sculpt_source source = {sizeof(sculpt_source), 0, path.c_str(), nullptr, 0};
  const auto& table = *dataset.extension<sculpt_ext_load_range>();
  dataset.call("load_part", -1, [&](sculpt_error* error) {
    return table.load_part(dataset.self(), "train", &source, part, count, error);
  });
}

void save_piece(const Component& dataset, Pieces& pieces) {
  ByteBuffer piece;
  const auto& table = *dataset.extension<sculpt_ext_merge_state>();
  dataset.call("save_piece", -1, [&](sculpt_error* error) {
    return table.save_piece(dataset.self(), piece.raw(), error);
  });
  pieces.bytes += piece.text();
  pieces.from.push_back(static_cast<std::int64_t>(pieces.bytes.size()));
}

void merge(const Component& dataset, const Pieces& pieces) {
  const auto& table = *dataset.extension<sculpt_ext_merge_state>();
  dataset.call("merge", -1, [&](sculpt_error* error) {
    return table.merge(dataset.self(), pieces.bytes.data(), pieces.from.data(),
                       static_cast<std::int64_t>(pieces.from.size()) - 1, error);
  });
}

// Labels and columns that occur at different places, rows of any length, blank lines.
std::string random_lines(int count) {
  Random random(3, "parts");
  std::string text;
  for (int k = 0; k < count; ++k) {
    if (random.chance(7)) text += "\n";
    text += "label" + std::to_string(random.integer(0, 2 + k / 5));
    for (std::int64_t j = random.integer(0, 1 + k / 6); j > 0; --j) {
      text += " " + std::to_string(random.integer(-50, 50)) + ".25";
    }
    text += "\n";
  }
  return text;
}

TEST_CASE("parts of a split are the whole, and know the whole after the merge") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "train.txt").string();
  for (const std::string& text :
       {random_lines(40), random_lines(3) + "last 1", std::string("a 2\n")}) {
    std::ofstream(path, std::ios::trunc) << text;
    const auto whole = stub::create(SCULPT_KIND_DATASET, "parts");
    Dataset(*whole, 1).load({"train", path, {}});
    stub::bind_and_seal(*whole);
    const std::vector<Row> expected = rows_of(*whole);
    REQUIRE_FALSE(expected.empty());
    for (const std::int64_t count : {1, 2, 3, 5, 8, 50}) {
      CAPTURE(count);
      std::vector<std::unique_ptr<Component>> ranks;
      Pieces pieces;
      for (std::int64_t part = 0; part < count; ++part) {
        ranks.push_back(stub::create(SCULPT_KIND_DATASET, "parts"));
        load_part(*ranks.back(), path, part, count);
        save_piece(*ranks.back(), pieces);
      }
      std::vector<Row> rows;
      for (const auto& rank : ranks) {
        merge(*rank, pieces);
        stub::bind_and_seal(*rank);
        CHECK(rank->save() == whole->save());
        const std::vector<Row> part = rows_of(*rank);
        rows.insert(rows.end(), part.begin(), part.end());
      }
      CHECK(rows == expected);
    }
  }
}

TEST_CASE("features that learn in bind know the whole after the merge, before they are sealed") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "train.txt").string();
  std::ofstream(path) << random_lines(60);
  const auto bind = [](Component& features, const Component& dataset) {
    sculpt_bindings bindings = {};
    bindings.struct_size = sizeof bindings;
    bindings.dataset = dataset.ref();
    features.bind(bindings);
  };
  const auto whole = stub::create(SCULPT_KIND_DATASET, "parts");
  Dataset(*whole, 1).load({"train", path, {}});
  stub::bind_and_seal(*whole);
  const auto expected = stub::create(SCULPT_KIND_FEATURES, "priors");
  stub::bind_and_seal(*expected, whole.get());
  Features expected_psi(*expected, 1);
  for (const std::int64_t count : {1, 2, 5, 80}) {
    CAPTURE(count);
    std::vector<std::unique_ptr<Component>> datasets;
    std::vector<std::unique_ptr<Component>> features;
    Pieces pieces;
    for (std::int64_t part = 0; part < count; ++part) {
      datasets.push_back(stub::create(SCULPT_KIND_DATASET, "parts"));
      load_part(*datasets.back(), path, part, count);
      save_piece(*datasets.back(), pieces);
    }
    Pieces pieces_of_features;
    for (const auto& dataset : datasets) {
      merge(*dataset, pieces);
      stub::bind_and_seal(*dataset);
      features.push_back(stub::create(SCULPT_KIND_FEATURES, "priors"));
      bind(*features.back(), *dataset);
      save_piece(*features.back(), pieces_of_features);
    }
    for (const auto& component : features) {
      merge(*component, pieces_of_features);
      component->seal();
      CHECK(component->save() == expected->save());
      Features psi(*component, 1);
      CHECK(stub::psi_of(psi, 0, {1}) == stub::psi_of(expected_psi, 0, {1}));
    }
  }
}

TEST_CASE("a malformed line of a part is named by its byte, as parts know no line numbers") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "train.txt").string();
  std::ofstream(path) << "a 1\nb 2\nc x\nd 4\n";
  const auto dataset = stub::create(SCULPT_KIND_DATASET, "parts");
  const Refusal refusal = refusal_of([&] { load_part(*dataset, path, 1, 2); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.text == "parts: " + path + ": byte 8: 'x' is not a number");
}

TEST_CASE("packed files, pipes and missing files have no parts, and the message says what to do") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "train.txt").string();
  const std::string text = "a 1\nb 2\n";
  for (const std::string& bytes : {sculpt::test::gzip(text), sculpt::test::zstd(text)}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    const auto dataset = stub::create(SCULPT_KIND_DATASET, "parts");
    const Refusal refusal = refusal_of([&] { load_part(*dataset, path, 0, 2); });
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.says(path + ": a packed file has no parts; unpack it first"));
  }
  std::array<int, 2> ends = {-1, -1};
  REQUIRE(::pipe(ends.data()) == 0);
  const std::string pipe = "/dev/fd/" + std::to_string(ends[0]);
  const auto dataset = stub::create(SCULPT_KIND_DATASET, "parts");
  CHECK(refusal_of([&] { load_part(*dataset, pipe, 0, 2); }).says("a pipe has no parts"));
  ::close(ends[0]);
  ::close(ends[1]);
  const Refusal missing = refusal_of([&] { load_part(*dataset, path + ".none", 0, 2); });
  CHECK(missing.exit == Exit::missing);
  CHECK(missing.says(path + ".none: is missing"));
}

TEST_CASE("without the merge a part knows its own words only") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "train.txt").string();
  std::ofstream(path) << "a 1\nb 2\n";
  const auto part = stub::create(SCULPT_KIND_DATASET, "parts");
  load_part(*part, path, 1, 2);
  stub::bind_and_seal(*part);
  CHECK(rows_of(*part) == std::vector<Row>{{0, 0, 1}});
}

TEST_CASE("parts of memory are refused, and so are damaged pieces") {
  const auto dataset = stub::create(SCULPT_KIND_DATASET, "parts");
  const sculpt_source source = {sizeof(sculpt_source), 0, "inline", "a 1\n", 4};
  const auto& table = *dataset->extension<sculpt_ext_load_range>();
  const auto load = [&] {
    dataset->call("load_part", -1, [&](sculpt_error* error) {
      return table.load_part(dataset->self(), "train", &source, 0, 2, error);
    });
  };
  CHECK(refusal_of(load).exit == Exit::config);
  CHECK(refusal_of([&] { merge(*dataset, {"damaged", {0, 7}}); }).says("parts: "));
}

}  // namespace
}  // namespace sculpt::core
