// Sessions: what they say, and commands in the process of the caller.

#include "command/host_process.hpp"
#include "host/caller.hpp"

using namespace sculpt::test;

namespace {

Ended run(const SessionHandle& session, const std::vector<const char*>& words) {
  return ended([&](sculpt_failure** failure) {
    return sculpt_run_command(session.get(), words.data(), static_cast<std::int64_t>(words.size()),
                              failure);
  });
}

}  // namespace

TEST_CASE("a command says to the caller what the program prints") {
  const Scratch scratch;
  for (const std::vector<const char*>& words :
       {std::vector{"describe", "--json", "viterbi"}, std::vector{"describe", "svmlight"}}) {
    Said said;
    CHECK(run(open_session(1, &said), words).reached());
    const Outcome printed = scratch.sculpt({words.begin(), words.end()});
    CHECK(said.results == printed.out);
    CHECK(said.messages == printed.err);
  }
}

TEST_CASE("a command that fails has the exit code and the text of the program") {
  const Scratch scratch;
  Said said;
  const Ended end = run(open_session(1, &said), {"train", "/nowhere.json"});
  const Outcome printed = scratch.sculpt({"train", "/nowhere.json"});
  CHECK(end.exit == printed.exit);
  CHECK("sculpt: " + end.text + "\n" == printed.err);
  CHECK(said.messages.empty());
  CHECK(run(open_session(), {"no_command"}).exit == SCULPT_EXIT_USAGE);
  CHECK(run(open_session(), {}).exit == SCULPT_EXIT_USAGE);
}

TEST_CASE("folders of the session are searched for plugins first") {
  const Scratch scratch;
  const std::string folder = scratch.folder().string();
  const char* const folders[] = {folder.c_str()};
  auto options = record<sculpt_session_options>();
  options.plugin_path = folders;
  options.plugin_path_count = 1;
  sculpt_session* opened = nullptr;
  REQUIRE(sculpt_session_open(&options, &opened, nullptr) == SCULPT_EXIT_REACHED);
  const SessionHandle session(opened);
  const Ended end = run(session, {"describe", "no_such_component"});
  CHECK(end.text.find("looked in " + folder) != std::string::npos);
}

TEST_CASE("a session in use, and records of another size, are refused") {
  const SessionHandle session = open_session();
  struct Nested {
    sculpt_session* session;
    Ended end;
  } nested{session.get(), {}};
  sculpt_training_options options = {};
  options.user = &nested;
  options.pass_done = [](void* user, const sculpt_pass*) {
    auto& inner = *static_cast<Nested*>(user);
    const char* const words[] = {"describe", "viterbi"};
    inner.end = ended([&](sculpt_failure** failure) {
      return sculpt_run_command(inner.session, words, 2, failure);
    });
  };
  trained(session.get(), options);
  CHECK(nested.end.exit == SCULPT_EXIT_USAGE);
  CHECK(
      nested.end.text ==
      "sculpt_run_command: another call uses this session, or this is a call out of a callback of "
      "one; open a second session for it");

  sculpt_session* none = nullptr;
  sculpt_session_options wrong = {};
  const auto open = [&](sculpt_failure** failure) {
    return sculpt_session_open(&wrong, &none, failure);
  };
  CHECK(ended(open).text ==
        "sculpt_session_open: options->struct_size is 0; set it to the sizeof of the record (40)");
  wrong.struct_size = sizeof wrong;
  wrong.threads = -1;
  CHECK(ended(open).exit == SCULPT_EXIT_USAGE);
  wrong.threads = 1000000;
  CHECK(ended(open).exit == SCULPT_EXIT_USAGE);
  wrong.threads = 0;
  wrong.plugin_path_count = 1;
  CHECK(ended(open).text == "sculpt_session_open: plugin_path is NULL");
  CHECK(none == nullptr);
}

TEST_CASE("a sweep runs the program beside the library, whatever this program is") {
  const Scratch scratch;
  scratch.write("points.json", experiment_of_points());
  const std::string config = (scratch / "points.json").string();
  const std::string output = (scratch / "sweep").string();
  Said said;
  const Ended end = run(open_session(1, &said), {"sweep", config.c_str(), "--set", "solver.C=1,10",
                                                 "--output", output.c_str()});
  INFO(end.text, said.messages);
  CHECK(end.reached());
  CHECK(said.results.find("solver.C") != std::string::npos);
}

TEST_CASE("the versions of the library") {
  CHECK(sculpt_host_version().major == SCULPT_HOST_MAJOR);
  CHECK(sculpt_host_version().minor == SCULPT_HOST_MINOR);
  const Scratch scratch;
  CHECK("sculpt " + std::string(sculpt_version_text()) + "\n" == scratch.sculpt({"--version"}).out);
}
