// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/pipes.h"

#include <utility>

namespace ascendc {
namespace {
constexpr std::size_t index_of(Pipe pipe) { return static_cast<std::size_t>(pipe); }
}  // namespace

void Pipes::reset(bool seeded, std::uint64_t seed) {
  if (seeded_) {
    for (auto& jobs : jobs_) jobs.clear();
  }
  seeded_ = seeded;
  state_ = seed;
}

std::uint64_t Pipes::random() {  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

bool Pipes::blocked(std::size_t pipe) const {
  const Job& job = jobs_[pipe].front();
  return job.until && !*job.until;
}

bool Pipes::step() {
  const std::uint64_t first = random() % kPipes;
  for (std::size_t i = 0; i < kPipes; ++i) {
    const std::size_t pipe = (first + i) % kPipes;
    if (jobs_[pipe].empty() || blocked(pipe)) continue;
    const Job job = std::move(jobs_[pipe].front());
    jobs_[pipe].pop_front();
    if (job.work) job.work();
    return true;
  }
  return false;
}

void Pipes::run(Pipe pipe, std::function<void()> work) {
  if (!seeded_ || pipe == Pipe::s) return work();
  jobs_[index_of(pipe)].push_back({std::move(work), nullptr});
  for (std::uint64_t steps = random() % 4; steps > 0; --steps) step();
}

Token Pipes::signal(Pipe pipe) {
  if (!seeded_ || pipe == Pipe::s) return nullptr;
  auto token = std::make_shared<bool>(false);
  jobs_[index_of(pipe)].push_back({[token] { *token = true; }, nullptr});
  return token;
}

void Pipes::wait(Pipe pipe, const Token& token) {
  if (!seeded_ || !token) return;
  if (pipe != Pipe::s) {
    jobs_[index_of(pipe)].push_back({nullptr, token});
    return;
  }
  while (!*token && step()) {
  }
}

void Pipes::drain(Pipe pipe) {
  if (!seeded_) return;
  while (!jobs_[index_of(pipe)].empty() && step()) {
  }
}

void Pipes::drain() {
  if (!seeded_) return;
  while (step()) {
  }
}

}  // namespace ascendc
