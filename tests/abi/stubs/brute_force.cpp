// brute_force.cpp - an oracle that tries all outputs, with any features and any loss. It completes
// partial truths (ext/complete.h), and offers expectations (ext/expectation.h):
//
//   p(y) ~ exp s(y),  s(y) = <w, psi(x, y)> + loss_weight Delta(truth, y)
//   log Z = log sum_y exp s(y),   E[psi] = sum_y p(y) psi(y),
//   Cov[psi] v = sum_y p(y) psi(y) <v, psi(y)> - E[psi] <v, E[psi]>
//
// A second component is the same oracle with the trait SERIAL. It fails if it is called by another
// thread than its creator, or by two threads at once.
#include <atomic>
#include <cmath>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>
#include <thread>

namespace {

struct CountErrors {
  static constexpr sculpt::About about{"org.sculpt.stub.count_errors", "1.0.0", "wrong labels"};
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t v = 0; v < truth.size(); ++v) wrong += truth[v] == guess[v] ? 0 : 1;
    return wrong;
  }
};

class BruteForce {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.brute_force", "1.0.0", "tries everything"};

  void bind(const sculpt::Bindings& to) {
    bindings_ = to;
    input_ = sculpt::SiteInput(to.dataset);
  }

  class Session {
   public:
    explicit Session(const BruteForce& oracle)
        : input_(oracle.input_),
          features_(oracle.bindings_.features),
          loss_(oracle.bindings_.loss) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      visit_all(query, [&](sculpt::Labels y, double score) {
        if (score > best_score_) {
          best_score_ = score;
          best_.assign(y.begin(), y.end());
        }
      });
      answer.labels().assign(best_);
      answer.exact(best_score_);
    }
    void complete(const sculpt::Query& query, sculpt::Answer& answer) {
      visit_all(query, [&](sculpt::Labels y, double score) {
        if (score <= best_score_ || !sculpt::agrees(y, query.truth)) return;
        best_score_ = score;
        best_.assign(y.begin(), y.end());
      });
      if (best_score_ == -INFINITY) return answer.no_output();
      answer.labels().assign(best_);
      answer.exact(best_score_);
    }
    double mean(const sculpt::Query& query, sculpt::Sum& sum) {
      const double log_z = log_partition(query);
      visit_all(query, [&](sculpt::Labels, double score) {
        add_psi(sum.scaled(std::exp(score - log_z)));
      });
      return log_z;
    }
    void covariance_times(const sculpt::Query& query, sculpt::Weights v, sculpt::Sum& sum) {
      const double log_z = log_partition(query);
      double mean_projection = 0;
      visit_all(query, [&](sculpt::Labels, double score) {
        mean_projection += std::exp(score - log_z) * projection(v);
      });
      // sum_y p(y) psi(y) (<v, psi(y)> - <v, E[psi]>)
      visit_all(query, [&](sculpt::Labels, double score) {
        add_psi(sum.scaled(std::exp(score - log_z) * (projection(v) - mean_projection)));
      });
    }

   private:
    // Calls visit(y, s(y)) for every output. During the call psi_ holds psi(y).
    template <class Visit>
    void visit_all(const sculpt::Query& query, Visit visit) {
      best_score_ = -INFINITY;
      const std::int64_t size = input_.sites(query.example).site_count;
      std::vector<std::int32_t> y(static_cast<std::size_t>(size), 0);
      for (;;) {
        sculpt::DenseSum psi(static_cast<std::int64_t>(query.weights.size()));
        sculpt::Sum sum = psi.sum();
        features_.add(query.example, y, sum);
        psi_ = psi.values();
        double score = projection(query.weights);
        if (query.loss_weight > 0) {
          score += query.loss_weight * loss_.loss(query.example, query.truth, y);
        }
        visit(sculpt::Labels(y), score);
        std::size_t digit = 0;
        while (digit < y.size() && ++y[digit] == input_.state_count()) y[digit++] = 0;
        if (digit == y.size()) return;
      }
    }
    double log_partition(const sculpt::Query& query) {
      double highest = -INFINITY;
      visit_all(query, [&](sculpt::Labels, double s) { highest = std::max(highest, s); });
      double sum = 0;
      visit_all(query, [&](sculpt::Labels, double s) { sum += std::exp(s - highest); });
      return highest + std::log(sum);
    }
    double projection(sculpt::Weights v) const {
      double sum = 0;
      for (std::size_t j = 0; j < v.size(); ++j) sum += v[j] * psi_[j];
      return sum;
    }
    void add_psi(sculpt::Sum sum) const {
      for (std::size_t j = 0; j < psi_.size(); ++j) {
        if (psi_[j] != 0) sum.add(static_cast<std::int64_t>(j), psi_[j]);
      }
    }

    sculpt::SiteInput input_;
    sculpt::FeaturesSession features_;
    sculpt::LossSession loss_;
    std::vector<double> psi_;
    std::vector<std::int32_t> best_;
    double best_score_ = 0;
  };

 private:
  sculpt::Bindings bindings_{sculpt_bindings{}};
  sculpt::SiteInput input_;
};

// The same oracle for one thread only, such as one that wraps an old library.
class Serial {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.serial", "1.0.0",
                                       "brute force, from one thread only", nullptr,
                                       SCULPT_TRAIT_SERIAL};
  Serial() : thread_(std::this_thread::get_id()) {}

  void bind(const sculpt::Bindings& to) { inner_.bind(to); }

  class Session {
   public:
    explicit Session(const Serial& oracle) : oracle_(oracle), session_(oracle.inner_) {
      oracle.check_thread();
    }
    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      oracle_.check_thread();
      if (oracle_.busy_.exchange(true)) {
        throw sculpt::Error(SCULPT_E_INTERNAL, "is serial, but was called twice at once");
      }
      session_.argmax(query, answer);
      oracle_.busy_ = false;
    }

   private:
    const Serial& oracle_;
    BruteForce::Session session_;
  };

 private:
  void check_thread() const {
    if (std::this_thread::get_id() != thread_) {
      throw sculpt::Error(SCULPT_E_INTERNAL, "is serial, but was called from another thread");
    }
  }

  BruteForce inner_;
  std::thread::id thread_;
  mutable std::atomic<bool> busy_{false};
};

}  // namespace

SCULPT_PLUGIN("stub_brute_force", "1.0.0", "Apache-2.0", sculpt::Loss<CountErrors>,
              sculpt::Oracle<BruteForce>, sculpt::Oracle<Serial>)
