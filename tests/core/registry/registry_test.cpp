// Registry: how components are found on the search path, and what is refused.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/registry/plugin_folder.hpp"
#include "registry/registry.hpp"

using namespace sculpt::core;

namespace {

// Sets the search path of the environment to the given folders, or to none.
class SearchPath {
 public:
  explicit SearchPath(const std::string& plugin_path = "", const std::string& data_home = "/none") {
    setenv("SCULPT_PLUGIN_PATH", plugin_path.c_str(), 1);
    setenv("XDG_DATA_HOME", data_home.c_str(), 1);
  }
  ~SearchPath() {
    unsetenv("SCULPT_PLUGIN_PATH");
    unsetenv("XDG_DATA_HOME");
  }
};

struct Search {
  explicit Search(const std::vector<std::filesystem::path>& plugin_path,
                  const std::filesystem::path& experiment_folder = "/")
      : registry({plugin_path, experiment_folder,
                  [this](const std::string& text) { warnings.push_back(text); }}) {}
  SearchPath environment;
  std::vector<std::string> warnings;
  Registry registry;
  Refusal refusal(std::uint32_t kind, const std::string& use) {
    return refusal_of([&] { registry.find(kind, use); });
  }
};

constexpr std::uint32_t loss = SCULPT_KIND_LOSS;

}  // namespace

TEST_CASE("a component is found by its full id, its last part and its file") {
  const PluginFolder folder;
  const auto file = folder.add("good", "good.so");
  Search search({folder.path()}, folder.path().parent_path());
  const std::string relative = folder.path().filename().string() + "/good.so#zero";
  for (const std::string& use :
       {std::string("org.test.zero"), std::string("zero"), std::string("good.so#zero"),
        std::string("good.so#org.test.zero"), relative, file.string() + "#zero"}) {
    CAPTURE(use);
    const FoundComponent found = search.registry.find(loss, use);
    CHECK(std::string(found.component->id) == "org.test.zero");
    CHECK(found.library == file);
  }
  CHECK(search.registry.find_id(loss, "org.test.zero").library == file);
  CHECK(search.warnings.empty());
}

TEST_CASE("the search path is config, environment, data home and executable, in this order") {
  const PluginFolder a, b, c, d;
  std::filesystem::create_directories(d.at("sculpt/plugins"));
  const SearchPath environment(b.path().string() + "::" + c.path().string(), d.path().string());
  const Registry registry({{a.path()}, "/", nullptr});
  REQUIRE(registry.search_folders().size() == 5);
  CHECK(registry.search_folders()[0] == a.path());
  CHECK(registry.search_folders()[1] == b.path());
  CHECK(registry.search_folders()[2] == c.path());
  CHECK(registry.search_folders()[3] == d.at("sculpt/plugins"));
  CHECK(registry.search_folders()[4] ==
        std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() /
            "lib/sculpt/plugins");
}

TEST_CASE("an unknown component is a config error with a suggestion and the searched folders") {
  const PluginFolder folder;
  folder.add("good", "good.so");
  Search search({folder.path(), "/no/such/place"});
  const Refusal refusal = search.refusal(loss, "zera");
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("no loss is called \"zera\"; did you mean \"zero\"?"));
  CHECK(refusal.says("looked in " + folder.path().string()));
  CHECK(refusal.says("/no/such/place (no such folder)"));
  CHECK(search.refusal(SCULPT_KIND_DATASET, "zero")
            .says("\"zero\" is of the kind loss, not dataset"));
}

TEST_CASE("an oracle may be a map_solver, and a refusal lists what a file offers") {
  const PluginFolder folder;
  folder.add("two_kinds", "two.so");
  Search search({folder.path()});
  CHECK(search.registry.find(SCULPT_KIND_ORACLE, "pair").component->kind == SCULPT_KIND_MAP_SOLVER);
  CHECK(search.registry.find(loss, "pair").component->kind == SCULPT_KIND_LOSS);
  const Refusal refusal = search.refusal(loss, "two.so#other");
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("offers no loss \"other\"; it offers loss pair, map_solver pair"));
}

TEST_CASE("two libraries with one component name are an error that names both and how to choose") {
  const PluginFolder folder;
  folder.add("good", "good.so");
  folder.add("twin", "twin.so");
  Search search({folder.path()});
  const Refusal refusal = search.refusal(loss, "zero");
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says(folder.at("good.so").string()));
  CHECK(refusal.says(folder.at("twin.so").string()));
  CHECK(refusal.says("\"good.so#zero\" or \"twin.so#zero\""));
  CHECK(search.registry.find(loss, "twin.so#zero").library == folder.at("twin.so"));
  CHECK(search.registry.find(loss, "org.twin.zero").library == folder.at("twin.so"));
}

TEST_CASE("of two copies of a library, the one in the first folder counts") {
  const PluginFolder a, b;
  a.add("good", "good.so");
  b.add("good", "good.so");
  for (const auto& [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    Search search({first->path(), second->path()});
    CHECK(search.registry.find(loss, "zero").library == first->at("good.so"));
    CHECK(search.registry.find(loss, "good.so#zero").library == first->at("good.so"));
    CHECK(search.registry.find_id(loss, "org.test.zero").library == first->at("good.so"));
    const auto hidden = second->at("good.so");
    const auto& listed = search.registry.list();
    CHECK(std::none_of(listed.begin(), listed.end(),
                       [&](const LibraryListing& library) { return library.file == hidden; }));
  }
}

TEST_CASE("a file of the same name with other components hides nothing") {
  const PluginFolder a, b;
  a.add("good", "good.so");
  b.add("twin", "good.so");
  Search search({a.path(), b.path()});
  CHECK(search.registry.find(loss, "org.test.zero").library == a.at("good.so"));
  CHECK(search.registry.find(loss, "org.twin.zero").library == b.at("good.so"));
  const Refusal refusal = search.refusal(loss, "zero");
  CHECK(refusal.says(a.at("good.so").string() + "#zero"));
  CHECK(refusal.says(b.at("good.so").string() + "#zero"));
}

TEST_CASE("listing reads sidecars and loads no library that has one") {
  const PluginFolder folder;
  folder.write("fake.so", "never loaded");
  folder.write("fake.sculpt.json", sidecar_text("org.test.fake"));
  folder.write("libfoo.so", "never loaded");
  folder.write("foo.sculpt.json", sidecar_text("org.test.foo"));
  Search search({folder.path()});
  REQUIRE(search.registry.list().size() == 2);
  CHECK(search.registry.list()[0].components[0].id == "org.test.fake");
  CHECK(search.registry.list()[1].components[0].id == "org.test.foo");
  CHECK(search.warnings.empty());
  // Only the component that is requested is loaded. Then its library must be valid.
  const Refusal refusal = search.refusal(loss, "fake");
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("is not a shared library"));
}

TEST_CASE("without a sidecar, or with a broken one, the library is loaded for listing") {
  const PluginFolder folder;
  folder.add("good", "good.so");
  folder.add("twin", "twin.so");
  folder.write("twin.sculpt.json", R"({"sculpt_sidecar": 1, "name": )");
  Search search({folder.path()});
  REQUIRE(search.registry.list().size() == 2);
  const ComponentListing& zero = search.registry.list()[0].components[0];
  CHECK(zero.id == "org.test.zero");
  CHECK(zero.traits == std::vector<std::string>{"serial"});
  REQUIRE(zero.parameters.size() == 2);
  CHECK(zero.parameters[0].choices == std::vector<std::string>{"a", "b"});
  CHECK(zero.parameters[1].type == "list of real");
  CHECK(zero.parameters[1].fallback == "[1,2]");
  CHECK(zero.parameters[1].upper == 10);
  REQUIRE(search.warnings.size() == 1);
  CHECK(search.warnings[0].find("twin.sculpt.json is broken") != std::string::npos);
  CHECK(search.registry.find(loss, "org.twin.zero").component != nullptr);
}

TEST_CASE("a broken library is a warning, but an error if it is the one requested") {
  const PluginFolder folder;
  folder.add("good", "good.so");
  folder.add("other_abi", "libold.so");
  folder.write("text.so", "not a library at all");
  Search search({folder.path()});
  CHECK(search.registry.find(loss, "zero").library == folder.at("good.so"));
  CHECK(search.warnings.size() == 2);
  const Refusal requested = search.refusal(loss, "old");
  CHECK(requested.exit == Exit::plugin);
  CHECK(requested.says("was built for ABI 0.7"));
  CHECK(search.refusal(loss, "text.so#zero").exit == Exit::plugin);
}

TEST_CASE("a name that a refused library may have is a plugin error with the reason") {
  struct Case {
    const char* plugin;  // "": a text
    const char* reason;
  };
  for (const Case& test : {Case{"other_abi", "was built for ABI 0.7"},
                           {"no_symbol", "has no function sculpt_entry"},
                           {"null_catalogue", "does not support ABI"},
                           {"no_api", "is faulty"},
                           {"bad_id", "is faulty"},
                           {"unresolved", "cannot be loaded"},
                           {"", "is not a shared library (not an ELF file)"}}) {
    CAPTURE(test.reason);
    const PluginFolder folder;
    folder.add("good", "good.so");
    if (*test.plugin != '\0') folder.add(test.plugin, "refused.so");
    if (*test.plugin == '\0') folder.write("refused.so", "not a library at all");
    Search search({folder.path()});
    for (const char* name : {"something", "org.test.something"}) {
      const Refusal refusal = search.refusal(loss, name);
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.says("no loss is called \"" + std::string(name) + "\""));
      CHECK(refusal.says("or it belongs to a library that is refused: "));
      CHECK(refusal.says(folder.at("refused.so").string()));
      CHECK(refusal.says(test.reason));
    }
    // It may also have a component of another kind with a known name.
    const Refusal other_kind = search.refusal(SCULPT_KIND_DATASET, "zero");
    CHECK(other_kind.exit == Exit::plugin);
    CHECK(other_kind.says("\"zero\" is of the kind loss, not dataset"));
    CHECK(other_kind.says(test.reason));
    const Refusal of_model =
        refusal_of([&] { search.registry.find_id(loss, "org.test.something"); });
    CHECK(of_model.exit == Exit::plugin);
    CHECK(of_model.says(test.reason));
  }
}

TEST_CASE("a refused library whose sidecar can be read has only the names in it") {
  const PluginFolder folder;
  folder.add("other_abi", "old.so");
  folder.write("old.sculpt.json", sidecar_text("org.test.listed"));
  Search search({folder.path()});
  CHECK(search.refusal(loss, "something").exit == Exit::config);
  const Refusal listed = search.refusal(loss, "listed");
  CHECK(listed.exit == Exit::plugin);
  CHECK(listed.says("was built for ABI 0.7"));
  // A sidecar that cannot be read tells nothing.
  folder.write("old.sculpt.json", "{");
  Search unread({folder.path()});
  CHECK(unread.refusal(loss, "something").exit == Exit::plugin);
}

TEST_CASE("the reasons of several refused libraries are repeated, first ones in full") {
  const PluginFolder folder;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    folder.write(std::string(name) + ".so", "not a library at all");
  }
  Search search({folder.path()});
  const Refusal refusal = search.refusal(loss, "something");
  CHECK(refusal.exit == Exit::plugin);
  for (const char* file : {"a.so", "b.so", "c.so"}) CHECK(refusal.says(folder.at(file).string()));
  CHECK_FALSE(refusal.says(folder.at("d.so").string()));
  CHECK(refusal.says("; and 2 more"));
  // A library with this name is the one that is meant.
  const Refusal named = search.refusal(loss, "d");
  CHECK(named.exit == Exit::plugin);
  CHECK(named.says(folder.at("d.so").string()));
  CHECK_FALSE(named.says(folder.at("a.so").string()));
}

TEST_CASE("a folder is no library, whatever its name") {
  const PluginFolder first, second;
  std::filesystem::create_directory(first.at("good.so"));
  const auto file = second.add("good", "good.so");
  Search search({first.path(), second.path()});
  CHECK(search.registry.find(loss, "good.so#zero").library == file);
  CHECK(search.registry.find(loss, "zero").library == file);
  CHECK(search.warnings.empty());
}

TEST_CASE("a folder on the search path that cannot be read is named with the reason") {
  const PluginFolder folder;
  std::filesystem::create_symlink("loop", folder.at("loop"));
  Search search({folder.at("loop")});
  const Refusal refusal = search.refusal(loss, "something");
  CHECK(refusal.says(folder.at("loop").string() +
                     " (cannot be read: Too many levels of symbolic links)"));
}

TEST_CASE("a sidecar that lists a missing component is an error with a remedy") {
  const PluginFolder folder;
  folder.add("good", "good.so");
  folder.write("good.sculpt.json", sidecar_text("org.test.more"));
  Search search({folder.path()});
  const Refusal refusal = search.refusal(loss, "more");
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("good.sculpt.json lists the loss org.test.more"));
  CHECK(refusal.says("build the plugin again"));
}

TEST_CASE("a missing plugin file is refused, and a model that names a file") {
  const PluginFolder folder;
  Search search({folder.path()});
  const Refusal missing_file = search.refusal(loss, "none.so#zero");
  CHECK(missing_file.exit == Exit::plugin);
  CHECK(missing_file.says("looked in " + folder.path().string()));
  CHECK(search.refusal(loss, "./none.so#zero").exit == Exit::plugin);
  CHECK(refusal_of([&] { search.registry.find_id(loss, "/tmp/evil.so#zero"); }).exit == Exit::data);
}

TEST_CASE(
    "a model uses the first copy on the search path, and a missing library is a plugin error") {
  const PluginFolder one, two;
  const std::filesystem::path first = one.add("good", "good.so");
  two.add("good", "good.so");
  Search search({one.path(), two.path()});
  CHECK(search.registry.find_id(loss, "org.test.zero").library == first);
  const Refusal missing = refusal_of([&] { search.registry.find_id(loss, "org.test.none"); });
  CHECK(missing.exit == Exit::plugin);
  CHECK(missing.says("SCULPT_PLUGIN_PATH"));
}

TEST_CASE("a missing folder of the plugin_path is a warning") {
  const PluginFolder folder;
  Search search({folder.at("gone")});
  REQUIRE(search.warnings.size() == 1);
  CHECK(search.warnings[0].find(folder.at("gone").string()) != std::string::npos);
}
