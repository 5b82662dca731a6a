// threaded_tagger.hpp - the tagger, right as well, with a thread that load() starts and argmax()
// hands its work to: what forks lose. Included by a copy of tagger.cpp, behind the class.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace {

class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  ~Worker() {
    run({});
    thread_.join();
  }

  // Calls job() on the thread, and waits for it; an empty one ends the thread.
  void run(const std::function<void()>& job) {
    const std::lock_guard one_at_a_time(caller_);
    std::unique_lock lock(mutex_);
    job_ = &job;
    changed_.notify_all();
    changed_.wait(lock, [&] { return job_ == nullptr; });
  }

 private:
  void work() {
    for (bool more = true; more;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return job_ != nullptr; });
      more = static_cast<bool>(*job_);
      if (more) (*job_)();
      job_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex caller_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* job_ = nullptr;
  std::thread thread_;  // last: it uses the others
};

class ThreadedTagger : public Tagger {
 public:
  void load(std::string_view split, const sculpt::Source& source) {
    if (!worker_) worker_ = std::make_unique<Worker>();
    Tagger::load(split, source);
  }

  class Session {
   public:
    explicit Session(const ThreadedTagger& owner) : owner_(owner), tagger_(owner) {}
    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      owner_.worker_->run([&] { tagger_.argmax(query, answer); });
    }

   private:
    const ThreadedTagger& owner_;
    Tagger::Session tagger_;
  };

 private:
  std::unique_ptr<Worker> worker_;
};

}  // namespace
