// SPDX-License-Identifier: Apache-2.0
// Bad arguments, PEs that die or do not come, and jobs that end early.
#include <algorithm>

#include "tests/shmem/world.h"
#include "tests/support/shared_memory.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;

namespace {

int init(const aclshmemx_init_attr_t& attr) {
  aclshmemx_init_attr_t copy = attr;
  return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &copy);
}

}  // namespace

TEST_CASE("before init nothing is there", "[shmem][fail]") {
  const OnDevice on;
  CHECK(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
  CHECK(aclshmem_my_pe() == -1);
  CHECK(aclshmem_n_pes() == -1);
  CHECK(aclshmem_team_my_pe(0) == -1);
  CHECK(aclshmem_team_n_pes(0) == -1);
  CHECK(aclshmem_team_translate_pe(0, 0, 0) == -1);
  CHECK(aclshmem_malloc(16) == nullptr);
  CHECK_THAT(message(), ContainsSubstring("SHMEM is not initialised"));
  CHECK(aclshmem_ptr(nullptr, 0) == nullptr);
  CHECK(aclshmemx_get_heap_base(DEVICE_SIDE) == nullptr);
  CHECK(aclshmemx_set_mte_config(0, 1024, 0) == ACLSHMEM_NOT_INITED);
  aclshmem_team_t team = 7;
  CHECK(aclshmem_team_split_strided(0, 0, 1, 1, &team) == ACLSHMEM_NOT_INITED);
  CHECK(team == ACLSHMEM_TEAM_INVALID);
  aclshmem_free(reinterpret_cast<void*>(16));
  aclshmem_barrier_all();
  aclshmem_global_exit(3);  // nothing
  CHECK(aclshmem_finalize() == 0);
}

TEST_CASE("init says which attribute is wrong", "[shmem][fail]") {
  const OnDevice on;
  const auto good = attributes(0, 1, address_of(free_port()));
  CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, nullptr) == ACLSHMEM_INVALID_PARAM);
  const auto check = [&](auto&& spoil, int code, const char* text) {
    auto attr = good;
    spoil(attr);
    CHECK(init(attr) == code);
    CHECK_THAT(message(), ContainsSubstring(text));
    CHECK(aclshmemx_init_status() == 0);
  };
  check([](auto& a) { a.my_pe = -1; }, -2, "my_pe is -1");
  check([](auto& a) { a.n_pes = 0; }, -2, "n_pes is 0");
  check([](auto& a) { a.n_pes = 16385; }, -2, "n_pes is 16385; expected 1 to 16384");
  check([](auto& a) { a.my_pe = 1; }, -1, "my_pe is 1; expected less than n_pes, 1");
  check([](auto& a) { a.local_mem_size = 0; }, -2, "local_mem_size is 0");
  check([](auto& a) { a.local_mem_size = ACLSHMEM_MAX_LOCAL_SIZE + 1; }, -2, "local_mem_size");
  check([](auto& a) { a.option_attr.shm_init_timeout = 0; }, -2, "shm_init_timeout is 0");
  check([](auto& a) { a.option_attr.control_operation_timeout = 0; }, -2, "control_operation");
  check([](auto& a) { a.option_attr.data_op_engine_type = data_op_engine_type_t(0); }, -2,
        "engine");
  check([](auto& a) { a.option_attr.data_op_engine_type = data_op_engine_type_t(16); }, -2,
        "engine");
  check([](auto& a) { std::strcpy(a.ip_port, "tcp://1.2.3.4"); }, -1, "ip_port is 'tcp://1.2.3.4'");
  check([](auto& a) { std::memset(a.ip_port, 'x', sizeof a.ip_port); }, -1, "ip_port is 'xxx");
  check([](auto& a) { a.instance_id = 1; }, -100, "instance_id is 1");
  auto attr = good;
  CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attr) == ACLSHMEM_DL_FUNC_FAILED);
  CHECK(aclshmemx_init_attr(aclshmemx_bootstrap_t(77), &attr) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr) == ACLSHMEM_INVALID_PARAM);
}

TEST_CASE("a process without a device is no PE", "[shmem][fail]") {
  CHECK(init(attributes(0, 1, address_of(free_port()))) == ACLSHMEM_INNER_ERROR);
  CHECK_THAT(message(), ContainsSubstring("call aclrtSetDevice first"));
}

TEST_CASE("SHMEM can be initialised again after finalize, and not before", "[shmem][init]") {
  for (int i = 0; i < 3; ++i) {
    const Alone alone;
    CHECK(init(attributes(0, 1, address_of(free_port()))) == ACLSHMEM_INNER_ERROR);
    CHECK_THAT(message(), ContainsSubstring("SHMEM is initialised"));
    CHECK(aclshmem_malloc(1 << 20) != nullptr);
    CHECK(aclshmem_malloc(1) == nullptr);
  }
  CHECK(aclshmemx_finalize(0) == 0);
  CHECK(aclshmemx_finalize(1) == ACLSHMEM_INNER_ERROR);
}

TEST_CASE("a port that is taken is told", "[shmem][fail]") {
  const OnDevice on;
  const int taken = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(bind(taken, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(listen(taken, 1) == 0);
  getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size);
  CHECK(init(attributes(0, 2, address_of(ntohs(address.sin_port)))) == ACLSHMEM_BOOTSTRAP_ERROR);
  CHECK_THAT(message(), ContainsSubstring("PE 0 cannot listen at port"));
  close(taken);
}

TEST_CASE("a PE whose PE 0 does not come ends after the limit", "[shmem][fail]") {
  const OnDevice on;
  auto attr = attributes(1, 2, address_of(free_port()));
  attr.option_attr.shm_init_timeout = 1;
  CHECK(init(attr) == ACLSHMEM_INNER_ERROR);
  CHECK_THAT(message(), ContainsSubstring("PE 1 did not find PE 0 within 1 s"));
}

TEST_CASE("a PE that does not come is named after the limit", "[shmem][fail]") {
  const OnDevice on;
  auto attr = attributes(0, 3, address_of(free_port()));
  attr.option_attr.shm_init_timeout = 1;
  CHECK(init(attr) == ACLSHMEM_TIMEOUT_ERROR);
  CHECK_THAT(message(), ContainsSubstring("in vain for ranks 1, 2"));
  CHECK(aclshmemx_init_status() == 0);
}

CHILD_PROGRAM(shmem_says_code) {
  aclrtSetDevice(0);
  auto attr = attributes(number("TEST_PE"), number("TEST_PES"), address_of(number("TEST_PORT")),
                         static_cast<std::uint64_t>(number("TEST_BYTES", 1 << 20)));
  attr.option_attr.shm_init_timeout = static_cast<std::uint32_t>(number("TEST_LIMIT", 20));
  const int code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr);
  std::cout << code << " " << (code ? message() : "") << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return 0;
}

TEST_CASE("a PE that is there already is refused", "[shmem][fail]") {
  const std::string port = std::to_string(free_port());
  const auto start = [&](const char* pe) {
    return std::make_unique<RunningChild>(
        "shmem_says_code",
        support::Environment{
            {"TEST_PE", pe}, {"TEST_PES", "3"}, {"TEST_PORT", port}, {"TEST_LIMIT", "3"}});
  };
  const auto first = start("0");
  const auto a = start("1");
  const auto b = start("1");
  const std::string said = a->hear() + "|" + b->hear();
  CHECK_THAT(said, ContainsSubstring("-6 "));
  CHECK_THAT(said, ContainsSubstring("PE 1 was refused"));
  // By its own limit, or because PE 1 was quicker to give up.
  const std::string told = first->hear();
  CHECK((told.starts_with("-7 ") || told.find("gave up") != std::string::npos));
  CHECK_THAT(told, ContainsSubstring("waited in vain for rank 2"));
}

TEST_CASE("a second PE 0 finds the port taken", "[shmem][fail]") {
  const std::string port = std::to_string(free_port());
  const auto start = [&] {
    return std::make_unique<RunningChild>(
        "shmem_says_code",
        support::Environment{
            {"TEST_PE", "0"}, {"TEST_PES", "2"}, {"TEST_PORT", port}, {"TEST_LIMIT", "3"}});
  };
  const auto a = start();
  const auto b = start();
  const std::string said = a->hear() + "|" + b->hear();
  CHECK_THAT(said, ContainsSubstring("-6 ") && ContainsSubstring("PE 0 cannot listen at port"));
  CHECK_THAT(said, ContainsSubstring("-7 ") && ContainsSubstring("in vain for rank 1"));
}

TEST_CASE("PEs that do not agree on the heap learn what each says", "[shmem][fail]") {
  const std::string port = std::to_string(free_port());
  const auto start = [&](const char* pe, const char* bytes) {
    return std::make_unique<RunningChild>(
        "shmem_says_code",
        support::Environment{
            {"TEST_PE", pe}, {"TEST_PES", "2"}, {"TEST_PORT", port}, {"TEST_BYTES", bytes}});
  };
  const auto a = start("0", "65536");
  const auto b = start("1", "131072");
  const std::string said = a->hear() + "|" + b->hear();
  CHECK_THAT(said, ContainsSubstring("heaps of 65536 bytes"));
  CHECK_THAT(said, ContainsSubstring("heaps of 131072 bytes"));
}

TEST_CASE("wrong PEs and foreign addresses move nothing", "[shmem][fail]") {
  const Alone alone;
  auto* const memory = static_cast<std::int32_t*>(aclshmem_calloc(16, 4));
  std::int32_t* own = nullptr;
  REQUIRE(aclrtMalloc(reinterpret_cast<void**>(&own), 64, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(aclrtMemset(own, 64, 0x11, 64) == 0);
  const auto untouched = [&] { return read(memory, 16) == std::vector<std::int32_t>(16); };
  const auto refused = [&](const char* text) {
    CHECK_THAT(message(), ContainsSubstring(text));
    CHECK(untouched());
  };
  aclshmem_putmem(memory, own, 64, 1);
  refused("pe is 1; expected 0 to 0");
  aclshmem_putmem(memory, own, 64, -1);
  refused("pe is -1");
  int on_the_stack[16] = {};
  aclshmem_putmem(on_the_stack, own, 64, 0);
  refused("dst");
  aclshmem_putmem(memory, reinterpret_cast<void*>(0x1000), 64, 0);
  refused("src");
  aclshmem_putmem(memory, own, std::size_t{1} << 40, 0);
  refused("pass the end of the heap");
  aclshmem_putmem(memory, own, SIZE_MAX, 0);
  refused("pass the end of the heap");
  aclshmem_double_put(reinterpret_cast<double*>(memory), reinterpret_cast<double*>(own),
                      SIZE_MAX / 4, 0);
  refused("elements of 8 bytes");
  aclshmem_int32_iput(memory, own, 0, 1, 4, 0);
  refused("stride of the target is 0");
  aclshmemx_putmem_signal(memory, own, 64, nullptr, 1, 0, 0);
  refused("sig_addr is NULL");
  aclshmemx_putmem_signal(memory, own, 64, reinterpret_cast<char*>(memory) + 1, 1, 0, 0);
  refused("expected a multiple of 4");
  aclshmem_int32_wait_until(memory, 6, 1);
  refused("cmp is 6; expected 0 (EQ) to 5 (LE)");
  CHECK(aclshmem_int32_g(memory, 5) == 0);
  CHECK(aclshmem_ptr(memory, 1) == nullptr);
  CHECK(aclshmem_ptr(own, 0) == nullptr);
  CHECK(aclshmem_ptr(memory, 0) == memory);
  // A PE signals to itself in any memory of its device.
  aclshmemx_putmem_signal(memory, own, 0, own, 5, ACLSHMEM_SIGNAL_SET, 0);
  CHECK(read(own, 1)[0] == 5);
  aclshmemx_putmem_signal(memory, own, 0, own, 5, 9, 0);  // no such operation
  CHECK(read(own, 1)[0] == 5);
  aclrtFree(own);
}

TEST_CASE("allocations have limits, and only theirs are freed", "[shmem][heap]") {
  const Alone alone(4096);
  const auto refused = [](const void* got, const char* text) {
    CHECK(got == nullptr);
    CHECK_THAT(message(), ContainsSubstring(text));
  };
  static std::string logged;
  aclshmemx_set_extern_logger([](int, const char* line) { logged += line; });
  refused(aclshmem_malloc(0), "aclshmem_malloc: size is 0");
  aclshmemx_set_extern_logger(nullptr);
  CHECK_THAT(logged, ContainsSubstring("aclshmem_malloc: size is 0"));
  refused(aclshmem_malloc(4097), "no room for 4097 of 4096 bytes");
  refused(aclshmem_calloc(0, 2), "size is 0");
  refused(aclshmem_calloc(SIZE_MAX, 2), "more than the heap");
  refused(aclshmem_align(3, 16), "alignment is 3; expected a power of two");
  refused(aclshmem_align(0, 16), "alignment is 0; expected a power of two");
  refused(aclshmem_align(std::size_t{2} << 30, 16), "alignment is 2147483648");
  refused(aclshmemx_malloc(0, HOST_SIDE), "aclshmemx_malloc: size is 0");
  void* const first = aclshmem_malloc(17);
  void* const second = aclshmem_align(256, 16);
  CHECK(static_cast<char*>(second) - static_cast<char*>(first) == 256);
  aclshmem_free(static_cast<char*>(first) + 16);
  CHECK_THAT(message(), ContainsSubstring("expected what an allocation"));
  aclshmem_free(first);
  aclshmem_free(second);
  void* const all = aclshmem_malloc(4096);
  CHECK(all == first);
  aclshmem_free(all);
  aclshmem_free(all);
  aclshmem_free(nullptr);
}

CHILD_PROGRAM(shmem_partner) {
  return as_pe([] {
    const InJob job;
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
    std::cout << "ready" << std::endl;
    std::string what;
    while (std::getline(std::cin, what)) {
      if (what == "barrier") aclshmem_barrier_all();
      if (what == "malloc") expect(aclshmem_malloc(16) == nullptr, "memory");
      if (what == "wait") aclshmem_signal_wait_until(word, ACLSHMEM_CMP_EQ, 1);
      if (what == "put") aclshmem_int32_p(word, 1, 1 - job.me);
      if (what == "finalize") {
        expect(aclshmem_finalize() != 0, "finalize without the other");
      }
      if (what == "exit") aclshmem_global_exit(37);
      std::cout << message() << std::endl;
    }
  });
}

TEST_CASE("whoever waits for a PE that is killed is told, and nothing is left", "[shmem][fail]") {
  const auto before = support::shared_memory_files();
  for (const char* const call : {"barrier", "malloc", "wait", "finalize"}) {
    INFO(call);
    Job job("shmem_partner", 2);
    job.check_all_say("ready");
    job.processes[0]->say(call);
    job.processes[1]->kill();
    CHECK_THAT(job.processes[0]->hear(),
               ContainsSubstring("rank 1") &&
                   (ContainsSubstring("died") || ContainsSubstring("cannot be reached")));
    job.processes[0]->kill();
  }
  CHECK(support::new_shared_memory_files(before) == "");
}

TEST_CASE("whoever waits for PE 0 is told when that is killed, and nothing is left",
          "[shmem][fail]") {
  const auto before = support::shared_memory_files();
  for (const char* const call : {"barrier", "malloc", "wait", "finalize"}) {
    INFO(call);
    Job job("shmem_partner", 2);
    job.check_all_say("ready");
    job.processes[1]->say(call);
    job.processes[0]->kill();
    CHECK_THAT(job.processes[1]->hear(), ContainsSubstring("a PE was lost"));
    job.processes[1]->kill();
  }
  CHECK(support::new_shared_memory_files(before) == "");
}

TEST_CASE("a barrier that a PE does not come to ends after the limit", "[shmem][fail]") {
  Job job("shmem_partner", 2, {{"TEST_CONTROL_TIMEOUT", "1"}});
  job.check_all_say("ready");
  CHECK_THAT(job.processes[0]->ask("barrier"),
             ContainsSubstring("PE 0 waited at a barrier for PE 1 longer than 1 s"));
  CHECK_THAT(job.processes[0]->ask("malloc"), ContainsSubstring("an earlier barrier has failed"));
}

TEST_CASE("a transfer to a PE that has died is refused", "[shmem][fail]") {
  Job job("shmem_partner", 2);
  job.check_all_say("ready");
  job.processes[1]->kill();
  // On another host the way there may be what is found out first.
  CHECK(support::eventually(
      [&] {
        const std::string told = job.processes[0]->ask("put");
        return told.find("died") != std::string::npos ||
               told.find("cannot be reached") != std::string::npos;
      },
      support::kDeadline, std::chrono::milliseconds(1)));
}

TEST_CASE("global_exit ends all PEs, whatever they do", "[shmem][exit]") {
  Job job("shmem_partner", 3);
  job.check_all_say("ready");
  job.processes[1]->say("wait");
  job.processes[0]->say("exit");
  job.processes[0]->hear();
  // A waiting PE may learn that another PE has gone a moment before it ends itself.
  if (const std::string told = job.processes[1]->hear(); told != "(nothing)") {
    CHECK_THAT(told, ContainsSubstring("a PE was lost"));
  }
  for (auto& process : job.processes) CHECK(process->hear() == "(nothing)");
}

CHILD_PROGRAM(shmem_unique_id) {
  return as_pe([] {
    aclrtSetDevice(0);
    aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
    const int me = number("TEST_PE");
    std::string text;
    if (me == 0) {
      expect(aclshmemx_get_uniqueid(&id) == 0, message());
      for (const char byte : id.internal)
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      std::cout << text << std::endl;
    } else {
      std::getline(std::cin, text);
      for (std::size_t i = 0; i < sizeof id.internal; ++i) {
        id.internal[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
      }
    }
    aclshmemx_init_attr_t attr;
    expect(aclshmemx_set_attr_uniqueid_args(me, number("TEST_PES"), 1 << 20, &id, &attr) == 0,
           message());
    attr.option_attr.shm_init_timeout = 30;
    expect(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr) == 0, message());
    expect(aclshmem_malloc(100) != nullptr, message());
    expect(aclshmem_finalize() == 0, message());
  });
}

TEST_CASE("PEs meet by an id that the program carries", "[shmem][init]") {
  Job job("shmem_unique_id", 3);
  const std::string id = job.processes[0]->hear();
  job.processes[1]->say(id);
  job.processes[2]->say(id);
  job.check_all_say("ok");
}

TEST_CASE("an id of another version, or a damaged one, is refused", "[shmem][fail]") {
  const OnDevice on;
  aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
  aclshmemx_init_attr_t attr;
  CHECK(aclshmemx_get_uniqueid(nullptr) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmemx_set_attr_uniqueid_args(0, 0, 16, &id, &attr) == ACLSHMEM_INVALID_VALUE);
  CHECK(aclshmemx_set_attr_uniqueid_args(0, 1, -1, &id, &attr) == ACLSHMEM_INVALID_VALUE);
  CHECK(aclshmemx_set_attr_uniqueid_args(0, 1, 16, nullptr, &attr) == ACLSHMEM_INVALID_PARAM);
  REQUIRE(aclshmemx_set_attr_uniqueid_args(0, 1, 16, &id, &attr) == 0);
  CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr) != 0);  // zeros
  id.version = 1;
  CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr) == ACLSHMEM_INVALID_PARAM);
  CHECK_THAT(message(), ContainsSubstring("the unique id has version 1; expected 65672"));
}

TEST_CASE("the arguments of a unique id leave the other attributes as they were", "[shmem]") {
  const OnDevice on;
  aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
  aclshmemx_init_attr_t attr;
  attr.instance_id = 1;
  attr.option_attr.shm_init_timeout = 7;
  attr.option_attr.control_operation_timeout = 8;
  attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_SDMA;
  REQUIRE(aclshmemx_set_attr_uniqueid_args(2, 3, 16, &id, &attr) == 0);
  CHECK(attr.my_pe == 2);
  CHECK(attr.n_pes == 3);
  CHECK(attr.local_mem_size == 16);
  CHECK(attr.comm_args == &id);
  CHECK(attr.instance_id == 1);
  CHECK(attr.option_attr.shm_init_timeout == 7);
  CHECK(attr.option_attr.control_operation_timeout == 8);
  CHECK(attr.option_attr.data_op_engine_type == ACLSHMEM_DATA_OP_SDMA);
  CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr) == ACLSHMEM_NOT_SUPPORTED);
  CHECK_THAT(message(), ContainsSubstring("instance_id is 1; only instance 0 is emulated"));
}

TEST_CASE("an id that cannot be made leaves the caller's as it was", "[shmem][fail]") {
  setenv("SHMEM_UID_SOCK_IFNAME", "nosuch", 1);
  aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
  CHECK(aclshmemx_get_uniqueid(&id) == ACLSHMEM_BOOTSTRAP_ERROR);
  CHECK_THAT(message(), ContainsSubstring("SHMEM_UID_SOCK_IFNAME is 'nosuch'"));
  unsetenv("SHMEM_UID_SOCK_IFNAME");
  setenv("SHMEM_UID_SESSION_ID", "127.0.0.1:80", 1);
  CHECK(aclshmemx_get_uniqueid(&id) == ACLSHMEM_INVALID_PARAM);
  CHECK_THAT(message(), ContainsSubstring("SHMEM_UID_SESSION_ID"));
  unsetenv("SHMEM_UID_SESSION_ID");
  CHECK(std::all_of(std::begin(id.internal), std::end(id.internal), [](char c) { return c == 0; }));
}

TEST_CASE("where the address is none, a unique id is used instead", "[shmem][init]") {
  const OnDevice on;
  aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
  auto attr = attributes(0, 1, "no address");
  attr.comm_args = &id;
  CHECK(init(attr) == ACLSHMEM_INVALID_PARAM);  // zeros
  CHECK_THAT(message(), ContainsSubstring("ip_port is 'no address'"));
  REQUIRE(aclshmemx_get_uniqueid(&id) == ACLSHMEM_SUCCESS);
  CHECK(init(attr) == ACLSHMEM_SUCCESS);
  CHECK(aclshmem_finalize() == ACLSHMEM_SUCCESS);
}

TEST_CASE("what is not emulated says so", "[shmem][fail]") {
  CHECK(aclshmemx_instance_ctx_get() == nullptr);
  CHECK_THAT(message(), ContainsSubstring("aclshmemx_instance_ctx_get is not emulated"));
  CHECK(aclshmemx_set_log_level(5) == ACLSHMEM_INVALID_PARAM);
}
