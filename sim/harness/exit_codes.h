// SPDX-License-Identifier: Apache-2.0
//
// Exit codes of nhg-sim besides the program's own values.
#ifndef NHG_EXIT_CODES_H
#define NHG_EXIT_CODES_H

namespace nhg {

constexpr int kExitFirstOwn = 240;  // a program's value above 239 is reported as 239
constexpr int kExitBadInput = 240;  // command line, image or output file
constexpr int kExitWatchdog = 241;  // no instruction for too long
constexpr int kExitMismatch = 242;  // the golden model disagrees
constexpr int kExitMaxCycles = 243; // --max-cycles reached
constexpr int kExitAssertion = 244; // an assertion of the RTL or $fatal

} // namespace nhg
#endif
