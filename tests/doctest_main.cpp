// The main function of every test binary. A run without test cases fails. Without this rule, ctest
// would pass a test whose name is not found, for example because CMake split the name at ";".

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

namespace {

// The number of test cases in the last run.
unsigned cases_run = 0;

struct CaseCounter : doctest::IReporter {
  explicit CaseCounter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& run) override {
    cases_run = run.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace

REGISTER_LISTENER("cases", 1, CaseCounter);

int main(int argument_count, char** arguments) {
  doctest::Context context(argument_count, arguments);
  const int result = context.run();
  if (context.shouldExit() || result != 0) return result;
  return cases_run > 0 ? 0 : 1;
}
