#include "model/model_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file/content_hash.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A model with these arrays in its header and 64 zero bytes behind that, checksum and all.
struct Model {
  explicit Model(const Json& arrays) {
    std::string pattern = (fs::temp_directory_path() / "sculpt-test-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder = pattern;
    std::string header = Json{{"version", 1}, {"arrays", arrays}}.dump();
    header.resize(496, ' ');
    std::string bytes = "sculpt1\n" + number(header.size()) + header + std::string(64, '\0');
    ContentHash hash;
    hash.add(bytes);
    std::ofstream(folder / "model.sculpt", std::ios::binary) << bytes << number(hash.value());
  }
  ~Model() { fs::remove_all(folder); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  static std::string number(std::uint64_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static Json array(const char* dtype, int count, int offset) {
    return {{"dtype", dtype}, {"shape", {count}}, {"offset", offset}};
  }
  Refusal refusal() const {
    return refusal_of([&] { ModelFile{folder}; });
  }

  fs::path folder;
};

}  // namespace

TEST_CASE("arrays of a model may lie anywhere in it, side by side") {
  const Model model({{"weights", Model::array("<f8", 3, 512)},
                     {"state.dataset", Model::array("|u1", 40, 536)},
                     {"state.features", Model::array("|u1", 0, 576)}});
  const ModelFile file(model.folder);
  CHECK(file.weights() == Vector(3, 0.0));
  CHECK(file.states().at("dataset").size() == 40);
  CHECK(file.states().at("features").empty());
}

// Else a megabyte could name itself twenty thousand times, and fill the memory with copies.
TEST_CASE("a model whose arrays overlap is damaged") {
  const Json whole = Model::array("|u1", 500, 0);
  CHECK(Model({{"weights", Model::array("<f8", 0, 0)}, {"state.a", whole}}).refusal().text ==
        "(accepted)");
  const Refusal refusal =
      Model({{"weights", Model::array("<f8", 0, 0)}, {"state.a", whole}, {"state.b", whole}})
          .refusal();
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("names arrays that overlap"));
}
