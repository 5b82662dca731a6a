// Kernels on the command line: describe lists and explains them, and the schema knows them.

#include <doctest/doctest.h>

#include <regex>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Outcome described(std::vector<std::string> words) {
  words.insert(words.begin(), "describe");
  words.insert(words.end(), {"--plugin-path", SCULPT_STUB_FOLDER});
  return Scratch().sculpt(words);
}

}  // namespace

TEST_CASE("describe lists kernels as a kind of their own, and those that the host makes") {
  const Outcome all = described({});
  CHECK(all.exit == 0);
  const std::size_t heading = all.out.find("\nkernel\n");
  REQUIRE(heading != std::string::npos);
  CHECK(std::regex_search(all.out.substr(heading),
                          std::regex("\n  point_kernel +a kernel on points\n")));
  CHECK(std::regex_search(all.out,
                          std::regex("\nkernels made of others\n  normalized +k\\(a, b\\)")));
  CHECK(contains(all.out, "\n  sum             "));
  CHECK(contains(all.out, "\n  product         "));
}

TEST_CASE("describe explains a kernel of a library and those of the host") {
  const Outcome component = described({"point_kernel"});
  CHECK(component.exit == 0);
  CHECK(component.out.starts_with("org.sculpt.stub.point_kernel 1.0.0 (kernel)\n"));
  CHECK(contains(component.out, "choice gaussian|product; default \"gaussian\""));

  const Outcome normalized = described({"normalized"});
  CHECK(normalized.out.starts_with("normalized (kernel)\n  k(a, b) / sqrt("));
  CHECK(contains(normalized.out, "    of                json; required\n"));
  const Outcome sum = described({"sum"});
  CHECK(sum.out.starts_with("sum (kernel)\n"));
  CHECK(contains(sum.out, "    members           json; required\n"));
  CHECK(contains(sum.out, "    weights           "));
  CHECK(contains(described({"product"}).out, "    members           json; required\n"));
  CHECK(contains(described({"normalised"}).err, "did you mean \"normalized\"?"));
}

TEST_CASE("features that do not say where the weights of rows are are refused with a kernel") {
  const Scratch scratch;
  scratch.write("kernel.json",
                R"({"dataset": {"use": "points", "train": {"text": "1 0.5\n0 1.5\n"}},
 "features": "sequence", "loss": "count_errors", "oracle": "brute_force",
 "kernel": {"use": "normalized", "of": "point_kernel"},
 "solver": "n_slack"})");
  const std::map<std::string, std::string> stubs{{"SCULPT_PLUGIN_PATH", SCULPT_STUB_FOLDER}};
  const Outcome refused = scratch.sculpt({"train", "kernel.json", "--output", "run"}, stubs);
  CHECK(refused.exit == exit_config);
  CHECK(contains(refused.err,
                 "kernel.json:2:14: sequence: does not work with a kernel: it does not say where "
                 "the weights of rows are (sculpt.row-blocks/1); leave out \"kernel\""));
  const Outcome changed =
      scratch.sculpt({"train", "kernel.json", "--set", "kernel.of.widht=2"}, stubs);
  CHECK(changed.exit == exit_config);
  CHECK(contains(changed.err, "--set kernel.of.widht=2: unknown key \"widht\""));
  const Outcome without =
      scratch.sculpt({"train", "kernel.json", "--output", "run", "--set", "kernel=null"}, stubs);
  INFO(without.err);
  CHECK((without.exit == 0 || without.exit == 3));
  CHECK_FALSE(Json::parse(scratch.read("run/config.json")).contains("kernel"));
}
