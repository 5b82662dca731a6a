// interrupted_run.hpp - runs of the binary that are killed and resumed.
//
// For the fast and the slow tests of checkpoints.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "command/host_process.hpp"

namespace sculpt::test {

// Writes noisy words and noisy.json, which takes some dozen passes and a tenth of a second. By
// default a run writes a checkpoint after every pass. On some disks this takes longer than the run
// itself.
void write_noisy_experiment(const Scratch& scratch, const std::string& checkpoint_seconds = "0");

// Values of --set for noisy.json. The variants differ in what a checkpoint holds.
struct Variant {
  std::string name;
  std::vector<std::string> sets;
};
std::vector<Variant> variants();

// The words of `sculpt train noisy.json` with the sets of a variant, and more words.
std::vector<std::string> train_command(const Variant& variant, const std::string& output,
                                       const std::vector<std::string>& more = {});

// The words of `sculpt train` on the embedded letter images, and more words. C is so large that the
// optimum takes minutes. A pass takes some milliseconds. The test must stop the run.
std::vector<std::string> endless_command(const std::string& output,
                                         const std::vector<std::string>& more = {});

// Trains noisy.json, checks that the exit code is 0 or 3, and returns it.
int train(const Scratch& scratch, const Variant& variant, const std::string& output,
          const std::vector<std::string>& more = {});

// Trains noisy.json with these values of --set, and more words. Any exit code is allowed.
Outcome train_noisy(const Scratch& scratch, const std::string& output,
                    const std::vector<std::string>& sets,
                    const std::vector<std::string>& more = {});

// Trains noisy.json into the folder "run" with a limit of three passes. It leaves a checkpoint.
void train_three_passes(const Scratch& scratch);

// The words of `sculpt sweep noisy.json` into a folder, and more words.
std::vector<std::string> sweep_command(const std::string& output,
                                       const std::vector<std::string>& more);

// The table of a sweep, sweep.json, without times and peak memory.
Json sweep_table(const Scratch& scratch, const std::string& sweep);

// Trains, kills the run (-9) at `kills` random moments and resumes it each time, with a random
// number of threads. The last run ends by itself. Returns how many kills hit a process that still
// ran.
int train_killed(const Scratch& scratch, const Variant& variant, const std::string& output,
                 int kills, double seconds, std::mt19937_64& random);

// True if the models of two runs have the same bytes.
bool same_model(const Scratch& scratch, const std::string& one, const std::string& other);

void flip_last_byte(const Scratch& scratch, const std::string& name);

}  // namespace sculpt::test
