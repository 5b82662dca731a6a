#include "problem/plugin/storage_service.hpp"

#include <exception>
#include <sculpt/cpp/error.hpp>

#include "base/failure.hpp"
#include "base/memory/file_storage.hpp"
#include "problem/plugin/services.hpp"

namespace sculpt::core {
namespace {

sculpt_status allocate_storage(const sculpt_host* host, std::int64_t size, void** memory,
                               sculpt_error* error) noexcept {
  *memory = nullptr;
  FileStorage* const storage = HostLink::of(host).services().storage();
  if (storage == nullptr || size < 1) return SCULPT_OK;
  try {
    *memory = storage->allocate(size);
    return SCULPT_OK;
  } catch (const Failure& failure) {
    sculpt::detail::write_error(error, failure.what());
  } catch (const std::exception&) {
    sculpt::detail::write_error(error, "the host is out of memory");
  }
  return SCULPT_E_MEMORY;
}

std::int32_t release_storage(const sculpt_host* host, void* memory) noexcept {
  FileStorage* const storage = HostLink::of(host).services().storage();
  return storage != nullptr && storage->release(memory) ? 1 : 0;
}

constexpr sculpt_host_storage storage_table = {allocate_storage, release_storage};

}  // namespace

const sculpt_host_storage& storage_service() {
  return storage_table;
}

}  // namespace sculpt::core
