// SPDX-License-Identifier: Apache-2.0
// Rank tables, and the rank graph that follows from them.
#include <sys/stat.h>

#include <fstream>
#include <iostream>
#include <memory>

#include "hccl/hccl_rank_graph.h"
#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

std::string v1(const std::string& servers, int count) {
  return R"({"status": "completed", "version": "1.0", "server_count": ")" + std::to_string(count) +
         R"(", "server_list": [)" + servers + "]}";
}

std::string server(const std::string& id, const std::string& devices) {
  return R"({"server_id": ")" + id + R"(", "device": [)" + devices + "]}";
}

std::string device(int id, int rank) {
  return R"({"device_id": ")" + std::to_string(id) + R"(", "rank_id": ")" + std::to_string(rank) +
         R"("})";
}

/// Two servers of two ranks: 0 and 1, 2 and 3.
std::string two_servers() {
  return v1(server("10.9.8.1", device(0, 0) + "," + device(1, 1)) + "," +
                server("10.9.8.2", device(2, 2) + "," + device(3, 3)),
            2);
}

struct File {
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  support::TempDir dir;
  const std::string path = (dir.path() / "ranks.json").string();
};

HcclResult code_of(const std::string& text, std::uint32_t rank = 0) {
  const File file(text);
  const OnDevice current(0);
  HcclComm comm = nullptr;
  return HcclCommInitClusterInfo(file.path.c_str(), rank, &comm);
}

constexpr int kRemakes = 20;

/// Makes and destroys a communicator repeatedly by one table. Returns an empty text or the first
/// error.
std::string remake(const std::string& path, std::uint32_t rank) {
  for (int i = 0; i < kRemakes; ++i) {
    HcclComm comm = nullptr;
    if (HcclCommInitClusterInfo(path.c_str(), rank, &comm) != HCCL_SUCCESS) return message();
    if (HcclCommDestroy(comm) != HCCL_SUCCESS) return message();
  }
  return {};
}

CHILD_PROGRAM(remakes_by_rank_table) {
  std::string path;
  std::uint32_t rank = 0;
  std::cin >> path >> rank;
  must(aclrtSetDevice(static_cast<int>(rank)) == ACL_SUCCESS);
  std::cout << "made " << remake(path, rank) << std::endl;
  aclrtResetDevice(static_cast<int>(rank));
  return 0;
}

}  // namespace

TEST_CASE("a communicator can be destroyed and made again by the same rank table", "[hccl]") {
  const File file(v1(server("node", device(0, 0) + "," + device(1, 1) + "," + device(2, 2)), 1));
  SECTION("ranks are threads") {
    const auto problems =
        as_threads(3, [&](std::uint32_t rank) { return remake(file.path, rank); });
    CHECK(problems == std::vector<std::string>(3));
  }
  SECTION("ranks are processes") {
    std::vector<std::unique_ptr<support::RunningChild>> ranks;
    for (int rank = 0; rank < 3; ++rank) {
      ranks.push_back(std::make_unique<support::RunningChild>("remakes_by_rank_table"));
      ranks.back()->say(file.path + " " + std::to_string(rank));
    }
    for (const auto& rank : ranks) CHECK(rank->hear() == "made ");
  }
}

TEST_CASE("ranks become a communicator by a rank table of version 1.0", "[hccl]") {
  const File file(v1(server("node", device(0, 0) + "," + device(1, 1)), 1));
  const auto results = as_threads(2, [&](std::uint32_t rank) -> std::string {
    HcclComm comm = nullptr;
    if (HcclCommInitClusterInfo(file.path.c_str(), rank, &comm) != HCCL_SUCCESS) return message();
    char name[COMM_NAME_MAX_LENGTH] = {};
    HcclGetCommName(comm, name);
    HcclCommDestroy(comm);
    return name;
  });
  CHECK(results == std::vector<std::string>{"hccl_world_group", "hccl_world_group"});
}

TEST_CASE("a loop of a shell starts ranks, which meet by a rank table", "[hccl][exchange]") {
  constexpr int kRanks = 8;
  std::string devices;
  for (int rank = 0; rank < kRanks; ++rank) devices += (rank == 0 ? "" : ",") + device(rank, rank);
  const File file(v1(server("node", devices), 1));
  const std::string script =
      file.dir.write("start.sh", fmt::format(R"(
export RANK_TABLE_FILE='{}' RANK_SIZE={} TEST_CHILD_PROGRAM=exchanges_by_rank_table
failed=0
for rank in $(seq 0 {}); do
  RANK_ID=$rank DEVICE_ID=$rank /proc/{}/exe & ranks="$ranks $!"
done
for rank in $ranks; do wait $rank || failed=1; done
exit $failed
)",
                                             file.path, kRanks, kRanks - 1, getpid()));
  const std::string output = (file.dir.path() / "output").string();
  CHECK(std::system(fmt::format("sh {} >{} 2>&1", script, output).c_str()) == 0);
  std::string right;
  for (int rank = 0; rank < kRanks; ++rank) right += "right\n";
  CHECK(file.dir.read("output") == right);
}

TEST_CASE("ranks become a communicator by a rank table of version 2.0", "[hccl]") {
  const File file(R"({"version": "2.0", "rank_count": 2, "rank_list": [
      {"rank_id": 1, "device_id": 1, "local_id": 1,
       "level_list": [{"net_layer": 0, "net_instance_id": "az0-rack0"}]},
      {"rank_id": 0, "device_id": 0, "local_id": 0,
       "level_list": [{"net_layer": 0, "net_instance_id": "az0-rack0"}]}]})");
  const auto results = as_threads(2, [&](std::uint32_t rank) -> std::string {
    HcclComm comm = nullptr;
    HcclCommConfig config;
    HcclCommConfigInit(&config);
    if (HcclCommInitClusterInfoConfig(file.path.c_str(), rank, &config, &comm) != HCCL_SUCCESS) {
      return message();
    }
    std::uint32_t size = 0;
    HcclGetRankSize(comm, &size);
    HcclCommDestroy(comm);
    return std::to_string(size);
  });
  CHECK(results == std::vector<std::string>{"2", "2"});
}

TEST_CASE("rank tables that cannot be read are told from those that make no sense", "[hccl]") {
  const OnDevice current(0);
  HcclComm comm = nullptr;
  CHECK(HcclCommInitClusterInfo("/no/such/table", 0, &comm) == HCCL_E_INTERNAL);
  CHECK_THAT(message(), ContainsSubstring("the rank table '/no/such/table' cannot be read"));
  CHECK(HcclCommInitClusterInfo("/dev/zero", 0, &comm) == HCCL_E_INTERNAL);  // without an end
  CHECK_THAT(message(), ContainsSubstring("the rank table '/dev/zero' cannot be read"));
  CHECK(HcclCommInitClusterInfo(nullptr, 0, &comm) == HCCL_E_PTR);
  CHECK(HcclCommInitClusterInfo("table", 0, nullptr) == HCCL_E_PTR);
  CHECK(HcclCommInitClusterInfoConfig("table", 0, nullptr, &comm) == HCCL_E_PTR);
  CHECK(code_of("{") == HCCL_E_INTERNAL);
  CHECK(code_of("{}") == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("has no 'version'"));
  CHECK(code_of(R"({"version": "3.0"})") == HCCL_E_PARA);
  CHECK(code_of(v1(server("a", device(0, 0)), 2)) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("server_count is 2, but server_list has 1 servers"));
  CHECK(code_of(v1(server("a", device(0, 0) + "," + device(1, 0)), 1)) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("names rank 0 twice"));
  CHECK(code_of(v1(server("a", device(0, 0) + "," + device(1, 2)), 1)) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("has no rank 1, but rank 2"));
  CHECK(code_of(v1(server("a", R"({"device_id": "x", "rank_id": "0"})"), 1)) == HCCL_E_PARA);
  CHECK_THAT(message(),
             ContainsSubstring("server_list[0].device[0].device_id is \"x\"; expected a number"));
  CHECK(code_of(v1(server("a", device(0, 0)), 1), 1) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("rank is 1; the rank table has ranks 0 to 0"));
}

TEST_CASE("a rank table names devices of the machine, and each of them once", "[hccl]") {
  CHECK(code_of(v1(server("a", device(8, 0)), 1)) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("rank 0 has the device_id 8; expected 0 to 7"));
  CHECK(code_of(v1(server("a", device(3, 0) + "," + device(3, 1)), 1)) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("ranks 0 and 1 have the same device, 3 of server 'a'"));
  const auto with_address = [](int id, int rank, const std::string& address) {
    return R"({"device_id": ")" + std::to_string(id) + R"(", "rank_id": ")" + std::to_string(rank) +
           R"(", "device_ip": ")" + address + R"("})";
  };
  const auto two = [&](const std::string& first, const std::string& second) {
    return v1(server("a", with_address(0, 0, first) + "," + with_address(1, 1, second)), 1);
  };
  CHECK(code_of(two("192.168.1.8", "192.168.1.8")) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("ranks 0 and 1 have the same device_ip, 192.168.1.8"));
  // Two servers have the same devices, but not the same addresses.
  CHECK(code_of(v1(server("a", with_address(0, 0, "10.0.0.1")) + "," +
                       server("b", with_address(0, 1, "10.0.0.1")),
                   2)) == HCCL_E_PARA);
  CHECK(code_of(R"({"version": "2.0", "rank_count": "2", "rank_list": [
      {"rank_id": 0, "device_id": 1}, {"rank_id": 1, "device_id": 1}]})") == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("have the same device, 1"));
}

TEST_CASE("a communicator of more devices than there are is refused before its list is read",
          "[hccl]") {
  const OnDevice current(0);
  std::int32_t device = 0;  // one element, where the count promises more
  HcclComm comm = nullptr;
  CHECK(HcclCommInitAll(9, &device, &comm) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("ndev is 9; expected at most 8"));
  CHECK(HcclCommInitAll(0xffffffff, &device, &comm) == HCCL_E_PARA);
}

TEST_CASE("a pipe is no rank table, and nobody waits for it", "[hccl]") {
  const OnDevice current(0);
  const support::TempDir folder;
  const std::string path = (folder.path() / "pipe").string();
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  HcclComm comm = nullptr;
  CHECK(HcclCommInitClusterInfo(path.c_str(), 0, &comm) == HCCL_E_INTERNAL);
  CHECK_THAT(message(), ContainsSubstring("cannot be read"));
}

TEST_CASE("the rank graph follows the servers of the rank table", "[hccl]") {
  const File file(two_servers());
  const auto results = as_threads(4, [&](std::uint32_t rank) -> std::string {
    HcclComm comm = nullptr;
    if (HcclCommInitClusterInfo(file.path.c_str(), rank, &comm) != HCCL_SUCCESS) return message();
    std::string text;
    std::uint32_t* array = nullptr;
    std::uint32_t size = 0;
    const auto add = [&](HcclResult code, const char* what) {
      text += std::string(what) + (code == HCCL_SUCCESS ? "" : " failed");
      for (std::uint32_t i = 0; i < size; ++i) text += " " + std::to_string(array[i]);
      text += "; ";
    };
    add(HcclRankGraphGetLayers(comm, &array, &size), "layers");
    add(HcclRankGraphGetRanksByLayer(comm, 0, &array, &size), "server");
    add(HcclRankGraphGetRanksByLayer(comm, 1, &array, &size), "all");
    add(HcclRankGraphGetInstSizeListByLayer(comm, 0, &array, &size), "sizes");
    CommTopo inside = COMM_TOPO_RESERVED;
    CommTopo between = COMM_TOPO_RESERVED;
    HcclRankGraphGetTopoTypeByLayer(comm, 0, &inside);
    HcclRankGraphGetTopoTypeByLayer(comm, 1, &between);
    text += std::to_string(inside) + " " + std::to_string(between) + "; ";
    CommLink* links = nullptr;
    for (const std::uint32_t layer : {0u, 1u}) {
      HcclRankGraphGetLinks(comm, layer, 0, 2, &links, &size);
      text += std::to_string(size) + " ";
      if (size == 1) text += "protocol " + std::to_string(links->linkAttr.linkProtocol);
    }
    HcclRankGraphGetLinks(comm, 0, 2, 3, &links, &size);
    text += "; " + std::to_string(size) + " protocol " +
            std::to_string(links->linkAttr.linkProtocol) + " of server " +
            std::to_string(links->srcEndpointDesc.loc.device.serverIdx);
    HcclCommDestroy(comm);
    return text;
  });
  const std::string rest = "all 0 1 2 3; sizes 2 2; 1 0; 0 1 protocol 1; 1 protocol 0 of server 1";
  CHECK(results[0] == "layers 0 1; server 0 1; " + rest);
  CHECK(results[3] == "layers 0 1; server 2 3; " + rest);
}

TEST_CASE("questions to the rank graph that make no sense are refused", "[hccl]") {
  const File file(v1(server("node", device(0, 0)), 1));
  const OnDevice current(0);
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitClusterInfo(file.path.c_str(), 0, &comm) == HCCL_SUCCESS);
  std::uint32_t* array = nullptr;
  std::uint32_t size = 0;
  CommTopo topology = COMM_TOPO_RESERVED;
  CommLink* links = nullptr;
  CHECK(HcclRankGraphGetLayers(comm, &array, &size) == HCCL_SUCCESS);
  CHECK(size == 1);
  CHECK(HcclRankGraphGetLayers(comm, nullptr, &size) == HCCL_E_PTR);
  CHECK(HcclRankGraphGetRanksByLayer(comm, 1, &array, &size) == HCCL_E_PARA);
  CHECK(HcclRankGraphGetRanksByLayer(comm, 0, &array, nullptr) == HCCL_E_PTR);
  CHECK(HcclRankGraphGetRankSizeByLayer(comm, 0, &size) == HCCL_SUCCESS);
  CHECK(HcclRankGraphGetRankSizeByLayer(comm, 0, nullptr) == HCCL_E_PTR);
  CHECK(HcclRankGraphGetTopoTypeByLayer(comm, 0, &topology) == HCCL_SUCCESS);
  CHECK(topology == COMM_TOPO_1DMESH);
  CHECK(HcclRankGraphGetTopoTypeByLayer(comm, 0, nullptr) == HCCL_E_PTR);
  CHECK(HcclRankGraphGetInstSizeListByLayer(comm, 2, &array, &size) == HCCL_E_PARA);
  CHECK(HcclRankGraphGetLinks(comm, 0, 0, 0, &links, &size) == HCCL_E_PARA);
  CHECK(HcclRankGraphGetLinks(comm, 0, 0, 1, &links, &size) == HCCL_E_PARA);
  CHECK(HcclRankGraphGetLinks(comm, 0, 0, 1, nullptr, &size) == HCCL_E_PTR);
  CHECK(HcclRankGraphGetLayers(nullptr, &array, &size) == HCCL_E_PTR);
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}
