// ring.cpp - sequences whose last position is joined to the first: features on a cyclic graph.
//
//   psi(x, y) = ( sum_t x_t (x) e_{y_t},   sum_t e_{y_t} (x) e_{y_{t+1}} )   with y_{T+1} = y_1
//
// Parameters make it open a file, or give NaN.
#include <fstream>
#include <limits>
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Ring {
 public:
  static constexpr sculpt::About about{"org.test.ring", "1.0.0",
                                       "sequences whose ends are joined, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::path("lexicon", "null", "a file that must be there"),
      sculpt::choice("nan", "\"never\"", "never|truth|scores", "what comes out as NaN")};

  explicit Ring(const sculpt::Parameters& given) : nan_(given.choice("nan")) {
    const std::string lexicon = given.text("lexicon");
    if (!lexicon.empty() && !std::ifstream(lexicon)) {
      throw sculpt::missing_error(lexicon + ": cannot be opened");
    }
  }

  void bind(const sculpt::Bindings& bindings) {
    input_ = sculpt::SiteInput(bindings.dataset);
    nodes_ = sculpt::SiteWeights(input_.feature_count(), input_.state_count(), true);
  }

  std::int64_t dimension() const { return nodes_.size() + cells(); }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites sites = input_.sites(example);
    for (std::size_t t = 0; t < y.size(); ++t) {
      nodes_.add(sites, static_cast<std::int64_t>(t), y[t], 1, sum);
    }
    if (nan_ == "truth") sum.add(0, std::numeric_limits<double>::quiet_NaN());
    if (y.size() < 2) return;
    for (std::size_t t = 0; t < y.size(); ++t) {
      sum.add(nodes_.size() + y[t] * std::int64_t{input_.state_count()} + y[(t + 1) % y.size()], 1);
    }
  }

  std::uint32_t factor_classes() const { return SCULPT_GRAPH_PAIRWISE; }

  class Session {
   public:
    explicit Session(const Ring& owner) : owner_(owner) {}

    const sculpt_factor_graph& factor_graph(std::int64_t example) {
      const auto length = static_cast<std::int32_t>(owner_.input_.sites(example).site_count);
      builder_.clear();
      for (std::int32_t t = 0; t < length; ++t) builder_.add_variable(owner_.input_.state_count());
      if (length > 1) {
        const std::int64_t table = builder_.add_table(owner_.cells());
        for (std::int32_t t = 0; t < length; ++t) builder_.add_factor({t, (t + 1) % length}, table);
      }
      return builder_.graph(owner_.factor_classes(), static_cast<std::uint64_t>(length) + 1);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) const {
      const sculpt_sites sites = owner_.input_.sites(example);
      const std::int64_t states = owner_.input_.state_count();
      for (std::int64_t t = 0; t < sites.site_count; ++t) {
        owner_.nodes_.scores(sites, t, w.data(), theta + t * states);
      }
      if (owner_.nan_ == "scores") theta[0] = std::numeric_limits<double>::quiet_NaN();
      if (sites.site_count < 2) return;
      std::copy_n(w.data() + owner_.nodes_.size(), owner_.cells(),
                  theta + sites.site_count * states);
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
      const sculpt_sites sites = owner_.input_.sites(example);
      const std::int64_t states = owner_.input_.state_count();
      for (std::int64_t t = 0; t < sites.site_count; ++t) {
        owner_.nodes_.pull_back(sites, t, mu + t * states, sum);
      }
      if (sites.site_count < 2) return;
      const double* pairs = mu + sites.site_count * states;
      for (std::int64_t k = 0; k < owner_.cells(); ++k) sum.add(owner_.nodes_.size() + k, pairs[k]);
    }

   private:
    const Ring& owner_;
    sculpt::FactorGraphBuilder builder_;
  };

 private:
  std::int64_t cells() const { return std::int64_t{input_.state_count()} * input_.state_count(); }

  const std::string nan_;
  sculpt::SiteInput input_;
  sculpt::SiteWeights nodes_;
};

}  // namespace

SCULPT_PLUGIN("ring", "1.0.0", "Apache-2.0", sculpt::Features<Ring>)
