// SPDX-License-Identifier: Apache-2.0
#include "uart_input.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace nhg {

namespace {

// The byte at `at`, which moves on behind it; -1: an unknown escape.
int nextByte(const std::string &text, size_t &at) {
  const char c = text[at++];
  if (c != '\\')
    return uint8_t(c);
  switch (at < text.size() ? text[at++] : 0) {
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case '\\':
    return '\\';
  case 'x':
    if (at + 2 > text.size() || !isxdigit(uint8_t(text[at])) || !isxdigit(uint8_t(text[at + 1])))
      return -1;
    at += 2;
    return int(strtoul(text.substr(at - 2, 2).c_str(), nullptr, 16));
  }
  return -1;
}

} // namespace

std::vector<UartByte> readUartInput(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read the UART's input " + path + ": " + strerror(errno));
  std::vector<UartByte> bytes;
  unsigned number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string where = path + ":" + std::to_string(++number);
    if (line.empty() || line[0] == '#')
      continue;
    char *end = nullptr;
    const uint64_t cycle = strtoull(line.c_str(), &end, 10);
    if (!isdigit(uint8_t(line[0])) || *end != ' ')
      throw std::runtime_error(where + ": give a cycle, a space and text");
    if (!bytes.empty() && cycle < bytes.back().cycle)
      throw std::runtime_error(where + ": cycle " + std::to_string(cycle) + " is before that of the line above");
    for (size_t at = size_t(end - line.c_str()) + 1; at < line.size();) {
      const int byte = nextByte(line, at);
      if (byte < 0)
        throw std::runtime_error(where + R"(: unknown escape; there are \n, \r, \t, \\ and \xHH)");
      bytes.push_back({cycle, uint8_t(byte)});
    }
  }
  return bytes;
}

} // namespace nhg
