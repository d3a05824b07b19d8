# SPDX-License-Identifier: Apache-2.0
"""The host program: runs a program on a board, or on its simulation, and measures it.

access.py is the one interface to the board; simulated.py, jtag.py and xdma.py implement
only that. control.py speaks the contract of docs/reference/host-interface.md, session.py makes a
run of it. Python, because everything it shares is (records, units, experiments), the
work is waiting for a link, and sockets and positioned reads are in its library.
"""
