// point_kernel.cpp - a kernel on the points of a dataset, and an oracle that reads the scores of
// atoms in place of w (ext/draft/kernel_atoms.h).
#include <sculpt/ext/draft/kernel_atoms.h>
#include <algorithm>
#include <cmath>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>

namespace {

using Atoms = std::span<const std::int64_t>;

// Tries all outputs, with the scores of atoms in place of w.
class AtomSearch {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.atom_search", "1.0.0",
                                       "tries everything, by the scores of atoms"};
  static constexpr const char* extensions[] = {SCULPT_EXT_KERNEL_ARGMAX};

  void bind(const sculpt::Bindings& to) {
    features_ = to.features;
    input_ = sculpt::SiteInput(to.dataset, "atom_search");
    atoms_ =
        static_cast<const sculpt_ext_kernel_atoms*>(to.features.extension(SCULPT_EXT_KERNEL_ATOMS));
    if (atoms_ == nullptr) throw sculpt::unsupported_error("needs features with kernel atoms");
  }
  const void* extension(const char* id) const;

  class Session {
   public:
    explicit Session(const AtomSearch& oracle) : oracle_(oracle), features_(oracle.features_) {}

    void argmax(const sculpt::Query&, sculpt::Answer&) const {
      throw sculpt::unsupported_error("needs a kernel");
    }
    void argmax(const sculpt::Query& query, const double* scores, sculpt::Answer& answer) const {
      const std::int64_t size = oracle_.input_.sites(query.example).site_count;
      std::vector<std::int32_t> y(static_cast<std::size_t>(size), 0);
      std::vector<std::int32_t> best;
      double best_score = -INFINITY;
      for (bool is_done = false; !is_done;) {
        const double score = score_of(query, scores, y);
        if (score > best_score) {
          best_score = score;
          best = y;
        }
        std::size_t digit = 0;
        while (digit < y.size() && ++y[digit] == oracle_.input_.state_count()) y[digit++] = 0;
        is_done = digit == y.size();
      }
      answer.labels().assign(best);
      answer.exact(best_score);
    }

   private:
    double score_of(const sculpt::Query& query, const double* scores,
                    const std::vector<std::int32_t>& y) const {
      const std::int64_t cells = static_cast<std::int64_t>(y.size()) * oracle_.input_.state_count();
      sculpt::DenseSum coefficients(cells);
      sculpt::DenseSum linear(static_cast<std::int64_t>(query.weights.size()));
      sculpt::Sum blocks = coefficients.sum();
      sculpt::Sum rest = linear.sum();
      sculpt::checked_call([&](sculpt_error* error) {
        return oracle_.atoms_->accumulate(features_.raw(), query.example, sculpt::Labels(y).raw(),
                                          1, blocks.raw(), rest.raw(), error);
      });
      double score = 0;
      for (std::size_t k = 0; k < coefficients.values().size(); ++k) {
        score += coefficients.values()[k] * scores[k];
      }
      for (std::size_t k = 0; k < linear.values().size(); ++k) {
        score += linear.values()[k] * query.weights[k];
      }
      return score;
    }

    const AtomSearch& oracle_;
    sculpt::RefSession features_;
  };

 private:
  sculpt::Ref features_;
  sculpt::SiteInput input_;
  const sculpt_ext_kernel_atoms* atoms_ = nullptr;
};

constexpr sculpt_ext_kernel_argmax kernel_argmax{[](void* session, const sculpt_query* query,
                                                    const double* scores, sculpt_answer* raw,
                                                    sculpt_error* error) {
  return sculpt::guarded(error, "argmax", [&] {
    sculpt::Answer answer(raw);
    sculpt::session_of<AtomSearch>(session).argmax(sculpt::Query(*query), scores, answer);
  });
}};

const void* AtomSearch::extension(const char* id) const {
  return std::string_view(id) == SCULPT_EXT_KERNEL_ARGMAX ? &kernel_argmax : nullptr;
}

// On the sites of a dataset: k(a, b) = exp(-width ||x_a - x_b||^2), or the product of the points.
class PointKernel {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.point_kernel", "1.0.0",
                                       "a kernel on points"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("form", R"("gaussian")", "gaussian|product", "which kernel"),
      sculpt::real("width", "1", 0, sculpt::no_limit, "factor of the squared distance")};

  explicit PointKernel(const sculpt::Parameters& values)
      : is_gaussian_(values.choice("form") == "gaussian"), width_(values.real("width")) {}
  void bind(const sculpt::Bindings& to) {
    const sculpt::SiteAtoms atoms(to.dataset, "point_kernel");
    for (const sculpt::SiteRow& row : atoms.rows()) {
      Point& point = points_.emplace_back(static_cast<std::size_t>(atoms.feature_count()), 0.0);
      for (std::size_t k = 0; k < row.size(); ++k) {
        point[static_cast<std::size_t>(row.index[k])] = row.value[k];
      }
    }
  }

  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void rows(Atoms atoms, Atoms others, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (const std::int64_t b : others) out[k++] = value(point(a), point(b));
    }
  }
  void diagonal(Atoms atoms, std::span<double> out) const {
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      out[k] = value(point(atoms[k]), point(atoms[k]));
    }
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    out.append(point(atom).data(), point(atom).size() * sizeof(double));
  }
  void keep(const sculpt::KeptAtoms& atoms) {
    for (std::int64_t k = 0; k < atoms.count(); ++k) {
      const std::string_view bytes = atoms[k];
      if (bytes.size() % sizeof(double) != 0) sculpt::KeptAtoms::refuse(k);
      Point& point = kept_.emplace_back(bytes.size() / sizeof(double));
      std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char*>(point.data()));
    }
  }
  void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (std::int64_t b = kept.begin; b < kept.end; ++b) {
        out[k++] = value(point(a), kept_.at(static_cast<std::size_t>(b)));
      }
    }
  }

 private:
  using Point = std::vector<double>;
  const Point& point(std::int64_t atom) const { return points_.at(static_cast<std::size_t>(atom)); }
  // Points may have different numbers of coordinates: those that are missing are 0.
  double value(const Point& a, const Point& b) const {
    double sum = 0;
    for (std::size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
      const double x = j < a.size() ? a[j] : 0;
      const double z = j < b.size() ? b[j] : 0;
      sum += is_gaussian_ ? (x - z) * (x - z) : x * z;
    }
    return is_gaussian_ ? std::exp(-width_ * sum) : sum;
  }

  bool is_gaussian_;
  double width_;
  std::vector<Point> points_;  // [atoms][coordinates]
  std::vector<Point> kept_;    // likewise, from the model
};

}  // namespace

SCULPT_PLUGIN("stub_point_kernel", "1.0.0", "Apache-2.0", sculpt::Oracle<AtomSearch>,
              sculpt::Kernel<PointKernel>)
