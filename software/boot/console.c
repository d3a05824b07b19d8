// SPDX-License-Identifier: Apache-2.0
#include "console.h"
#include "boot.h"

enum { TransmitInterrupt = 1 << 1, TransmitterEmpty = 1 << 5 };
enum { QueueBytes = 1024 }; // a power of two

static char queue[QueueBytes];
static unsigned head, tail; // of the queue: what goes out next, and where the next byte goes
static bool by_interrupt;

static volatile uint32_t *device(uint64_t address) { return (volatile uint32_t *)address; }

static void send(char c) {
  while (!(*device(NHG_UART_LINE_STATUS) & TransmitterEmpty)) {
  }
  *device(NHG_UART_DATA) = (unsigned char)c;
}

// As much of the queue as the transmitter holds; an empty queue needs no more interrupts.
static void send_some(void) {
  for (unsigned i = 0; i < NHG_UART_FIFO_BYTES && head != tail; i++)
    send(queue[head++ % QueueBytes]);
  *device(NHG_UART_INTERRUPT_ENABLE) = head != tail ? TransmitInterrupt : 0;
}

void console_start_interrupts(void) {
  device(NHG_PLIC_PRIORITY)[NHG_PLIC_UART_SOURCE] = 1;
  *device(NHG_PLIC_ENABLE_SUPERVISOR) = 1 << NHG_PLIC_UART_SOURCE;
  *device(NHG_PLIC_THRESHOLD_SUPERVISOR) = 0;
  by_interrupt = true;
}

bool console_interrupt(void) {
  const uint32_t source = *device(NHG_PLIC_CLAIM_SUPERVISOR);
  if (source != NHG_PLIC_UART_SOURCE)
    return source == 0;                 // of one that has gone meanwhile
  (void)*device(NHG_UART_INTERRUPT_ID); // acknowledges
  send_some();
  *device(NHG_PLIC_CLAIM_SUPERVISOR) = source;
  return true;
}

void console_drain(void) {
  while (head != tail)
    sleep();
}

void console_flush(void) {
  while (head != tail)
    send_some();
}

void console_write(const char *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    if (!by_interrupt) {
      send(text[i]);
      continue;
    }
    while (tail - head == QueueBytes)
      send_some();
    queue[tail % QueueBytes] = text[i];
    tail++;
  }
  if (by_interrupt)
    *device(NHG_UART_INTERRUPT_ENABLE) = TransmitInterrupt;
}

void print(const char *text) {
  size_t bytes = 0;
  while (text[bytes])
    bytes++;
  console_write(text, bytes);
}

static void print_in_base(uint64_t value, unsigned base, unsigned least) {
  char digits[24];
  unsigned at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value || sizeof digits - at < least);
  console_write(digits + at, sizeof digits - at);
}

void print_number(uint64_t value) { print_in_base(value, 10, 1); }

void print_hex(uint64_t value) {
  print("0x");
  print_in_base(value, 16, 1);
}

void print_thousandths(uint64_t value) {
  print_number(value / 1000);
  print(".");
  print_in_base(value % 1000, 10, 3);
}
