// SPDX-License-Identifier: Apache-2.0
// The same through gloo, whose ranks find each other through a folder: GLOO_FOLDER.
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "bench/collectives/sizes.h"

int main(int argc, char** argv) {
  const int rank = std::atoi(std::getenv("RANK"));
  gloo::rendezvous::FileStore store(std::getenv("GLOO_FOLDER"));
  gloo::transport::tcp::attr attributes;
  attributes.hostname = "127.0.0.1";
  auto device = gloo::transport::tcp::CreateDevice(attributes);
  auto context =
      std::make_shared<gloo::rendezvous::Context>(rank, std::atoi(std::getenv("WORLD_SIZE")));
  context->connectFullMesh(store, device);
  const std::vector<std::size_t> sizes = bench::sizes(argc, argv);
  std::vector<float> in(sizes.back() / sizeof(float), 1.0f), out(in.size());
  for (const std::size_t size : sizes) {
    const double time = bench::microseconds(size, [&](int calls) {
      for (int i = 0; i < calls; ++i) {
        gloo::AllreduceOptions options(context);
        options.setInput(in.data(), size / sizeof(float));
        options.setOutput(out.data(), size / sizeof(float));
        options.setReduceFunction(
            static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&gloo::sum<float>));
        gloo::allreduce(options);
      }
    });
    if (rank == 0) bench::row(size, time, time);
  }
  return 0;
}
