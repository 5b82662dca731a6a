// Library: which plugins are loaded, and which are refused with which error.

#include <doctest/doctest.h>
#include <sculpt/ext/kernel.h>

#include "core/registry/plugin_folder.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/elf_image.hpp"
#include "registry/library.hpp"
#include "registry/listing.hpp"

using namespace sculpt::core;

namespace {

Refusal load_refusal(const std::filesystem::path& file) {
  return refusal_of([&] { Library::load(file); });
}

}  // namespace

TEST_CASE("a good plugin is loaded, and only once") {
  const PluginFolder folder;
  const auto file = folder.add("good", "good.so");
  const Library& library = Library::load(file);
  CHECK(library.file() == file);
  REQUIRE(library.components().size() == 1);
  CHECK(std::string(library.components()[0]->id) == "org.test.zero");
  CHECK(&Library::load(file) == &library);
}

TEST_CASE("a plugin that is missing is refused") {
  const PluginFolder folder;
  const Refusal refusal = load_refusal(folder.at("none.so"));
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text == "the plugin " + folder.at("none.so").string() + " does not exist");
}

TEST_CASE("a plugin truncated anywhere is refused before the linker maps it") {
  const PluginFolder folder;
  const std::string bytes = bytes_of(folder.add("good", "whole.so"));
  REQUIRE(elf_fault(folder.at("whole.so")).empty());
  for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 97 : 1013) {
    CAPTURE(size);
    const Refusal refusal = load_refusal(folder.write("cut.so", bytes.substr(0, size)));
    CHECK(refusal.exit == Exit::plugin);
    CHECK((refusal.says("is truncated") || refusal.says("is empty")));
  }
  CHECK(
      load_refusal(folder.write("cut.so", bytes.substr(0, bytes.size() - 1))).says("is truncated"));
}

TEST_CASE("a file that is not a shared library is refused") {
  const PluginFolder folder;
  const std::string text = "just some text, long enough for a header, or so it is hoped";
  CHECK(load_refusal(folder.write("text.so", text)).says("is not a shared library"));
  std::filesystem::create_directory(folder.at("folder.so"));
  CHECK(load_refusal(folder.at("folder.so")).says("is not a file"));
  CHECK(load_refusal("/proc/self/exe").exit == Exit::plugin);

  std::string bytes = bytes_of(folder.add("good", "whole.so"));
  bytes[18] = static_cast<char>(bytes[18] ^ 0x55);  // e_machine
  CHECK(load_refusal(folder.write("machine.so", bytes)).says("is built for another machine"));
}

TEST_CASE("a plugin with an undefined symbol is refused with the message of the linker") {
  const PluginFolder folder;
  const Refusal refusal = load_refusal(folder.add("unresolved", "unresolved.so"));
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("cannot be loaded: "));
  CHECK(refusal.says("undefined_function"));
  CHECK_FALSE(refusal.says("dlerror"));
}

TEST_CASE("a library without sculpt_entry, of another ABI or without a catalogue is refused") {
  const PluginFolder folder;
  CHECK(load_refusal(folder.add("no_symbol", "a.so")).says("has no function sculpt_entry"));
  const Refusal other = load_refusal(folder.add("other_abi", "b.so"));
  CHECK(other.exit == Exit::plugin);
  CHECK(other.says("was built for ABI 0.7, this host has 0.2"));
  CHECK(load_refusal(folder.add("needs_more", "d.so"))
            .says("needs ABI 0.9, but was built for 0.2; set abi_needed"));
  CHECK(load_refusal(folder.add("null_catalogue", "c.so")).says("does not support ABI 0.2"));
}

TEST_CASE("equal minor versions fit before 1.0, and from then on those that the plugin needs") {
  CHECK(is_compatible({0, 2}, {0, 2}, {0, 2}));
  CHECK_FALSE(is_compatible({0, 1}, {0, 1}, {0, 2}));
  CHECK_FALSE(is_compatible({0, 3}, {0, 2}, {0, 2}));
  CHECK_FALSE(is_compatible({1, 0}, {1, 0}, {0, 2}));
  CHECK(is_compatible({1, 4}, {1, 2}, {1, 2}));
  CHECK(is_compatible({1, 0}, {1, 0}, {1, 2}));
  CHECK_FALSE(is_compatible({1, 4}, {1, 3}, {1, 2}));
  CHECK_FALSE(is_compatible({2, 0}, {2, 0}, {1, 2}));
}

TEST_CASE("components of a kind that this host does not know are ignored, also in a sidecar") {
  const PluginFolder folder;
  const Library& library = Library::load(folder.add("later_kind", "later.so"));
  REQUIRE(library.catalogue().component_count == 2);
  REQUIRE(library.components().size() == 1);
  CHECK(library.components()[0]->kind == SCULPT_KIND_LOSS);
  const LibraryListing listing = list_library(library);
  std::string text = sidecar_text(listing);
  CHECK(read_sidecar_text(text, listing.file) == listing);
  text.replace(text.find("\"loss\""), 6, "\"gain\"");
  CHECK(read_sidecar_text(text, listing.file).components.empty());
}

TEST_CASE("a catalogue with invalid entries is refused") {
  const PluginFolder folder;
  CHECK(load_refusal(folder.add("bad_id", "a.so")).says("the id \"Nodots\" is not of the form"));
  CHECK(load_refusal(folder.add("no_api", "b.so"))
            .says("its function table of the kind loss is incomplete"));
}

TEST_CASE("every fault in the description of a component is found") {
  const PluginFolder folder;
  const sculpt_component good = *Library::load(folder.add("good", "good.so")).components()[0];
  CHECK(component_fault(good).empty());
  const auto fault = [&](auto&& change) {
    sculpt_component changed = good;
    change(changed);
    return component_fault(changed);
  };
  for (const char* id : {"", "nodots", "Org.x", ".x", "x.", "a..b", "a-b.c"}) {
    CAPTURE(id);
    CHECK_FALSE(fault([&](auto& c) { c.id = id; }).empty());
  }
  CHECK_FALSE(fault([](auto& c) { c.id = nullptr; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.kind = 9; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.traits = std::uint64_t{1} << 40; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.version = nullptr; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.summary = ""; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.life = nullptr; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.api = nullptr; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.parameters = nullptr; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.parameter_count = -1; }).empty());
  CHECK_FALSE(fault([](auto& c) { c.extensions = nullptr; }).empty());

  const auto kernel_fault = [&](const char* id, bool has_claims) {
    sculpt_kernel_api table{};
    if (has_claims) {
      table.claims = [](const void*, std::uint32_t*, sculpt_error*) -> sculpt_status {
        return SCULPT_OK;
      };
    }
    table.rows = [](void*, const std::int64_t*, std::int64_t, const std::int64_t*, std::int64_t,
                    double*, sculpt_error*) -> sculpt_status { return SCULPT_OK; };
    table.diagonal = [](void*, const std::int64_t*, std::int64_t, double*,
                        sculpt_error*) -> sculpt_status { return SCULPT_OK; };
    table.write_atom = [](const void*, std::int64_t, sculpt_byte_buffer*,
                          sculpt_error*) -> sculpt_status { return SCULPT_OK; };
    table.keep = [](void*, const char*, const std::int64_t*, std::int64_t,
                    sculpt_error*) -> sculpt_status { return SCULPT_OK; };
    table.kept_rows = [](void*, const std::int64_t*, std::int64_t, std::int64_t, std::int64_t,
                         double*, sculpt_error*) -> sculpt_status { return SCULPT_OK; };
    return fault([&](auto& c) {
      c.kind = SCULPT_KIND_KERNEL;
      c.api = &table;
      c.extensions = &id;
      c.extension_count = 1;
    });
  };
  CHECK(kernel_fault(SCULPT_EXT_KERNEL, true).empty());
  CHECK(kernel_fault(SCULPT_EXT_KERNEL, false).find("is incomplete") != std::string::npos);
  CHECK(kernel_fault("sculpt.kernel/draft-2", true).empty());  // built before the promotion
  CHECK(kernel_fault("sculpt.kernel/draft-0", true).find(SCULPT_EXT_KERNEL) != std::string::npos);

  const auto parameter_fault = [&](auto&& change) {
    sculpt_parameter parameter = good.parameters[0];
    change(parameter);
    return fault([&](auto& c) {
      c.parameters = &parameter;
      c.parameter_count = 1;
    });
  };
  CHECK(parameter_fault([](auto&) {}).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.name = "Big"; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.name = "use"; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.type = 99; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.choices = nullptr; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.summary = nullptr; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.lower = 1; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.flags = 2; }).empty());
  CHECK_FALSE(parameter_fault([](auto& p) { p.reserved = 1; }).empty());
  CHECK(parameter_fault([](auto& p) { p.flags = SCULPT_PARAMETER_DEPRECATED; }).empty());

  const auto fault_of_needs = [&](const char* needs) {
    sculpt_parameter table[] = {good.parameters[0], good.parameters[1]};
    table[1].needs = needs;
    return fault([&](auto& c) { c.parameters = table; });
  };
  for (const char* needs : {"mode", "mode=\"b\"", "mode=[1, 2]"}) {
    CAPTURE(needs);
    CHECK(fault_of_needs(needs).empty());
  }
  for (const char* needs : {"", "=", "weights", "other", "mode=", "mode=b", "mode =\"b\""}) {
    CAPTURE(needs);
    CHECK_FALSE(fault_of_needs(needs).empty());
  }
}
