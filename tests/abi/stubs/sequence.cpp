// sequence.cpp - features of label sequences that can use a kernel (ext/draft/kernel_atoms.h). A
// parameter makes weights nonnegative (ext/weight_bounds.h).
//
//   psi(x, y) = (sum_t e_{y_t} (x) x_t,  number of each pair (y_t, y_{t+1}))    dimension L F + L L
//   atoms: the sites,  blocks: the labels,  phi(atom) = x_t,  linear part: the L L transitions
#include <sculpt/ext/draft/kernel_atoms.h>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>

namespace {

// Numbers the sites of all examples one after the other.
std::vector<std::int64_t> first_atoms(const sculpt::SiteInput& input) {
  std::vector<std::int64_t> first{0};
  for (std::int64_t i = 0; i < input.example_count(); ++i) {
    first.push_back(first.back() + input.sites(i).site_count);
  }
  return first;
}

class Sequence {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.sequence", "1.0.0",
                                       "points in the blocks of their labels, and transitions"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("nonnegative", "false", "transitions must not have negative weights")};
  static constexpr const char* extensions[] = {SCULPT_EXT_KERNEL_ATOMS};

  explicit Sequence(const sculpt::Parameters& values)
      : nonnegative_(values.boolean("nonnegative")) {}
  void bind(const sculpt::Bindings& to) {
    input_ = sculpt::SiteInput(to.dataset, "sequence");
    first_atom_ = first_atoms(input_);
  }
  const void* extension(const char* id) const;

  std::int64_t labels() const { return input_.state_count(); }
  std::int64_t dimension() const { return first_transition() + labels() * labels(); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites x = input_.sites(example);
    for (std::int64_t t = 0; t < x.site_count; ++t) {
      for (std::int64_t k = x.row_from[t]; k < x.row_from[t + 1]; ++k) {
        sum.add(at(y, t) * input_.feature_count() + x.index[k], x.value[k]);
      }
    }
    add_transitions(y, first_transition(), sum);
  }

  // The extension kernel_atoms.
  std::pair<std::int64_t, std::int64_t> atoms(std::int64_t example) const {
    const auto i = static_cast<std::size_t>(example);
    return {first_atom_.at(i), first_atom_.at(i + 1)};
  }
  void add_coefficients(sculpt::Labels y, sculpt::Sum& coefficients, sculpt::Sum& linear) const {
    for (std::int64_t t = 0; t < y.count(); ++t) coefficients.add(t * labels() + at(y, t), 1);
    add_transitions(y, 0, linear);
  }
  // theta: the scores of each site, then one table [L][L] for each pair of neighbours.
  void kernel_potentials(std::int64_t example, const double* scores, sculpt::Weights linear,
                         double* theta) const {
    const auto [begin, end] = atoms(example);
    theta = std::copy(scores, scores + (end - begin) * labels(), theta);
    for (std::int64_t t = begin; t + 1 < end; ++t) {
      theta = std::copy(linear.begin(), linear.end(), theta);
    }
  }
  void pull_back(std::int64_t example, const double* mu, sculpt::Sum& coefficients,
                 sculpt::Sum& linear) const {
    const auto [begin, end] = atoms(example);
    const std::int64_t cells = (end - begin) * labels();
    for (std::int64_t k = 0; k < cells; ++k) coefficients.add(k, mu[k]);
    const std::int64_t pairs = labels() * labels();
    for (std::int64_t k = 0; k < (end - begin - 1) * pairs; ++k)
      linear.add(k % pairs, mu[cells + k]);
  }

  // The extension weight_bounds.
  bool bounds_weights() const { return nonnegative_; }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    const auto transitions = nonnegative.begin() + first_transition();
    std::fill(nonnegative.begin(), transitions, std::uint8_t{0});
    std::fill(transitions, nonnegative.end(), std::uint8_t{1});
  }

 private:
  static std::int64_t at(sculpt::Labels y, std::int64_t t) {
    return y[static_cast<std::size_t>(t)];
  }
  std::int64_t first_transition() const { return labels() * input_.feature_count(); }
  void add_transitions(sculpt::Labels y, std::int64_t first, sculpt::Sum& sum) const {
    for (std::int64_t t = 0; t + 1 < y.count(); ++t) {
      sum.add(first + at(y, t) * labels() + at(y, t + 1), 1);
    }
  }

  bool nonnegative_;
  sculpt::SiteInput input_;
  std::vector<std::int64_t> first_atom_;  // [examples + 1]
};

constexpr sculpt_ext_kernel_atoms kernel_atoms{
    [](const void* self, sculpt_kernel_shape* out, sculpt_error* error) {
      return sculpt::guarded(error, "shape", [&] {
        const std::int64_t labels = sculpt::component_of<Sequence>(self).labels();
        sculpt::fill_record(
            out, sculpt_kernel_shape{sizeof(sculpt_kernel_shape), 0, labels, labels * labels});
      });
    },
    [](const void* self, std::int64_t example, std::int64_t* begin, std::int64_t* end,
       sculpt_error* error) {
      return sculpt::guarded(error, "atoms", [&] {
        std::tie(*begin, *end) = sculpt::component_of<Sequence>(self).atoms(example);
      });
    },
    [](void* session, std::int64_t, sculpt_labels y, double scale, sculpt_accumulator* coefficients,
       sculpt_accumulator* linear, sculpt_error* error) {
      return sculpt::guarded(error, "accumulate", [&] {
        sculpt::Sum blocks(coefficients, scale);
        sculpt::Sum rest(linear, scale);
        sculpt::session_of<Sequence>(session).add_coefficients(sculpt::Labels(y), blocks, rest);
      });
    },
    [](void* session, std::int64_t example, const double* scores, sculpt_weights linear,
       double* theta, sculpt_error* error) {
      return sculpt::guarded(error, "potentials", [&] {
        sculpt::session_of<Sequence>(session).kernel_potentials(example, scores,
                                                                sculpt::Weights(linear), theta);
      });
    },
    [](void* session, std::int64_t example, const double* mu, double scale,
       sculpt_accumulator* coefficients, sculpt_accumulator* linear, sculpt_error* error) {
      return sculpt::guarded(error, "pullback", [&] {
        sculpt::Sum blocks(coefficients, scale);
        sculpt::Sum rest(linear, scale);
        sculpt::session_of<Sequence>(session).pull_back(example, mu, blocks, rest);
      });
    }};

const void* Sequence::extension(const char* id) const {
  const std::string_view name = id;
  if (name == SCULPT_EXT_KERNEL_ATOMS) return &kernel_atoms;
  return nullptr;
}

}  // namespace

SCULPT_PLUGIN("stub_sequence", "1.0.0", "Apache-2.0", sculpt::Features<Sequence>)
