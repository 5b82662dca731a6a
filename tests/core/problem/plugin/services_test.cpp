// The services that the host offers to components.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "core/problem/toy.hpp"

using namespace sculpt::core;

TEST_CASE("no exception passes from the services into a component") {
  Callbacks callbacks;
  callbacks.log = [](std::int32_t, const std::string&) { throw std::runtime_error("log"); };
  callbacks.progress = [](const std::string&, const std::string&, std::int64_t, std::int64_t) {
    throw std::runtime_error("progress");
  };
  callbacks.cancelled = []() -> bool { throw std::runtime_error("cancelled"); };
  Workers workers(2);
  Services services(callbacks, workers);
  const HostLink link("viterbi", services);
  const sculpt_host* host = link.raw();
  const auto service = [&](const char* id) { return host->extension(host, id); };
  CHECK_NOTHROW(static_cast<const sculpt_host_log*>(service(SCULPT_HOST_LOG))
                    ->log(host, SCULPT_LOG_WARNING, "hm"));
  CHECK_NOTHROW(static_cast<const sculpt_host_progress*>(service(SCULPT_HOST_PROGRESS))
                    ->progress(host, "reading", 3, 9));
  CHECK(static_cast<const sculpt_host_cancel*>(service(SCULPT_HOST_CANCEL))->cancelled(host) == 0);

  const auto* parallel = static_cast<const sculpt_host_parallel*>(service(SCULPT_HOST_PARALLEL));
  ErrorBuffer error;
  const auto no_memory = [](void*, std::int64_t, sculpt_error*) -> sculpt_status {
    throw std::bad_alloc();
  };
  CHECK(parallel->run(host, 4, no_memory, nullptr, error.raw()) == SCULPT_E_MEMORY);
  CHECK(error.text() == "parallel: the host is out of memory");
  const auto bug = [](void*, std::int64_t, sculpt_error*) -> sculpt_status {
    throw std::runtime_error("a bug");
  };
  CHECK(parallel->run(host, 4, bug, nullptr, error.raw()) == SCULPT_E_INTERNAL);
  CHECK(error.text() == "a bug");
  const auto number = [](void*, std::int64_t, sculpt_error*) -> sculpt_status { throw 7; };
  CHECK(parallel->run(host, 4, number, nullptr, error.raw()) == SCULPT_E_INTERNAL);
  CHECK(error.text() == "parallel: a task threw something that is not a std::exception");
  CHECK(parallel->run(host, -1, bug, nullptr, error.raw()) == SCULPT_E_INVALID);
}

TEST_CASE("services pass logs and progress on with the name of the component") {
  toy_plan() = random_toy(1, 1);
  std::string logged;
  std::string progressed;
  bool stop = false;
  Callbacks callbacks;
  callbacks.log = [&](std::int32_t severity, const std::string& text) {
    logged = std::to_string(severity) + " " + text;
  };
  callbacks.progress = [&](const std::string& component, const std::string& phase,
                           std::int64_t done, std::int64_t total) {
    progressed = component + " " + phase + " " + std::to_string(done) + "/" + std::to_string(total);
  };
  callbacks.cancelled = [&] { return stop; };
  Workers workers(1);
  Services services(callbacks, workers);
  const HostLink link("viterbi", services);
  const sculpt_host* host = link.raw();
  const auto service = [&](const char* id) { return host->extension(host, id); };
  static_cast<const sculpt_host_log*>(service(SCULPT_HOST_LOG))
      ->log(host, SCULPT_LOG_WARNING, "hm");
  CHECK(logged == "2 viterbi: hm");
  static_cast<const sculpt_host_progress*>(service(SCULPT_HOST_PROGRESS))
      ->progress(host, "reading", 3, 9);
  CHECK(progressed == "viterbi reading 3/9");
  const auto* cancel = static_cast<const sculpt_host_cancel*>(service(SCULPT_HOST_CANCEL));
  CHECK(cancel->cancelled(host) == 0);
  stop = true;
  CHECK(cancel->cancelled(host) == 1);
  CHECK(service("sculpt.unknown/1") == nullptr);
}
