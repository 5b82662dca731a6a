#include "library/guarded_call.hpp"

#include <filesystem>
#include <memory>
#include <new>

#include "base/file/open_file.hpp"
#include "base/memory/out_of_memory.hpp"
#include "parallel/outside_tasks.hpp"

namespace sculpt::core {
namespace {

sculpt_failure failure_of(const Failure& failure) {
  return {failure.what(), failure.advice(), static_cast<sculpt_exit>(failure.exit_code()),
          failure.faulty_example().value_or(-1)};
}

// What is being thrown.
sculpt_failure current_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure_of(with_memory_figures(failure));
  } catch (const std::bad_alloc&) {
    return failure_of(out_of_memory("out of memory"));
  } catch (const std::filesystem::filesystem_error& error) {
    return failure_of(system_failure(
        Exit::cannot_create, error.path1().string() + ": cannot be used", error.code().value()));
  } catch (const std::exception& error) {
    return {std::string("internal error: ") + error.what(), "", SCULPT_EXIT_INTERNAL, -1};
  }
}

}  // namespace

sculpt_exit guarded_call(sculpt_failure** failure, const std::function<Exit()>& body) noexcept {
  if (failure != nullptr) *failure = nullptr;
  const OutsideTasks scope;
  try {
    return static_cast<sculpt_exit>(body());
  } catch (...) {
    try {
      auto caught = std::make_unique<sculpt_failure>(current_failure());
      const sculpt_exit exit = caught->exit;
      if (failure != nullptr) *failure = caught.release();
      return exit;
    } catch (...) {  // no memory for the failure itself
      return SCULPT_EXIT_MEMORY;
    }
  }
}

void require_pointer(const void* pointer, const char* function, const char* argument) {
  if (pointer != nullptr) return;
  throw Failure(Exit::usage, std::string(function) + ": " + argument + " is NULL");
}

void require_count(std::int64_t count, const char* function) {
  if (count >= 1) return;
  throw Failure(Exit::usage, std::string(function) + ": count is " + std::to_string(count) +
                                 "; it must be at least 1");
}

}  // namespace sculpt::core

extern "C" {

sculpt_version sculpt_host_version(void) {
  return {SCULPT_HOST_MAJOR, SCULPT_HOST_MINOR};
}

const char* sculpt_version_text(void) {
  return SCULPT_VERSION;
}

const char* sculpt_failure_text(const sculpt_failure* failure) {
  return failure == nullptr ? "" : failure->text.c_str();
}

const char* sculpt_failure_advice(const sculpt_failure* failure) {
  return failure == nullptr ? "" : failure->advice.c_str();
}

sculpt_exit sculpt_failure_exit(const sculpt_failure* failure) {
  return failure == nullptr ? SCULPT_EXIT_REACHED : failure->exit;
}

std::int64_t sculpt_failure_example(const sculpt_failure* failure) {
  return failure == nullptr ? -1 : failure->example;
}

void sculpt_failure_free(sculpt_failure* failure) {
  delete failure;
}

}  // extern "C"
