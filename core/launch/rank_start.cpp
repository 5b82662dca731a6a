#include "launch/rank_start.hpp"

#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <utility>

#include "base/failure.hpp"
#include "base/host_place.hpp"
#include "parallel/ranks/transport.h"

namespace sculpt::core {
namespace {

// Set by mpirun and srun in each process that they start.
constexpr const char* size_of_open_mpi = "OMPI_COMM_WORLD_SIZE";
constexpr const char* signs_of_mpi[] = {size_of_open_mpi, "PMIX_RANK", "PMI_RANK"};

constexpr const char* library_file = "lib/sculpt/libsculpt-mpi.so";  // below the prefix

bool is_started_by_mpi() {
  for (const char* const sign : signs_of_mpi) {
    if (std::getenv(sign) != nullptr) return true;
  }
  return false;
}

// The processes that the starter speaks of, as far as it says so.
std::string announced_count() {
  for (const char* const name : {size_of_open_mpi, "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* const text = std::getenv(name)) return text;
  }
  return "";
}

const sculpt_transport& load_transport() {
  const std::filesystem::path file = host_prefix() / library_file;
  const std::string advice =
      "; this process was started by mpirun, and needs it to share the work; install the package "
      "sculpt-mpi, or build sculpt with Open MPI (libopenmpi-dev)";
  try {
    // Never unloaded, as all libraries with threads of their own.
    static auto& library = *new boost::dll::shared_library(
        boost::dll::fs::path(file.string()),
        boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_global);
    const auto& open = library.get<const sculpt_transport*(std::uint32_t)>(SCULPT_TRANSPORT_ENTRY);
    if (const sculpt_transport* const transport = open(SCULPT_TRANSPORT_VERSION)) return *transport;
  } catch (const std::exception& error) {
    throw Failure(Exit::plugin, file.string() + ": cannot be loaded: " + error.what() + advice);
  }
  throw Failure(Exit::plugin, file.string() + ": is of another version of sculpt" + advice);
}

class LoadedTransport : public Transport {
 public:
  explicit LoadedTransport(const sculpt_transport& table) : table_(table) {}

  int rank() const override { return table_.rank; }
  int count() const override { return table_.count; }
  int local_count() const override { return table_.local_count; }
  std::string host() const override { return table_.host; }
  // "Open MPI v4.1.4", without the rest.
  std::string name() const override {
    const std::string text = table_.name;
    return text.substr(0, text.find_first_of(",\n"));
  }
  void start_gather(std::span<const char> own, std::span<char> all) override {
    table_.start_gather(own.data(), std::ssize(own), all.data());
  }
  void start_gather_blocks(std::span<const char> own, std::span<const std::int64_t> sizes,
                           std::span<char> all) override {
    table_.start_gather_blocks(own.data(), sizes.data(), all.data());
  }
  void start_exchange(std::span<const char> send, std::span<const std::int64_t> send_sizes,
                      std::span<char> received,
                      std::span<const std::int64_t> receive_sizes) override {
    table_.start_exchange(send.data(), send_sizes.data(), received.data(), receive_sizes.data());
  }
  bool is_done() override { return table_.is_done() != 0; }
  [[noreturn]] void abort(int exit) override {
    table_.abort(exit);
    std::abort();
  }
  void close() override { table_.close(); }

 private:
  const sculpt_transport& table_;
};

}  // namespace

std::unique_ptr<Ranks> start_ranks() {
  if (!is_started_by_mpi()) return nullptr;
  auto transport = std::make_unique<LoadedTransport>(load_transport());
  const std::string announced = announced_count();
  if (transport->count() == 1 && !announced.empty() && announced != "1") {
    throw Failure(Exit::plugin, "this is one of " + announced + " processes, but " +
                                    transport->name() +
                                    " sees it alone; start them with the mpirun of that MPI, or "
                                    "with srun --mpi=pmix");
  }
  return std::make_unique<Ranks>(std::move(transport));
}

}  // namespace sculpt::core
