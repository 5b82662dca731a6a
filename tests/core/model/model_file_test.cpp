// The arrays in a model file: where they may be, and which are refused.

#include "model/model_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file/content_hash.hpp"
#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"

using namespace sculpt::core;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A model file with these arrays in its header, then 64 zero bytes and a valid checksum.
struct Model {
  explicit Model(const Json& arrays) {
    std::string header = Json{{"version", 1}, {"arrays", arrays}}.dump();
    header.resize(496, ' ');
    std::string bytes = "sculpt1\n" + number(header.size()) + header + std::string(64, '\0');
    ContentHash hash;
    hash.add(bytes);
    std::ofstream(folder / "model.sculpt", std::ios::binary) << bytes << number(hash.value());
  }

  static std::string number(std::uint64_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static Json array(const char* dtype, int count, int offset) {
    return {{"dtype", dtype}, {"shape", {count}}, {"offset", offset}};
  }
  Refusal refusal() const {
    return refusal_of([&] { ModelFile{folder}; });
  }

  test::ScratchFolder scratch;
  fs::path folder = scratch.path();
};

}  // namespace

TEST_CASE("the arrays of a model can be adjacent and empty") {
  const Model model({{"weights", Model::array("<f8", 3, 512)},
                     {"state.dataset", Model::array("|u1", 40, 536)},
                     {"state.features", Model::array("|u1", 0, 576)}});
  const ModelFile file(model.folder);
  CHECK(file.weights() == Vector(3, 0.0));
  CHECK(file.states().at("dataset").size() == 40);
  CHECK(file.states().at("features").empty());
}

// Otherwise a small file could list the same megabyte many times, and its copies would fill the
// memory.
TEST_CASE("a model whose arrays overlap is refused") {
  const Json whole = Model::array("|u1", 500, 0);
  CHECK(Model({{"weights", Model::array("<f8", 0, 0)}, {"state.a", whole}}).refusal().text ==
        "(accepted)");
  const Refusal refusal =
      Model({{"weights", Model::array("<f8", 0, 0)}, {"state.a", whole}, {"state.b", whole}})
          .refusal();
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("names arrays that overlap"));
}
