// The test of the extensions that sealed components offer. library.extensions asks them before they
// are bound.

#include <array>

#include "check/fixture/known_extensions.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

void life_extensions_test(TestFixture& fixture, TestContext& context) {
  const std::vector<const Component*> components = fixture.components();
  std::vector<const sculpt_component*> descriptions;
  for (const Component* component : components) descriptions.push_back(&component->description());
  for (const Component* component : components) {
    context.set_activity("asking " + component->name() + " for extensions");
    context.count();
    std::vector<std::string> answered;
    const std::string fault = answer_fault(*component, descriptions, answered);
    if (!fault.empty()) context.fail(fault);
    for (const std::string& id : answered) {
      context.report().extensions.push_back(kind_and_name(component->description()) + ": " + id);
    }
  }
}

}  // namespace

std::span<const ExperimentTest> extension_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"life.extensions", life_extensions_test}}};
  return tests;
}

}  // namespace sculpt::core
