// threaded_tagger.hpp - a correct tagger with its own thread. load() starts the thread, argmax()
// runs on it. A forked process does not have this thread.
//
// A copy of tagger.cpp includes this file after its class Tagger.
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

  // Runs job() on the thread and waits for its end. An empty job ends the thread.
  void run(const std::function<void()>& job) {
    const std::lock_guard one_caller(caller_mutex_);
    std::unique_lock lock(mutex_);
    job_ = &job;
    changed_.notify_all();
    changed_.wait(lock, [&] { return job_ == nullptr; });
  }

 private:
  void work() {
    for (bool is_running = true; is_running;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return job_ != nullptr; });
      is_running = static_cast<bool>(*job_);
      if (is_running) (*job_)();
      job_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex caller_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* job_ = nullptr;
  std::thread thread_;  // last, because it uses the other members
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
