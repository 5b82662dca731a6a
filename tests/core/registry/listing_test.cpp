// Listings of libraries: written as sidecars and read again.

#include "registry/listing.hpp"

#include <doctest/doctest.h>

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
  const std::string text = sidecar_text(listing);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(read_sidecar_text(text, listing.file) == listing);
}

TEST_CASE("the listing of a loaded library is the same after it is written and read again") {
  const PluginFolder folder;
  const LibraryListing listing = list_library(Library::load(folder.add("good", "good.so")));
  CHECK(read_sidecar_text(sidecar_text(listing), listing.file) == listing);
}
