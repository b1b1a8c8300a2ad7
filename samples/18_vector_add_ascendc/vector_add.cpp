// SPDX-License-Identifier: Apache-2.0
//
// The kernel: each block adds a part of the vectors, tile by tile. Each queue has two buffers, so
// that hardware copies one tile while it adds the other.
#include "kernel_operator.h"

constexpr uint32_t kTile = 512;  // elements
constexpr int32_t kBuffers = 2;

class VectorAdd {
 public:
  __aicore__ inline VectorAdd() {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t count) {
    length = count / AscendC::GetBlockNum();
    const uint32_t first = length * AscendC::GetBlockIdx();
    xGm.SetGlobalBuffer((__gm__ float*)x + first, length);
    yGm.SetGlobalBuffer((__gm__ float*)y + first, length);
    zGm.SetGlobalBuffer((__gm__ float*)z + first, length);
    pipe.InitBuffer(inX, kBuffers, kTile * sizeof(float));
    pipe.InitBuffer(inY, kBuffers, kTile * sizeof(float));
    pipe.InitBuffer(outZ, kBuffers, kTile * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += kTile) {
      CopyIn(at);
      Compute();
      CopyOut(at);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint32_t at) {
    AscendC::LocalTensor<float> x = inX.AllocTensor<float>();
    AscendC::LocalTensor<float> y = inY.AllocTensor<float>();
    AscendC::DataCopy(x, xGm[at], kTile);
    AscendC::DataCopy(y, yGm[at], kTile);
    inX.EnQue(x);
    inY.EnQue(y);
  }

  __aicore__ inline void Compute() {
    AscendC::LocalTensor<float> x = inX.DeQue<float>();
    AscendC::LocalTensor<float> y = inY.DeQue<float>();
    AscendC::LocalTensor<float> z = outZ.AllocTensor<float>();
    AscendC::Add(z, x, y, kTile);
    outZ.EnQue<float>(z);
    inX.FreeTensor(x);
    inY.FreeTensor(y);
  }

  __aicore__ inline void CopyOut(uint32_t at) {
    AscendC::LocalTensor<float> z = outZ.DeQue<float>();
    AscendC::DataCopy(zGm[at], z, kTile);
    outZ.FreeTensor(z);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, kBuffers> inX, inY;
  AscendC::TQue<AscendC::QuePosition::VECOUT, kBuffers> outZ;
  AscendC::GlobalTensor<float> xGm, yGm, zGm;
  uint32_t length = 0;
};

// `count` is a multiple of the blocks times the tile.
extern "C" __global__ __aicore__ void vector_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t count) {
  VectorAdd op;
  op.Init(x, y, z, count);
  op.Process();
}

// A plain function around the launch, for programs that are built without the kernel's headers.
int vector_add_do(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* z,
                  uint32_t count) {
  return static_cast<int>(vector_add<<<blocks, nullptr, stream>>>(x, y, z, count));
}
