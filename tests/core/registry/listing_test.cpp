// Listings of libraries: written as sidecars and read again.

#include "registry/listing.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/registry/plugin_folder.hpp"

using namespace sculpt::core;

TEST_CASE("a listing is the same after it is written as a sidecar and read again") {
  LibraryListing listing;
  listing.file = "/somewhere/mine.so";
  listing.name = "mine";
  listing.version = "1.2.0";
  listing.license = "Apache-2.0";
  ComponentListing& component = listing.components.emplace_back();
  component = {"org.test.mine", SCULPT_KIND_ORACLE, "1.0.0", "finds it", "a \"paper\"",
               {"serial"},      {"sculpt.state/1"}, {}};
  component.parameters = {
      {"needed", "text", std::nullopt, std::nullopt, std::nullopt, {}, "", "must be given"},
      {"groups", "list of choice", "[]", std::nullopt, std::nullopt, {"a", "b"}, "", "which"},
      {"size", "real", "0.1", 0, 1e300, {}, "cells", "how large"},
      {"limit", "int", "null", 1, std::nullopt, {}, "", "none", "groups=[\"a\"]", true}};
  listing.pairings = {{"rows", "chain", "hamming", {"mine"}}, {"rows", "chain", "", {"a", "b"}}};
  const std::string text = sidecar_text(listing);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(read_sidecar_text(text, listing.file) == listing);
}

TEST_CASE("a sidecar that has changed is read again, and one for two libraries names each") {
  const PluginFolder folder;
  LibraryListing listing = list_library(Library::load(folder.add("good", "good.so")));
  const std::filesystem::path sidecar = listing.file.parent_path() / "other.sculpt.json";
  std::ofstream(sidecar) << sidecar_text(listing);
  CHECK(read_sidecar(sidecar, listing.file) == listing);
  CHECK(read_sidecar(sidecar, listing.file) == listing);
  CHECK(read_sidecar(sidecar, "/elsewhere/libother.so").file == "/elsewhere/libother.so");
  const std::string version = listing.version;
  listing.version = std::string(version.size(), '9');
  std::ofstream(sidecar) << sidecar_text(listing);  // of the same size, perhaps at the same time
  std::filesystem::last_write_time(
      sidecar, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  CHECK(read_sidecar(sidecar, listing.file).version == listing.version);
}

TEST_CASE("the listing of a loaded library is the same after it is written and read again") {
  const PluginFolder folder;
  const LibraryListing listing = list_library(Library::load(folder.add("good", "good.so")));
  CHECK(read_sidecar_text(sidecar_text(listing), listing.file) == listing);
}

TEST_CASE("pairings are the names that an experiment uses together, each once") {
  using Json = nlohmann::ordered_json;
  std::vector<Pairing> list;
  const auto add = [&](const char* text) { add_pairing(pairing_in(Json::parse(text)), list); };
  add(R"({"dataset": {"use": "org.test.rows", "train": "x"}, "features": "chain", "loss": "hamming",
          "oracle": ["icm", {"use": "lp", "answers": "rounded"}], "solver": "n_slack"})");
  const Pairing expected{"rows", "chain", "hamming", {"icm", "lp"}};
  REQUIRE(list.size() == 1);
  CHECK(list[0] == expected);
  // As the sidecar has it, and as it is written again.
  add(R"({"dataset": ["rows"], "features": ["chain"], "loss": ["hamming"], "oracle": ["icm", "lp"]})");
  add(pairing_json(expected).dump().c_str());
  CHECK(list.size() == 1);
  // Without a loss it is another one; without features, or of another form, it is none.
  add(R"({"dataset": "rows", "features": "chain", "oracle": "icm"})");
  CHECK(list.size() == 2);
  for (const char* text : {R"({"dataset": "rows"})", R"({"dataset": 3, "features": "chain"})",
                           R"({"dataset": {}, "features": [[["chain"]]]})", "7", "null"}) {
    CAPTURE(text);
    add(text);
  }
  CHECK(list.size() == 2);
}
