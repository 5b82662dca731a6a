#include "check/tests/required_loss.hpp"

#include "check/answers/counter_example.hpp"

namespace sculpt::core {

Loss& required_loss(TestFixture& fixture, TestContext& context) {
  if (fixture.problem().loss() == nullptr) context.skip("there is no loss");
  if (fixture.examples().empty()) context.skip("no example has a complete truth");
  return *fixture.problem().loss();
}

void fail_loss(TestFixture& fixture, TestContext& context, const Loss& loss, std::int64_t example,
               const Output& output, const std::string& what) {
  context.fail({loss.component().name() + ": " + what, example_text(fixture, example),
                "  guess   " + fixture.problem().dataset().format(example, output.raw()) + " " +
                    labels_text(output.labels)});
}

}  // namespace sculpt::core
