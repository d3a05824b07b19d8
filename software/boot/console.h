// SPDX-License-Identifier: Apache-2.0
//
// The UART: text goes out by polling until console_start_interrupts(), then from a queue by interrupt of the PLIC.
#ifndef NHG_BOOT_CONSOLE_H
#define NHG_BOOT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void console_start_interrupts(void);
// Serves an external interrupt; false: it is not the UART's.
bool console_interrupt(void);
// What is queued goes out: by interrupts, or by polling.
void console_drain(void);
void console_flush(void);

void console_write(const char *text, size_t bytes);
void print(const char *text);
void print_number(uint64_t value);
void print_hex(uint64_t value);
// A number with three decimals, of thousandths.
void print_thousandths(uint64_t value);
#endif
