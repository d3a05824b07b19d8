# SPDX-License-Identifier: Apache-2.0
"""Mistakes planted in the hardware, each of which its tests must find."""
