// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/shared_object.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "runtime/acl/base/error.h"
#include "runtime/acl/kernel/ascendc_kernels.h"

namespace acl {
namespace {

/// A file without a name in the file system, with a path as long as it is open.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("kernel-binary", MFD_CLOEXEC)) {
    while (fd_ >= 0 && !bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (!bytes.empty()) {
      const std::string reason = std::system_category().message(errno);
      close();
      fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "no room for a copy of the kernel binary: {}", reason);
    }
  }
  MemoryFile(MemoryFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile() { close(); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  void keep_open() noexcept { fd_ = -1; }

 private:
  void close() noexcept {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd_;
};

class SharedObject final : public KernelImage {
 public:
  SharedObject(const std::string& path, std::optional<MemoryFile> file, ElfFile elf)
      : path_(path), file_(std::move(file)), elf_(std::move(elf)) {
    handle_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "the shared object cannot be loaded: {}", dlerror());
    }
    try {
      ascendc_ = AscendcKernels(handle_, elf_);
    } catch (...) {
      dlclose(handle_);
      throw;
    }
  }

  ~SharedObject() override {
    dlclose(handle_);
    if (!file_) return;
    // The loader knows libraries by path. One that refuses to go keeps its own, or the next file
    // under the same number would be taken for it.
    if (void* const still = dlopen(path_.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
      dlclose(still);
      file_->keep_open();
    }
  }

  // A file with kernels for NPU cores has no others: what it exports beside them is called by no
  // one.
  std::optional<KernelCode> find(const std::string& name) const override {
    if (!ascendc_.empty()) return ascendc_.find(name);
    const ElfFile::Symbol* const symbol = exported(name, true);
    void* const address = symbol ? dlsym(handle_, name.c_str()) : nullptr;
    if (!address) return {};
    return KernelCode{reinterpret_cast<aclsimKernel>(address), symbol->size};
  }

  std::optional<MemorySegment> find_variable(const std::string& name) const override {
    const ElfFile::Symbol* const symbol = exported(name, false);
    void* const address = symbol ? dlsym(handle_, name.c_str()) : nullptr;
    if (!address) return {};
    return MemorySegment{address, symbol->size};
  }

  std::vector<std::string> functions() const override {
    if (!ascendc_.empty()) return ascendc_.names();
    std::vector<std::string> names;
    for (const ElfFile::Symbol& symbol : elf_.exported) {
      if (symbol.function) names.push_back(symbol.name);
    }
    return names;
  }

  std::optional<MemorySegment> segment() const override {
    link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return {};
    return MemorySegment{reinterpret_cast<void*>(map->l_addr), elf_.span};
  }

 private:
  /// The loader alone would find what other libraries define as well.
  const ElfFile::Symbol* exported(const std::string& name, bool function) const {
    for (const ElfFile::Symbol& symbol : elf_.exported) {
      if (symbol.function == function && symbol.name == name) return &symbol;
    }
    return nullptr;
  }

  const std::string path_;
  std::optional<MemoryFile> file_;
  const ElfFile elf_;
  AscendcKernels ascendc_;
  void* handle_ = nullptr;
};

}  // namespace

sim::Ref<KernelImage> open_shared_object(const BinarySource& source, ElfFile elf) {
  std::optional<MemoryFile> file;
  if (source.path.empty()) file.emplace(source.bytes);
  const std::string path = file ? file->path() : source.path;
  return sim::Ref<KernelImage>::adopt(new SharedObject(path, std::move(file), std::move(elf)));
}

}  // namespace acl
