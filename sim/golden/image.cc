// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_format.h"

namespace nhg {

Image::Image(const std::string &path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    throw std::runtime_error(path + ": " + strerror(errno) + "; give an ELF program or a checkpoint");
  struct stat info;
  void *data = MAP_FAILED;
  if (fstat(file, &info) == 0 && info.st_size > 0)
    data = mmap(nullptr, size_t(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED)
    throw std::runtime_error(path + ": empty or unreadable; give an ELF program or a checkpoint");
  base_ = static_cast<const uint8_t *>(data);
  bytes_ = size_t(info.st_size);
  try {
    if (bytes_ >= sizeof(CheckpointHeader) && std::memcmp(base_, CheckpointMagic, sizeof CheckpointMagic) == 0)
      readCheckpoint(path);
    else
      readElf(path);
  } catch (...) {
    munmap(const_cast<uint8_t *>(base_), bytes_);
    throw;
  }
}

Image::~Image() { munmap(const_cast<uint8_t *>(base_), bytes_); }

void Image::readElf(const std::string &path) {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(base_);
  if (bytes_ < sizeof *header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_RISCV || header->e_type != ET_EXEC)
    throw std::runtime_error(path + ": not a 64-bit RISC-V executable and not a checkpoint");
  const auto *program = reinterpret_cast<const Elf64_Phdr *>(base_ + header->e_phoff);
  if (header->e_phoff > bytes_ || header->e_phnum > (bytes_ - header->e_phoff) / sizeof *program)
    throw std::runtime_error(path + ": truncated ELF file; link the program again");
  for (unsigned i = 0; i < header->e_phnum; i++) {
    if (program[i].p_type != PT_LOAD || program[i].p_filesz == 0)
      continue;
    if (program[i].p_offset > bytes_ || program[i].p_filesz > bytes_ - program[i].p_offset)
      throw std::runtime_error(path + ": truncated ELF file; link the program again");
    segments_.push_back({program[i].p_paddr, program[i].p_filesz, base_ + program[i].p_offset});
  }
  reset_pc_ = header->e_entry;
}

void Image::readCheckpoint(const std::string &path) {
  const auto *header = reinterpret_cast<const CheckpointHeader *>(base_);
  if (header->version != CheckpointVersion)
    throw std::runtime_error(path + ": checkpoint version " + std::to_string(header->version) + ", expected " +
                             std::to_string(CheckpointVersion) + "; take it again");
  const auto *table = reinterpret_cast<const CheckpointSegment *>(base_ + sizeof *header);
  if (header->segments > (bytes_ - sizeof *header) / sizeof *table)
    throw std::runtime_error(path + ": truncated checkpoint; take it again");
  for (uint64_t i = 0; i < header->segments; i++) {
    if (table[i].fileOffset > bytes_ || table[i].bytes > bytes_ - table[i].fileOffset)
      throw std::runtime_error(path + ": truncated checkpoint; take it again");
    segments_.push_back({table[i].address, table[i].bytes, base_ + table[i].fileOffset});
  }
  reset_pc_ = header->resetPc;
  instret_ = header->instret;
  is_checkpoint_ = true;
}

} // namespace nhg
