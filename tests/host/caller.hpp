// caller.hpp - short ways to call libsculpt in tests.
#pragma once

#include <doctest/doctest.h>
#include <sculpt/host/host.h>

#include <memory>
#include <string>
#include <vector>

namespace sculpt::test {

template <auto free_it>
struct Freed {
  template <class Handle>
  void operator()(Handle* handle) const {
    free_it(handle);
  }
};
using SessionHandle = std::unique_ptr<sculpt_session, Freed<sculpt_session_free>>;
using ModelHandle = std::unique_ptr<sculpt_model, Freed<sculpt_model_free>>;
using ExamplesHandle = std::unique_ptr<sculpt_examples, Freed<sculpt_examples_free>>;

// How a call ended.
struct Ended {
  sculpt_exit exit = -1;
  std::string text;  // of the failure
  bool reached() const { return exit == SCULPT_EXIT_REACHED; }
};

// Calls a function of the library and takes its failure. `call` gets the last argument.
template <class Call>
Ended ended(const Call& call) {
  sculpt_failure* failure = nullptr;
  Ended end;
  end.exit = call(&failure);
  if (failure != nullptr) {
    CHECK(sculpt_failure_exit(failure) == end.exit);
    end.text = std::string(sculpt_failure_text(failure)) + sculpt_failure_advice(failure);
  }
  sculpt_failure_free(failure);
  return end;
}

// What a session has said.
struct Said {
  std::string results, messages, help;
  static void write(void* user, std::int32_t kind, const char* text, std::int64_t size);
};

// `said`: receives what the host says; nullptr: nobody listens.
SessionHandle open_session(int threads = 1, Said* said = nullptr);

inline constexpr const char* points = "1 1:1\n2 2:1\n2 2:2\n1 1:3\n2 1:1 2:2\n";
// A multiclass experiment on `points`.
std::string experiment_of_points();

// Trains and returns the model. `options` without json and path: those of experiment_of_points().
ModelHandle trained(sculpt_session* session, sculpt_training_options options = {});
std::string bytes_of(const ModelHandle& model);
ExamplesHandle read_text(sculpt_session* session, const ModelHandle& model,
                         const std::string& text);

template <class Record>
Record record() {
  Record made = {};
  made.struct_size = sizeof made;
  return made;
}

}  // namespace sculpt::test
