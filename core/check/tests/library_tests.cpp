// Tests of a library without data: its symbols, catalogue and sidecar, and the life of its
// components.

#include <dlfcn.h>
#include <sculpt/ext/promoted.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/fixture/time_budget.hpp"
#include "check/system/exported_symbols.hpp"
#include "check/system/leaked_memory.hpp"
#include "check/tests/test_groups.hpp"
#include "experiment/checked_parameters.hpp"
#include "problem/plugin/component.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/listing.hpp"

namespace sculpt::core {
namespace {

// The library exports only sculpt_entry.
void library_symbols_test(const Library& library, const CheckOptions&, TestContext& context) {
  context.count();
  std::vector<std::string> names = exported_symbols(library.file());
  names.erase(std::remove(names.begin(), names.end(), "sculpt_entry"), names.end());
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) { return name.starts_with("__asan"); }),
              names.end());
  if (names.empty()) return;
  const std::size_t count = names.size();
  names.resize(std::min<std::size_t>(count, 5));
  context.fail("exports " + std::to_string(count) + " symbols beside sculpt_entry (" +
               joined(names, ", ") +
               "); they can clash with those of other plugins: build it with sculpt_add_plugin()");
}

// For a host of another version it returns nothing, or the version that it was built for.
void library_version_test(const Library& library, const CheckOptions&, TestContext& context) {
  void* const handle = ::dlopen(library.file().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  void* const symbol = handle == nullptr ? nullptr : ::dlsym(handle, "sculpt_entry");
  if (symbol == nullptr) context.fail("sculpt_entry cannot be found again");
  const auto entry = reinterpret_cast<sculpt_entry_function>(symbol);
  for (const sculpt_version other :
       {sculpt_version{SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR + 1},
        sculpt_version{SCULPT_ABI_MAJOR + 1, 0}, sculpt_version{UINT32_MAX, UINT32_MAX}}) {
    context.count();
    const sculpt_plugin* const plugin = entry(other);
    if (plugin == nullptr) continue;
    if (plugin->abi.major == SCULPT_ABI_MAJOR && plugin->abi.minor == SCULPT_ABI_MINOR) continue;
    context.fail("gives a host of ABI " + std::to_string(other.major) + "." +
                 std::to_string(other.minor) + " a catalogue of ABI " +
                 std::to_string(plugin->abi.major) + "." + std::to_string(plugin->abi.minor) +
                 "; return NULL or the catalogue of the ABI that it was built for");
  }
  if (entry({SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR}) != &library.catalogue()) {
    context.fail("gives another catalogue in a second call");
  }
}

// The catalogue is complete and can be read. Extensions have valid ids, and experiments are JSON.
void library_catalogue_test(const Library& library, const CheckOptions&, TestContext& context) {
  const std::string fault = catalogue_fault(&library.catalogue());
  if (!fault.empty()) context.fail(fault);
  for (const sculpt_component* component : library.components()) {
    context.count();
    for (std::int64_t k = 0; k < component->extension_count; ++k) {
      const std::string id = component->extensions[k];
      if (id.find('.') != std::string::npos && id.find('/') != std::string::npos) continue;
      context.fail(std::string(component->id) + ": its extension \"" + id +
                   "\" is not a valid id; write name.kebab-case/revision");
    }
  }
  const sculpt_plugin& catalogue = library.catalogue();
  for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
    context.count();
    if (catalogue.experiments[k] == nullptr ||
        !nlohmann::json::accept(std::string(catalogue.experiments[k]), true)) {
      context.fail("its experiment " + std::to_string(k + 1) + " is not JSON");
    }
  }
  if (catalogue.experiment_count == 0) {
    context.warn(
        "has no experiment, so only the library itself is checked; add a small one to "
        "sculpt_plugin.experiments, or check an experiment file");
  }
}

bool has_required_parameter(const sculpt_component& component) {
  const auto parameters = parameters_of(component);
  return std::any_of(parameters.begin(), parameters.end(), [](const sculpt_parameter& parameter) {
    return parameter.fallback == nullptr;
  });
}

// Each default is valid by the declaration of its parameter.
void library_defaults_test(const Library& library, const CheckOptions&, TestContext& context) {
  for (const sculpt_component* component : library.components()) {
    for (const sculpt_parameter& parameter : parameters_of(*component)) {
      if (parameter.fallback == nullptr) continue;
      context.count();
      context.set_activity("the default of " + std::string(parameter.name));
      CheckedParameters({&parameter, 1}, JsonDocument(), short_name(*component));  // throws
    }
  }
  if (context.cases() == 0) context.skip("no parameter has a default");
}

void library_sidecar_test(const Library& library, const CheckOptions&, TestContext& context) {
  const auto file = sidecar_of(library.file());
  if (!file) {
    context.warn(
        "has no sidecar (NAME.sculpt.json), so it is loaded in each search for components; "
        "sculpt_add_plugin() writes one");
    return;
  }
  context.count();
  if (read_sidecar(*file, library.file()) == list_library(library)) return;
  context.fail("the sidecar " + file->string() +
               " does not match the library; delete both and build the plugin again");
}

// Makes components that need no values from an experiment.
class ComponentMaker {
 public:
  ComponentMaker() : workers_(1), services_(Callbacks(), workers_, Services::Guard::fences) {}
  std::unique_ptr<Component> make(const sculpt_component& description) {
    const CheckedParameters values(parameters_of(description), JsonDocument(),
                                   short_name(description));
    return std::make_unique<Component>(description, values.values(), services_);
  }

 private:
  Workers workers_;
  Services services_;
};

// Components declare what they may offer, answer only what they declare, and return NULL for
// unknown extensions. life.extensions asks sealed components, also those that need parameters.
void library_extensions_test(const Library& library, const CheckOptions&, TestContext& context) {
  ComponentMaker maker;
  const std::span<const sculpt_component* const> descriptions = library.components();
  for (const sculpt_component* description : descriptions) {
    context.set_activity("asking " + std::string(description->id) + " for extensions");
    context.count();
    for (std::int64_t k = 0; k < description->extension_count; ++k) {
      const char* const id = sculpt_promoted_id(description->extensions[k]);
      const std::string fault = declaration_fault(*description, id, descriptions);
      if (!fault.empty()) context.fail(fault);
      const std::string warning = unknown_id_warning(*description, id);
      if (!warning.empty()) context.warn(warning);
      if (may_offer(description->kind, id))
        context.report().extensions.push_back(kind_and_name(*description) + ": " + id);
    }
    if (has_required_parameter(*description)) continue;
    const std::unique_ptr<Component> component = maker.make(*description);
    std::vector<std::string> answered;
    const std::string fault = answer_fault(*component, descriptions, answered);
    if (!fault.empty()) context.fail(fault);
  }
}

// A component that is made and destroyed many times leaks no memory. For components that need
// parameters, life.leak tests this with the values of an experiment.
void library_life_test(const Library& library, const CheckOptions& options, TestContext& context) {
  ComponentMaker maker;
  const double seconds =
      query_time_fraction * options.time_limit / static_cast<double>(library.components().size());
  for (const sculpt_component* description : library.components()) {
    if (has_required_parameter(*description)) continue;
    context.set_activity("creating and destroying " + std::string(description->id));
    const auto run_life = [&] {
      context.count();
      maker.make(*description);
    };
    const Stopwatch watch;
    run_life();
    const int repeats = repetitions(watch.seconds(), seconds,
                                    options.level.choose(20, 200, 1000));  // in each round
    if (repeats == 0) {
      context.remark(std::string(description->id) +
                     ": create takes too long to repeat it; set a larger --time-limit");
      continue;
    }
    const double leaked = leaked_per_round([&] {
      for (int k = 0; k < repeats; ++k) run_life();
    });
    if (leaked == 0) continue;
    context.fail(std::string(description->id) + ": create and destroy leak: " +
                 number_text(leaked / repeats) + " bytes each time");
  }
  if (context.cases() == 0) context.skip("every component needs parameters");
}

}  // namespace

std::span<const LibraryTest> library_tests() {
  static constexpr std::array<LibraryTest, 7> tests{
      {{"library.symbols", library_symbols_test},
       {"library.version", library_version_test},
       {"library.catalogue", library_catalogue_test},
       {"library.defaults", library_defaults_test},
       {"library.sidecar", library_sidecar_test},
       {"library.extensions", library_extensions_test},
       {"library.life", library_life_test}}};
  return tests;
}

}  // namespace sculpt::core
