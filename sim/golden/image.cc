// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_format.h"

namespace nhg {

namespace {

std::string hex(uint64_t value) {
  char text[20];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

} // namespace

uint64_t tohostExitCode(uint64_t value) {
  constexpr unsigned kDeviceShift = 48; // above the value: command and device, 0 for the end
  if ((value & 1) && value >> kDeviceShift == 0)
    return value >> 1;
  throw std::runtime_error(
      "the program asks the host through tohost for " + hex(value) +
      "; only its end (1, or 2n + 1 for exit code n) is understood there: print through the host interface");
}

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

void Image::checkHeader(const std::string &path) const {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(base_);
  if (bytes_ < EI_NIDENT || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    throw std::runtime_error(path + ": not an ELF file and not a checkpoint");
  if (bytes_ < sizeof *header)
    throw std::runtime_error(path + ": truncated ELF file; link the program again");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != EM_RISCV)
    throw std::runtime_error(path + ": an ELF file for another machine (" +
                             (header->e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32") + " bits, e_machine " +
                             std::to_string(header->e_machine) + "), not for 64-bit RISC-V; compile it for " +
                             NHG_ISA_STRING);
  if (header->e_type != ET_EXEC)
    throw std::runtime_error(path + ": not an executable at fixed addresses (e_type " + std::to_string(header->e_type) +
                             "); link it with -static -no-pie");
}

void Image::readElf(const std::string &path) {
  checkHeader(path);
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(base_);
  const auto *program = reinterpret_cast<const Elf64_Phdr *>(base_ + header->e_phoff);
  if (header->e_phoff > bytes_ || header->e_phnum > (bytes_ - header->e_phoff) / sizeof *program)
    throw std::runtime_error(path + ": truncated ELF file; link the program again");
  for (unsigned i = 0; i < header->e_phnum; i++) {
    if (program[i].p_type != PT_LOAD || program[i].p_memsz == 0)
      continue;
    if (program[i].p_offset > bytes_ || program[i].p_filesz > bytes_ - program[i].p_offset)
      throw std::runtime_error(path + ": truncated ELF file; link the program again");
    segments_.push_back({program[i].p_paddr, program[i].p_filesz, base_ + program[i].p_offset, program[i].p_memsz});
  }
  reset_pc_ = header->e_entry;
  bool loaded = false;
  for (const Segment &segment : segments_)
    loaded = loaded || reset_pc_ - segment.addr < segment.size;
  if (!loaded)
    throw std::runtime_error(path + ": the entry " + hex(reset_pc_) +
                             " is outside what the file loads into memory; check ENTRY and " +
                             "the addresses of the linker script");
  readSymbols();
}

// Of a file that does not end within its tables; one without symbols is as good.
void Image::readSymbols() {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(base_);
  const auto inFile = [this](uint64_t offset, uint64_t bytes) { return offset <= bytes_ && bytes <= bytes_ - offset; };
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(base_ + header->e_shoff);
  if (!inFile(header->e_shoff, uint64_t(header->e_shnum) * sizeof *sections))
    return;
  for (unsigned i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum)
      continue;
    const Elf64_Shdr &strings = sections[sections[i].sh_link];
    if (!inFile(sections[i].sh_offset, sections[i].sh_size) || !inFile(strings.sh_offset, strings.sh_size))
      continue;
    const auto *symbols = reinterpret_cast<const Elf64_Sym *>(base_ + sections[i].sh_offset);
    const std::string wanted("tohost", sizeof "tohost"); // with the zero at its end
    for (uint64_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
      if (symbols[k].st_shndx != SHN_UNDEF && symbols[k].st_name < strings.sh_size &&
          wanted.size() <= strings.sh_size - symbols[k].st_name &&
          std::memcmp(base_ + strings.sh_offset + symbols[k].st_name, wanted.data(), wanted.size()) == 0)
        tohost_ = symbols[k].st_value;
  }
}

void Image::readCheckpoint(const std::string &path) {
  const auto *header = reinterpret_cast<const CheckpointHeader *>(base_);
  if (header->version != NHG_CHECKPOINT_VERSION)
    throw std::runtime_error(path + ": checkpoint version " + std::to_string(header->version) + ", expected " +
                             std::to_string(NHG_CHECKPOINT_VERSION) + "; take it again");
  const auto *table = reinterpret_cast<const CheckpointSegment *>(base_ + sizeof *header);
  if (header->segments > (bytes_ - sizeof *header) / sizeof *table)
    throw std::runtime_error(path + ": truncated checkpoint; take it again");
  for (uint64_t i = 0; i < header->segments; i++) {
    if (table[i].fileOffset > bytes_ || table[i].bytes > bytes_ - table[i].fileOffset)
      throw std::runtime_error(path + ": truncated checkpoint; take it again");
    segments_.push_back({table[i].address, table[i].bytes, base_ + table[i].fileOffset, table[i].bytes});
  }
  reset_pc_ = header->resetPc;
  instret_ = header->instret;
  is_checkpoint_ = true;
}

} // namespace nhg
