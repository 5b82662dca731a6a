// crash.cpp - a loss that crashes or ends its process. Parameters choose how and where.
#include <sculpt/sculpt.hpp>

#include <sys/mman.h>

#include <cstdlib>
#include <string>
#include <thread>

namespace {

volatile int max_depth = 1 << 30;

// Fills the stack until it overflows.
int overflow_stack(int depth) {  // NOLINT(misc-no-recursion)
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth < max_depth ? overflow_stack(depth + 1) + frame[0] : 0;
}

// A real SIGSEGV, which no sanitizer reports as undefined behaviour before it happens.
void touch_forbidden_page() {
  void* const page = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

const bool survives_loading =
    std::getenv("SCULPT_TEST_CRASH_IN_LOADING") == nullptr || (std::abort(), true);

class CrashingLoss {
 public:
  static constexpr sculpt::About about{"org.test.crash", "1.0.0",
                                       "crashes when it is told to, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("how", "\"segv\"", "segv|abort|overflow|exit|late|thread|thread_exit",
                     "the kind of crash; the last two on a thread of its own"),
      sculpt::choice("at", "\"loss\"", "bind|loss|add", "where"),
      sculpt::integer("example", "0", 0, 100, "at which example")};

  explicit CrashingLoss(const sculpt::Parameters& given)
      : how_(given.choice("how")), at_(given.choice("at")), example_(given.integer("example")) {}

  void bind(const sculpt::Bindings&) const { crash_at("bind", example_); }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    crash_at("loss", example);
    return truth.size() == guess.size() ? 0 : 1;
  }
  void add_factor_loss(std::int64_t example, const sculpt_factor_graph&, sculpt::Labels, double,
                       double*, double&) const {
    crash_at("add", example);
  }

 private:
  void crash_at(const std::string& place, std::int64_t example) const {
    if (place != at_ || example != example_) return;
    if (how_ == "segv") touch_forbidden_page();
    if (how_ == "abort") std::abort();
    if (how_ == "exit") std::exit(0);
    if (how_ == "late") {  // after all calls into plugins have ended
      std::atexit([] { std::abort(); });
      return;
    }
    if (how_ == "thread") std::thread([] { std::abort(); }).join();
    if (how_ == "thread_exit") std::thread([] { std::exit(0); }).join();
    overflow_stack(0);
  }

  const std::string how_;
  const std::string at_;
  const std::int64_t example_;
};

}  // namespace

SCULPT_PLUGIN("crash", "1.0.0", "Apache-2.0", sculpt::Loss<CrashingLoss>)
