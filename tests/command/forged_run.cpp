#include "command/forged_run.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <map>
#include <string>

#include "core/memory_state.hpp"
#include "model/model_file.hpp"
#include "problem/kernel/kernel_spec.hpp"
#include "qp/plane/plane_vector.hpp"
#include "qp/working_set/alpha_snapshot.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

template <class Number>
void put(std::string& bytes, std::size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

// A plane of a saved state, and the positions of its numbers in the state.
struct FoundPlane {
  std::int64_t example = 0;
  std::size_t plane = 0;
  std::size_t alpha_at = 0, b_at = 0;
  SavedPlane saved{0, 0};
};

// Reads the part of a state that WorkingSet saves. It starts at the position `begin`.
class SavedPlanes {
 public:
  SavedPlanes(const std::string& state, std::size_t begin, std::size_t dimension, bool has_kernel)
      : state_(state), in_(state.substr(begin)), dimension_(dimension), has_kernel_(has_kernel) {}

  FoundPlane heaviest() {
    const auto blocks = in_.get<std::uint64_t>();
    CHECK(in_.get<std::uint64_t>() == dimension_);
    std::vector<std::size_t> sizes;
    FoundPlane found;
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const std::size_t at = position() + sizeof(std::uint64_t);
      std::vector<double> alpha;
      std::vector<std::int32_t> idle;
      in_.get_array(alpha);
      in_.get_array(idle);
      sizes.push_back(alpha.size());
      for (std::size_t p = 1; p < alpha.size(); ++p) {
        if (alpha[p] <= found.saved.alpha) continue;
        found = {static_cast<std::int64_t>(i), p, at + p * sizeof(double), 0, {alpha[p], 0}};
      }
    }
    std::array<double, 9> figures{};
    for (double& figure : figures) figure = in_.get<double>();
    core::AlphaSnapshot snapshot;
    snapshot.load(in_, sizes);
    if (has_kernel_) skip_sums();
    find_b(sizes, found);
    return found;
  }

 private:
  // v, w = M v, the v of its other columns, and the columns in use.
  void skip_sums() {
    core::Vector sum;
    std::vector<std::int64_t> columns;
    in_.get_flag();
    for (int k = 0; k < 3; ++k) in_.get_array(sum);
    in_.get_array(columns);
  }

  std::size_t position() const {
    return state_.size() - static_cast<std::size_t>(in_.bytes_left());
  }

  void find_b(const std::vector<std::size_t>& sizes, FoundPlane& found) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t p = 1; p < sizes[i]; ++p) {
        const std::size_t at = position();
        const auto b = in_.get<double>();
        in_.get<std::uint64_t>();
        core::PlaneVector::load(in_, dimension_);
        for (std::size_t q = 1; q <= p; ++q) in_.get<double>();
        if (static_cast<std::int64_t>(i) != found.example || p != found.plane) continue;
        found.b_at = at;
        found.saved.b = b;
      }
    }
  }

  const std::string& state_;
  core::test::MemoryReader in_;
  std::size_t dimension_;
  bool has_kernel_;
};

}  // namespace

void forge_model(const fs::path& run,
                 const std::function<void(Json& header, std::vector<double>& weights)>& forge) {
  const core::ModelFile model(run);
  Json header = model.header();
  std::vector<double> weights(model.weights().begin(), model.weights().end());
  forge(header, weights);
  const core::Vector w(weights.begin(), weights.end());
  core::write_model(model.path(), {header, w, model.states()});
}

void forge_support_atom(const fs::path& run) {
  const core::ModelFile model(run);
  std::map<std::string, std::string> states = model.states();
  std::string& atoms = states.at(core::support_atoms_name);
  atoms.back() = static_cast<char>(atoms.back() ^ 1);
  const core::Vector w(model.weights().begin(), model.weights().end());
  core::write_model(model.path(), {model.header(), w, states});
}

std::int64_t forge_heaviest_plane(const fs::path& run,
                                  const std::function<void(SavedPlane&)>& forge) {
  core::Checkpoint checkpoint(run / "checkpoints" / "last.sculpt");
  const Json header = checkpoint.header();
  std::string state(static_cast<std::size_t>(checkpoint.bytes_left()), '\0');
  checkpoint.read(state.data(), state.size());
  const auto examples = header["examples"].get<std::uint64_t>();
  const auto dimension = header["dimension"].get<std::uint64_t>();
  std::string sizes(2 * sizeof(std::uint64_t), '\0');
  put(sizes, 0, examples);
  put(sizes, sizeof examples, dimension);
  const std::size_t begin = state.find(sizes);
  REQUIRE(begin != std::string::npos);
  FoundPlane found = SavedPlanes(state, begin, static_cast<std::size_t>(dimension),
                                 header["config"].contains("kernel"))
                         .heaviest();
  forge(found.saved);
  put(state, found.alpha_at, found.saved.alpha);
  put(state, found.b_at, found.saved.b);
  core::write_checkpoint(run / "checkpoints", header,
                         [&](core::StateWriter& out) { out.write(state); });
  return found.example;
}

}  // namespace sculpt::test
