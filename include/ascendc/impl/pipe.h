/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TPipe, queues and buffers: numbers of the core's own, with the interface around them.
 */
#ifndef ASCENDC_IMPL_PIPE_H_
#define ASCENDC_IMPL_PIPE_H_

#include "ascendc/impl/limit_rows.h"
#include "ascendc/impl/refused.h"
#include "ascendc/impl/std.h"
#include "ascendc/impl/sync.h"
#include "ascendc/impl/tensor.h"

namespace AscendC {

struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
  bool enableLoopQueue = false;
};

namespace aclsim_pipe {
inline TBuffAddr address_of(const aclsimBuffer& buffer, TPosition position) {
  TBuffAddr address;
  address.dataLen = static_cast<uint32_t>(buffer.bytes);
  address.bufferAddr = static_cast<uint32_t>(buffer.offset);
  address.bufferHandle = reinterpret_cast<TBufHandle>(buffer.tensor);
  address.logicPos = static_cast<uint8_t>(position);
  address.absAddr = static_cast<uint8_t*>(buffer.address);
  return address;
}
inline uint64_t number_of(TBufHandle handle) { return reinterpret_cast<uint64_t>(handle); }
template <typename T>
LocalTensor<T> tensor_of(const aclsimBuffer& buffer, TPosition position) {
  TBuffAddr address = address_of(buffer, position);
  return LocalTensor<T>(address);
}
}  // namespace aclsim_pipe

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
 public:
  static constexpr TPosition srcPosition = src;
  static constexpr TPosition dstPosition = dst;
  static constexpr TPosition bufPosition =
      src == TPosition::GM ? dst : src; /* where its buffers lie */

  TQueBind() = default;

  template <typename T>
  ACLSIM_API LocalTensor<T> AllocTensor() {
    return tensor<T>(aclsimBufferAlloc(queue_, ACLSIM_SITE));
  }
  template <typename T>
  ACLSIM_API void AllocTensor(LocalTensor<T>& tensor) {
    tensor = this->tensor<T>(aclsimBufferAlloc(queue_, ACLSIM_SITE));
  }
  template <typename T>
  ACLSIM_API void FreeTensor(LocalTensor<T>& tensor) {
    aclsimQueueFree(queue_, tensor.aclsim_tensor(), ACLSIM_SITE);
  }
  ACLSIM_API void FreeBuffer(TBufHandle buf) {
    aclsimQueueFree(queue_, aclsim_pipe::number_of(buf), ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_API bool EnQue(const LocalTensor<T>& tensor) {
    aclsimQueueEnque(queue_, tensor.aclsim_tensor(), ACLSIM_SITE);
    return true;
  }
  ACLSIM_API bool EnQue(TBufHandle buf) {
    aclsimQueueEnque(queue_, aclsim_pipe::number_of(buf), ACLSIM_SITE);
    return true;
  }
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  ACLSIM_API bool EnQue(const LocalTensor<T>& tensor) {
    aclsimQueueEnque(queue_, tensor.aclsim_tensor(), ACLSIM_SITE);
    return true;
  }
  template <TPosition srcUserPos, TPosition dstUserPos>
  ACLSIM_API bool EnQue(TBufHandle buf) {
    aclsimQueueEnque(queue_, aclsim_pipe::number_of(buf), ACLSIM_SITE);
    return true;
  }
  template <typename T>
  ACLSIM_API LocalTensor<T> DeQue() {
    return tensor<T>(aclsimBufferDeque(queue_, ACLSIM_SITE));
  }
  template <typename T>
  ACLSIM_API void DeQue(LocalTensor<T>& tensor) {
    tensor = this->tensor<T>(aclsimBufferDeque(queue_, ACLSIM_SITE));
  }
  ACLSIM_API TBufHandle DeQue() {
    return reinterpret_cast<TBufHandle>(aclsimQueueDeque(queue_, ACLSIM_SITE));
  }
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  ACLSIM_API LocalTensor<T> DeQue() {
    return tensor<T>(aclsimBufferDeque(queue_, ACLSIM_SITE));
  }
  template <TPosition srcUserPos, TPosition dstUserPos>
  ACLSIM_API TBufHandle DeQue() {
    return reinterpret_cast<TBufHandle>(aclsimQueueDeque(queue_, ACLSIM_SITE));
  }

  TBuffAddr GetBufferAddr(TBufHandle buf) {
    return aclsim_pipe::address_of(aclsimBufferOf(aclsim_pipe::number_of(buf)), bufPosition);
  }
  bool VacantInQue() { return static_cast<int32_t>(aclsimQueueCount(queue_)) < depth; }
  bool HasTensorInQue() { return aclsimQueueCount(queue_) != 0; }
  int32_t GetTensorCountInQue() { return static_cast<int32_t>(aclsimQueueCount(queue_)); }
  bool HasIdleBuffer() { return aclsimQueueIdle(queue_) != 0; }
  void FreeAllEvent() {}
  template <typename T>
  TBufState GetState(const LocalTensor<T>& tensor) const {
    return static_cast<TBufState>(aclsimBufferState(tensor.aclsim_tensor()));
  }
  TBufState GetState(const TBufHandle& handle) const {
    return static_cast<TBufState>(aclsimBufferState(aclsim_pipe::number_of(handle)));
  }

  /* For pools that a program writes itself: the number of buffers and the address of each. The
     handles are only counters; AllocTensor returns the handles of tensors. */
  ACLSIM_API void InitStartBufHandle(TBufHandle /*startBufhandle*/, uint8_t num, uint32_t /*len*/) {
    aclsimQueueStart(aclsim_queue(), num, ACLSIM_SITE);
  }
  template <typename T>
  ACLSIM_API void InitBufHandle(T* /*bufPool*/, uint32_t index, TBufHandle /*bufhandle*/,
                                uint32_t curPoolAddr, uint32_t len) {
    aclsim_place(index, curPoolAddr, len, ACLSIM_SITE);
  }

  void aclsim_place(uint32_t index, uint32_t address, uint32_t len, const void* site) {
    aclsimQueuePlace(aclsim_queue(), index, static_cast<uint32_t>(bufPosition), address, len, site);
  }
  uint32_t aclsim_queue() {
    if (queue_ == 0) {
      queue_ = aclsimQueueCreate(static_cast<uint32_t>(src), static_cast<uint32_t>(dst),
                                 static_cast<uint32_t>(depth < 1 ? 1 : depth));
    }
    return queue_;
  }
  void aclsim_init(uint32_t pool, uint32_t num, uint32_t len, const void* site) {
    aclsimQueueInit(aclsim_queue(), pool, static_cast<uint32_t>(bufPosition), num, len, site);
  }

 private:
  template <typename T>
  static LocalTensor<T> tensor(const aclsimBuffer& buffer) {
    return aclsim_pipe::tensor_of<T>(buffer, bufPosition);
  }
  uint32_t queue_ = 0;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<pos, pos, depth, mask> {
 public:
  TQue() = default;
};

template <TPosition pos = TPosition::VECCALC>
class TBuf {
 public:
  TBuf() = default;
  template <typename T>
  LocalTensor<T> Get() {
    return aclsim_pipe::tensor_of<T>(buffer_, pos);
  }
  template <typename T>
  ACLSIM_API LocalTensor<T> Get(uint32_t len) {
    LocalTensor<T> tensor = Get<T>();
    require(uint64_t{len} * sizeof(T) / aclsim_element::per_byte<T>, ACLSIM_SITE);
    tensor.SetSize(len);
    return tensor;
  }
  template <typename T>
  ACLSIM_API LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset) {
    require(uint64_t{bufOffset} + uint64_t{size} * sizeof(T) / aclsim_element::per_byte<T>,
            ACLSIM_SITE);
    if (bufOffset % ACLSIM_STEP_BUFFER_OFFSET != 0) {
      aclsimViolation("TBuf::GetWithOffset: bufOffset is no multiple of 32 bytes", 0, 0,
                      ACLSIM_SITE);
    }
    LocalTensor<uint8_t> bytes = Get<uint8_t>();
    LocalTensor<T> tensor = bytes[bufOffset].template ReinterpretCast<T>();
    tensor.SetSize(size);
    return tensor;
  }
  TBufHandle Get() { return reinterpret_cast<TBufHandle>(buffer_.tensor); }
  TBufHandle Get(uint32_t /*len*/) { return Get(); }
  /* A TBuf is no queue: these change nothing. */
  template <typename T>
  LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <typename T>
  void FreeTensor(LocalTensor<T>& /*tensor*/) {}
  template <typename T>
  void EnQue(const LocalTensor<T>& /*tensor*/) {}
  bool EnQue(TBufHandle /*buf*/) { return true; }
  template <typename T>
  LocalTensor<T> DeQue() {
    return Get<T>();
  }
  TBufHandle DeQue() { return Get(); }
  void FreeBuffer(TBufHandle /*buf*/) {}
  template <typename T>
  TBufState GetState(const LocalTensor<T>& /*tensor*/) const {
    return TBufState::OCCUPIED;
  }
  TBuffAddr GetBufferAddr(TBufHandle /*buf*/) { return aclsim_pipe::address_of(buffer_, pos); }
  void InitStartBufHandle(TBufHandle /*startBufhandle*/, uint8_t /*num*/, uint32_t /*len*/) {}
  template <typename T>
  ACLSIM_API void InitBufHandle(T* /*bufPool*/, uint32_t /*index*/, TBufHandle /*bufhandle*/,
                                uint32_t curPoolAddr, uint32_t len) {
    buffer_ = aclsimBufferPlace(static_cast<uint32_t>(pos), curPoolAddr, len, ACLSIM_SITE);
  }
  void aclsim_init(uint32_t pool, uint32_t len, const void* site) {
    buffer_ = aclsimBufferCreate(pool, static_cast<uint32_t>(pos), len, site);
  }
  uint32_t GetBufLen() const { return static_cast<uint32_t>(buffer_.bytes); }

 private:
  void require(uint64_t bytes, const void* site) const {
    if (bytes > buffer_.bytes) {
      aclsimViolation("TBuf::Get: the tensor has more bytes than the buffer", bytes, buffer_.bytes,
                      site);
    }
  }
  aclsimBuffer buffer_ = {};
};

/* Memory of a TPipe that is handed out in parts of its own. */
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
 public:
  TBufPool() = default;
  void Init() {}
  template <class T>
  ACLSIM_API bool InitBuffer(T& que, uint8_t num, uint32_t len) {
    que.aclsim_init(pool_, num, len, ACLSIM_SITE);
    return true;
  }
  template <TPosition bufPos>
  ACLSIM_API bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
    buf.aclsim_init(pool_, len, ACLSIM_SITE);
    return true;
  }
  template <class T>
  ACLSIM_API bool InitBufPool(T& bufPool, uint32_t len) {
    bufPool.aclsim_init(pool_, len, 0, ACLSIM_SITE);
    return true;
  }
  template <class T, class U>
  ACLSIM_API bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf) {
    bufPool.aclsim_init(pool_, len, shareBuf.aclsim_pool(), ACLSIM_SITE);
    return true;
  }
  void Reset() { aclsimPoolReset(pool_); }
  void aclsim_init(uint32_t parent, uint32_t len, uint32_t share, const void* site) {
    pool_ = aclsimPoolCreate(parent, static_cast<uint32_t>(pos), len, share, site);
  }
  uint32_t aclsim_pool() const { return pool_; }

 private:
  uint32_t pool_ = 0;
};

/* A class with this in it is a pool that divides its memory itself: SetCurAddr and SetCurBufSize
   keep what it has given out. */
#define EXTERN_IMPL_BUFPOOL(Class, POSITION, BUFID_SIZE)                                         \
 public:                                                                                         \
  void Init() {                                                                                  \
    aclsim_address_ = aclsim_begin_;                                                             \
    aclsim_count_ = 0;                                                                           \
  }                                                                                              \
  void Reset() {                                                                                 \
    aclsimPoolReset(aclsim_pool_);                                                               \
    Init();                                                                                      \
  }                                                                                              \
  AscendC::TBufHandle GetBufHandle(uint8_t offset) {                                             \
    if (offset >= (BUFID_SIZE)) {                                                                \
      aclsimViolation(#Class "::GetBufHandle: the number of the buffer", offset, (BUFID_SIZE)-1, \
                      nullptr);                                                                  \
    }                                                                                            \
    return aclsim_handles_ + offset;                                                             \
  }                                                                                              \
  void SetCurAddr(uint32_t curAddr) { aclsim_address_ = curAddr; }                               \
  uint32_t GetCurAddr() { return aclsim_address_; }                                              \
  void SetCurBufSize(uint8_t curBufSize) { aclsim_count_ = curBufSize; }                         \
  uint8_t GetCurBufSize() { return aclsim_count_; }                                              \
  void aclsim_init(uint32_t parent, uint32_t len, uint32_t share, const void* site) {            \
    aclsim_pool_ = aclsimPoolCreate(parent, static_cast<uint32_t>(POSITION), len, share, site);  \
    aclsim_begin_ =                                                                              \
        static_cast<uint32_t>(aclsimPoolBegin(aclsim_pool_, static_cast<uint32_t>(POSITION)));   \
    Init();                                                                                      \
  }                                                                                              \
  uint32_t aclsim_pool() const { return aclsim_pool_; }                                          \
                                                                                                 \
 private:                                                                                        \
  uint8_t aclsim_handles_[BUFID_SIZE] = {};                                                      \
  uint32_t aclsim_pool_ = 0;                                                                     \
  uint32_t aclsim_begin_ = 0;                                                                    \
  uint32_t aclsim_address_ = 0;                                                                  \
  uint8_t aclsim_count_ = 0

class TPipe {
 public:
  ACLSIM_API TPipe() { aclsimPipeOpen(this, ACLSIM_SITE); }
  ~TPipe() { aclsimPipeClose(this, 1); }
  /* A copy uses the same pipe, which ends with the object that began it. */
  TPipe(const TPipe& /*other*/) {}
  TPipe& operator=(const TPipe& /*other*/) { return *this; }

  ACLSIM_API void Init() { aclsimPipeOpen(this, ACLSIM_SITE); }
  void Destroy() { aclsimPipeClose(this, 1); }
  void DestroyWithoutPipeAll() { aclsimPipeClose(this, 0); }
  ACLSIM_API void Reset() { aclsimPipeReset(ACLSIM_SITE); }

  template <class T>
  ACLSIM_API bool InitBuffer(T& que, uint8_t num, uint32_t len) {
    que.aclsim_init(0, num, len, ACLSIM_SITE);
    return true;
  }
  /* A buffer for each pair of an address and a length, in bytes. */
  template <class T, class U, class V, class... Addrs>
  ACLSIM_API bool InitBuffer(T& que, const Std::tuple<U, V>& addr0, const Addrs&... addrs) {
    const void* const site = ACLSIM_SITE;
    aclsimQueueStart(que.aclsim_queue(), 1 + sizeof...(addrs), site);
    uint32_t index = 0;
    const auto place = [&](const auto& pair) {
      que.aclsim_place(index++, static_cast<uint32_t>(Std::get<0>(pair)),
                       static_cast<uint32_t>(Std::get<1>(pair)), site);
    };
    place(addr0);
    (place(addrs), ...);
    return true;
  }
  template <TPosition pos>
  ACLSIM_API bool InitBuffer(TBuf<pos>& buf, uint32_t len) {
    buf.aclsim_init(0, len, ACLSIM_SITE);
    return true;
  }
  template <class T>
  ACLSIM_API bool InitBufPool(T& bufPool, uint32_t len) {
    bufPool.aclsim_init(0, len, 0, ACLSIM_SITE);
    return true;
  }
  template <class T, class U>
  ACLSIM_API bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf) {
    bufPool.aclsim_init(0, len, shareBuf.aclsim_pool(), ACLSIM_SITE);
    return true;
  }

  ACLSIM_REFUSED_MEMBER(TPipe, InitSpmBuffer)
  ACLSIM_REFUSED_MEMBER(TPipe, ReadSpmBuffer)
  ACLSIM_REFUSED_MEMBER(TPipe, WriteSpmBuffer)
#if ACLSIM_NPU_ARCH == 3510
  ACLSIM_API uint8_t AllocMutexID() { return AscendC::AllocMutexID(); }
  ACLSIM_API void ReleaseMutexID(uint8_t id) { AscendC::ReleaseMutexID(id); }
#else
  ACLSIM_REFUSED_MEMBER(TPipe, AllocMutexID)
  ACLSIM_REFUSED_MEMBER(TPipe, ReleaseMutexID)
#endif

  template <HardEvent evt>
  TEventID AllocEventID() {
    return static_cast<TEventID>(aclsimEventId(static_cast<uint32_t>(evt), 1));
  }
  template <HardEvent evt>
  void ReleaseEventID(TEventID id) {
    aclsimEventRelease(static_cast<uint32_t>(evt), id);
  }
  template <HardEvent evt>
  TEventID FetchEventID() {
    return FetchEventID(evt);
  }
  TEventID FetchEventID(HardEvent evt) {
    return static_cast<TEventID>(aclsimEventId(static_cast<uint32_t>(evt), 0));
  }

  template <TPosition pos, typename T>
  ACLSIM_THROUGH LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const {
    return LocalTensor<T>(pos, static_cast<uint32_t>(offset), static_cast<uint32_t>(size));
  }
  template <TPosition pos>
  ACLSIM_API TBuffAddr GetAbsAddr(int32_t offset, int32_t len) const {
    TBuffAddr address;
    address.dataLen = static_cast<uint32_t>(len);
    address.bufferAddr = static_cast<uint32_t>(offset);
    address.logicPos = static_cast<uint8_t>(pos);
    address.absAddr = static_cast<uint8_t*>(aclsimLocalAddress(
        static_cast<uint32_t>(pos), address.bufferAddr, address.dataLen, ACLSIM_SITE));
    return address;
  }
  template <typename T>
  uint64_t GetAbsAddr(const LocalTensor<T>& tensor) {
    return aclsimLocalOffset(tensor.aclsim_operand(ACLSIM_READS).address);
  }
  uint8_t* GetBaseAddr(int8_t logicPos) {
    return static_cast<uint8_t*>(
        aclsimLocalAddress(static_cast<uint32_t>(logicPos), 0, 0, nullptr));
  }
};

template <typename T>
uint64_t GetAbsAddr(TPipe* tpipe, const LocalTensor<T>& tensor) {
  return tpipe->GetAbsAddr(tensor);
}

/* Memory in the order of the calls, for kernels without a TPipe. Nothing comes back. */
template <Hardware memory = Hardware::UB>
class LocalMemAllocator {
 public:
  LocalMemAllocator() = default;
  template <TPosition pos, class DataType, uint32_t tileSize>
  ACLSIM_API LocalTensor<DataType> Alloc() {
    return next<DataType>(pos, tileSize, ACLSIM_SITE);
  }
  template <TPosition pos, class DataType>
  ACLSIM_API LocalTensor<DataType> Alloc(uint32_t tileSize) {
    return next<DataType>(pos, tileSize, ACLSIM_SITE);
  }
  template <class DataType, uint32_t tileSize>
  ACLSIM_API LocalTensor<DataType> Alloc() {
    return next<DataType>(kPosition, tileSize, ACLSIM_SITE);
  }
  template <class DataType>
  ACLSIM_API LocalTensor<DataType> Alloc(uint32_t tileSize) {
    return next<DataType>(kPosition, tileSize, ACLSIM_SITE);
  }
  template <class DataType, typename LayoutType>
  ACLSIM_API Std::enable_if_t<is_layout_v<LayoutType>, LocalTensor<DataType>> Alloc(
      const LayoutType& layout) {
    return next<DataType>(kPosition, layout.aclsim_elements(), ACLSIM_SITE);
  }
  template <class DataType>
  LocalTensor<DataType> Alloc() {
    static_assert(sizeof(DataType) == 0,
                  "AscendC::LocalMemAllocator::Alloc without a size takes a "
                  "TensorTrait, which is not emulated (docs/kernels.md)");
    return {};
  }
  uint32_t GetCurAddr() const { return next_; }

 private:
  static constexpr TPosition kPosition = memory == Hardware::L1       ? TPosition::A1
                                         : memory == Hardware::L0A    ? TPosition::A2
                                         : memory == Hardware::L0B    ? TPosition::B2
                                         : memory == Hardware::L0C    ? TPosition::CO1
                                         : memory == Hardware::BIAS   ? TPosition::C2
                                         : memory == Hardware::FIXBUF ? TPosition::C2PIPE2GM
                                                                      : TPosition::VECCALC;
  template <class DataType>
  LocalTensor<DataType> next(TPosition pos, uint32_t tileSize, const void* site) {
    const uint64_t bytes =
        uint64_t{tileSize} * sizeof(DataType) / aclsim_element::per_byte<DataType>;
    TBuffAddr address;
    address.dataLen = static_cast<uint32_t>(bytes);
    address.bufferAddr = next_;
    address.logicPos = static_cast<uint8_t>(pos);
    address.absAddr =
        static_cast<uint8_t*>(aclsimLocalAddress(address.logicPos, next_, bytes, site));
    next_ += static_cast<uint32_t>((bytes + 31) / 32 * 32);
    return LocalTensor<DataType>(address);
  }
  uint32_t next_ = 0;
};

/* All bytes of the memory that the TPipe has not given out. They are not taken: buffers that follow
 * begin there, too. Returns whether there is an element. */
template <typename T, TPosition pos>
ACLSIM_API bool PopStackBuffer(LocalTensor<T>& popLocal) {
  constexpr auto kPosition = static_cast<uint32_t>(pos);
  const uint64_t begin = aclsimPoolBegin(0, kPosition), end = aclsimLocalSize(kPosition);
  if (begin + sizeof(T) > end) return false;
  TBuffAddr address;
  address.dataLen = static_cast<uint32_t>(end - begin);
  address.bufferAddr = static_cast<uint32_t>(begin);
  address.logicPos = static_cast<uint8_t>(pos);
  address.absAddr =
      static_cast<uint8_t*>(aclsimLocalAddress(kPosition, begin, end - begin, ACLSIM_SITE));
  popLocal = LocalTensor<T>(address);
  return true;
}

}  // namespace AscendC

inline AscendC::TPipe* GetTPipePtr() {
  return static_cast<AscendC::TPipe*>(aclsimThisCore()->pipe);
}

#endif /* ASCENDC_IMPL_PIPE_H_ */
