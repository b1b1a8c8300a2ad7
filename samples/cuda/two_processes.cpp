// SPDX-License-Identifier: Apache-2.0
// Two processes with a device each share one multicast object: its file descriptor is sent through
// a socket, and data that one process stores reaches the memory of the other.
#include "common.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace {

void send_file(int socket, int file) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  if (sendmsg(socket, &message, 0) != 1) std::exit(2);
}

int receive_file(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  int file = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, 0) != 1) std::exit(2);
  std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  return file;
}

void meet(int socket) {
  char byte = 0;
  if (write(socket, &byte, 1) != 1 || read(socket, &byte, 1) != 1) std::exit(2);
}

// Rank 0 creates the object, rank 1 receives it. Both add their own device; the bind then waits
// until the other process has done so.
int member(int rank, int socket) {
  constexpr size_t kSize = size_t{2} << 20;
  constexpr auto kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUcontext context;
  CUmemGenericAllocationHandle object;
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&context, rank));
  CHECK(cuCtxSetCurrent(context));
  if (rank == 0) {
    CUmulticastObjectProp prop{};
    prop.numDevices = 2;
    prop.size = kSize;
    prop.handleTypes = kFile;
    CHECK(cuMulticastCreate(&object, &prop));
    int file = -1;
    CHECK(cuMemExportToShareableHandle(&file, object, kFile, 0));
    send_file(socket, file);
    close(file);
  } else {
    const int file = receive_file(socket);
    CHECK(cuMemImportFromShareableHandle(
        &object, reinterpret_cast<void*>(static_cast<intptr_t>(file)), kFile));
    close(file);
  }
  CHECK(cuMulticastAddDevice(object, rank));
  const CUmemGenericAllocationHandle memory = create_memory(rank, kSize, kFile);
  CHECK(cuMulticastBindMem(object, 0, memory, 0, kSize, 0));
  const CUdeviceptr replica = map(memory, kSize, {rank});
  const CUdeviceptr all = map(object, kSize, {rank});
  meet(socket);  // both have bound

  // Each writes its half of both memories.
  const unsigned value = 100u + static_cast<unsigned>(rank);
  CHECK(cuMemsetD32(all + static_cast<size_t>(rank) * kSize / 2, value, kSize / 8));
  CHECK(cuCtxSynchronize());
  meet(socket);  // both have written
  unsigned found[2];
  CHECK(cuMemcpyDtoH(&found[0], replica, 4));
  CHECK(cuMemcpyDtoH(&found[1], replica + kSize - 4, 4));
  std::printf("rank %d has %u and %u\n", rank, found[0], found[1]);
  meet(socket);  // neither process ends before both have read
  unmap(all, kSize);
  CHECK(cuMulticastUnbind(object, rank, 0, kSize));
  unmap(replica, kSize);
  CHECK(cuMemRelease(memory));
  CHECK(cuMemRelease(object));
  CHECK(cuDevicePrimaryCtxRelease(rank));
  return found[0] == 100 && found[1] == 101 ? 0 : 1;
}

}  // namespace

int main() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 2;
  const pid_t child = fork();  // before the first use of the driver, which does not survive a fork
  if (child == 0) {
    close(sockets[0]);
    std::exit(member(1, sockets[1]));
  }
  close(sockets[1]);
  const int mine = member(0, sockets[0]);
  int theirs = 1;
  waitpid(child, &theirs, 0);
  return mine == 0 && theirs == 0 ? 0 : 1;
}
