// SPDX-License-Identifier: Apache-2.0
package amu

import chisel3._
import chiseltest.iotesters.PeekPokeTester
import scala.collection.mutable

/** Signals of the device under test: `pins(signal)` reads, `pins(signal) = value` drives (only when the value changes). */
class Pins(tester: PeekPokeTester[_ <: Module]) {
  private val driven = mutable.HashMap.empty[Bits, BigInt]

  def apply(signal: UInt): BigInt = tester.peek(signal)
  def is(signal: Bool): Boolean = tester.peek(signal) != 0
  def update(signal: UInt, value: BigInt): Unit = if (driven.put(signal, value) != Some(value)) tester.poke(signal, value)
  def update(signal: Bool, value: Boolean): Unit = update(signal: UInt, BigInt(if (value) 1 else 0))
  def step(): Unit = tester.step(1)
  def reset(): Unit = tester.reset(2)
}
