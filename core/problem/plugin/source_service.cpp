#include "problem/plugin/source_service.hpp"

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <sculpt/cpp/error.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "base/file/source_reader.hpp"
#include "problem/plugin/services.hpp"

// The type that the C header only declares.
struct sculpt_source_reader {
  sculpt::core::SourceReader reader;
};

namespace sculpt::core {
namespace {

sculpt_status status_of(Exit exit) {
  switch (exit) {
    case Exit::data:
      return SCULPT_E_DATA;
    case Exit::missing:
      return SCULPT_E_MISSING;
    case Exit::memory:
      return SCULPT_E_MEMORY;
    case Exit::interrupted:
      return SCULPT_E_CANCELLED;
    default:
      return SCULPT_E_INTERNAL;
  }
}

thread_local std::string memory_advice;

sculpt_status write_failure(sculpt_error* error, const Failure& failure) noexcept {
  try {
    if (failure.exit_code() == Exit::memory) {
      memory_advice = failure.advice();
      detail::write_error(error, failure.what());
    } else {
      detail::write_error(error, failure.text_in_one_line());
    }
  } catch (const std::bad_alloc&) {  // the advice must go
    detail::write_error(error, failure.what());
  }
  return status_of(failure.exit_code());
}

// Runs body(). Turns every exception into a status and its text.
template <class Body>
sculpt_status run_to_status(sculpt_error* error, Body&& body) noexcept {
  try {
    body();
    return SCULPT_OK;
  } catch (const Failure& failure) {
    return write_failure(error, failure);
  } catch (const std::bad_alloc&) {
    detail::write_error(error, "the host is out of memory");
    return SCULPT_E_MEMORY;
  } catch (const std::exception& exception) {
    detail::write_error(error, exception.what());
    return SCULPT_E_INTERNAL;
  }
}

std::unique_ptr<ByteInput> open_bytes(const sculpt_host* host, const sculpt_source& source) {
  if (source.text != nullptr) {
    return open_memory_bytes({source.text, static_cast<std::size_t>(source.text_size)});
  }
  Services& services = HostLink::of(host).services();
  return open_file_bytes(source.path, [&services] { return services.cancelled(); });
}

sculpt_status open_source(const sculpt_host* host, const sculpt_source* source,
                          sculpt_source_reader** out, sculpt_error* error) noexcept {
  return run_to_status(error, [&] {
    auto input = unpacked(open_bytes(host, *source), source->path);
    *out =
        std::make_unique<sculpt_source_reader>(sculpt_source_reader{SourceReader(std::move(input))})
            .release();
  });
}

void lend(std::string_view text, const char** bytes, std::int64_t* size) {
  *bytes = text.data();
  *size = static_cast<std::int64_t>(text.size());
}

sculpt_status next_block(sculpt_source_reader* source, const char** bytes, std::int64_t* size,
                         sculpt_error* error) noexcept {
  return run_to_status(error, [&] { lend(source->reader.next_block(), bytes, size); });
}

sculpt_status read_rest(sculpt_source_reader* source, const char** bytes, std::int64_t* size,
                        sculpt_error* error) noexcept {
  return run_to_status(error, [&] { lend(source->reader.rest(), bytes, size); });
}

sculpt_status next_line(sculpt_source_reader* source, const char** line, std::int64_t* size,
                        std::int64_t* number, sculpt_error* error) noexcept {
  return run_to_status(error, [&] {
    const std::optional<std::string_view> next = source->reader.next_line();
    lend(next.value_or(std::string_view()), line, size);
    *number = source->reader.line_number();
  });
}

void close_source(sculpt_source_reader* source) noexcept {
  delete source;
}

constexpr sculpt_host_source service = {open_source, next_block, read_rest, next_line,
                                        close_source};

}  // namespace

const sculpt_host_source& source_service() {
  return service;
}

std::string take_memory_advice() {
  return std::exchange(memory_advice, "");
}

}  // namespace sculpt::core
