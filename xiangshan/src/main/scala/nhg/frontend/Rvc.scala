// SPDX-License-Identifier: Apache-2.0
package nhg.frontend

import chisel3._
import chisel3.util._

/** RVC expansion for RV64C. Reserved encodings become 0, which is an illegal 32-bit instruction. */
object Rvc {
  private val opImm = "b0010011".U(7.W)
  private val opImm32 = "b0011011".U(7.W)
  private val op = "b0110011".U(7.W)
  private val op32 = "b0111011".U(7.W)
  private val load = "b0000011".U(7.W)
  private val store = "b0100011".U(7.W)
  private val loadFp = "b0000111".U(7.W)
  private val storeFp = "b0100111".U(7.W)
  private val branch = "b1100011".U(7.W)
  private val lui = "b0110111".U(7.W)
  private val jal = "b1101111".U(7.W)
  private val jalr = "b1100111".U(7.W)
  private val word = 2.U(3.W)
  private val double = 3.U(3.W)
  private val x0 = 0.U(5.W)
  private val ra = 1.U(5.W)
  private val sp = 2.U(5.W)
  private val illegal = 0.U(32.W)

  private def iType(imm: UInt, rs1: UInt, funct3: UInt, rd: UInt, opcode: UInt) = Cat(imm.pad(12), rs1, funct3, rd, opcode)
  private def sType(imm: UInt, rs2: UInt, rs1: UInt, funct3: UInt, opcode: UInt = store) = {
    val wide = imm.pad(12)
    Cat(wide(11, 5), rs2, rs1, funct3, wide(4, 0), opcode)
  }
  private def rType(funct7: UInt, rs2: UInt, rs1: UInt, funct3: UInt, rd: UInt, opcode: UInt) =
    Cat(funct7, rs2, rs1, funct3, rd, opcode)

  /** @param c 16 bits with c(1,0) =/= 3
    * @return the 32-bit instruction
    */
  def expand(c: UInt): UInt = {
    val rd = c(11, 7)
    val rs2 = c(6, 2)
    val rdPrime = Cat(1.U(2.W), c(4, 2)) // also rs2'
    val rs1Prime = Cat(1.U(2.W), c(9, 7))
    val imm6 = Cat(Fill(7, c(12)), c(6, 2)) // sign-extended to 12
    val shift = Cat(c(12), c(6, 2))
    val imm6Zero = shift === 0.U

    val spImm = Cat(c(10, 7), c(12, 11), c(5), c(6), 0.U(2.W))
    val addi4spn = Mux(c(12, 5) === 0.U, illegal, iType(spImm, sp, 0.U(3.W), rdPrime, opImm))
    val wordOffset = Cat(c(5), c(12, 10), c(6), 0.U(2.W))
    val doubleOffset = Cat(c(6, 5), c(12, 10), 0.U(3.W))
    val quadrant0 = MuxLookup(
      c(15, 13),
      illegal,
      Seq(
        0.U -> addi4spn,
        1.U -> iType(doubleOffset, rs1Prime, double, rdPrime, loadFp),
        2.U -> iType(wordOffset, rs1Prime, word, rdPrime, load),
        3.U -> iType(doubleOffset, rs1Prime, double, rdPrime, load),
        5.U -> sType(doubleOffset, rdPrime, rs1Prime, double, storeFp),
        6.U -> sType(wordOffset, rdPrime, rs1Prime, word),
        7.U -> sType(doubleOffset, rdPrime, rs1Prime, double)
      )
    )

    val sp16 = Cat(Fill(3, c(12)), c(4, 3), c(5), c(2), c(6), 0.U(4.W))
    val luiOrSp = Mux(imm6Zero, illegal, Mux(rd === 2.U, iType(sp16, sp, 0.U(3.W), sp, opImm), Cat(Fill(15, c(12)), c(6, 2), rd, lui)))
    val jumpOffset = Cat(Fill(10, c(12)), c(8), c(10, 9), c(6), c(7), c(2), c(11), c(5, 3)) // bits 20 … 1
    val jump = Cat(jumpOffset(19), jumpOffset(9, 0), jumpOffset(10), jumpOffset(18, 11), x0, jal)
    val branchOffset = Cat(Fill(5, c(12)), c(6, 5), c(2), c(11, 10), c(4, 3)) // bits 12 … 1
    def compare(funct3: UInt) =
      Cat(branchOffset(11), branchOffset(9, 4), x0, rs1Prime, funct3, branchOffset(3, 0), branchOffset(10), branch)
    val registerOp = Mux(
      c(12),
      MuxLookup(
        c(6, 5),
        illegal,
        Seq(
          0.U -> rType("b0100000".U(7.W), rdPrime, rs1Prime, 0.U(3.W), rs1Prime, op32), // subw
          1.U -> rType(0.U(7.W), rdPrime, rs1Prime, 0.U(3.W), rs1Prime, op32) // addw
        )
      ),
      MuxLookup(
        c(6, 5),
        illegal,
        Seq(
          0.U -> rType("b0100000".U(7.W), rdPrime, rs1Prime, 0.U(3.W), rs1Prime, op), // sub
          1.U -> rType(0.U(7.W), rdPrime, rs1Prime, 4.U(3.W), rs1Prime, op), // xor
          2.U -> rType(0.U(7.W), rdPrime, rs1Prime, 6.U(3.W), rs1Prime, op), // or
          3.U -> rType(0.U(7.W), rdPrime, rs1Prime, 7.U(3.W), rs1Prime, op) // and
        )
      )
    )
    val arithmetic = MuxLookup(
      c(11, 10),
      illegal,
      Seq(
        0.U -> iType(shift, rs1Prime, 5.U(3.W), rs1Prime, opImm), // srli
        1.U -> iType(Cat("b010000".U(6.W), shift), rs1Prime, 5.U(3.W), rs1Prime, opImm), // srai
        2.U -> iType(imm6, rs1Prime, 7.U(3.W), rs1Prime, opImm), // andi
        3.U -> registerOp
      )
    )
    val quadrant1 = MuxLookup(
      c(15, 13),
      illegal,
      Seq(
        0.U -> iType(imm6, rd, 0.U(3.W), rd, opImm),
        1.U -> Mux(rd === 0.U, illegal, iType(imm6, rd, 0.U(3.W), rd, opImm32)),
        2.U -> iType(imm6, x0, 0.U(3.W), rd, opImm),
        3.U -> luiOrSp,
        4.U -> arithmetic,
        5.U -> jump,
        6.U -> compare(0.U(3.W)),
        7.U -> compare(1.U(3.W))
      )
    )

    val jumpOrMove = Mux(
      rs2 =/= 0.U,
      Mux(c(12), rType(0.U(7.W), rs2, rd, 0.U(3.W), rd, op), rType(0.U(7.W), rs2, x0, 0.U(3.W), rd, op)),
      Mux(
        rd === 0.U,
        Mux(c(12), "h00100073".U(32.W), illegal), // ebreak
        iType(0.U(12.W), rd, 0.U(3.W), Mux(c(12), ra, x0), jalr)
      )
    )
    val wordSpLoad = Cat(c(3, 2), c(12), c(6, 4), 0.U(2.W))
    val doubleSpLoad = Cat(c(4, 2), c(12), c(6, 5), 0.U(3.W))
    val doubleSpStore = Cat(c(9, 7), c(12, 10), 0.U(3.W))
    val quadrant2 = MuxLookup(
      c(15, 13),
      illegal,
      Seq(
        0.U -> iType(shift, rd, 1.U(3.W), rd, opImm),
        1.U -> iType(doubleSpLoad, sp, double, rd, loadFp),
        2.U -> Mux(rd === 0.U, illegal, iType(wordSpLoad, sp, word, rd, load)),
        3.U -> Mux(rd === 0.U, illegal, iType(doubleSpLoad, sp, double, rd, load)),
        4.U -> jumpOrMove,
        5.U -> sType(doubleSpStore, rs2, sp, double, storeFp),
        6.U -> sType(Cat(c(8, 7), c(12, 9), 0.U(2.W)), rs2, sp, word),
        7.U -> sType(doubleSpStore, rs2, sp, double)
      )
    )
    MuxLookup(c(1, 0), illegal, Seq(0.U -> quadrant0, 1.U -> quadrant1, 2.U -> quadrant2))
  }
}

/** One expander: `inst` is `raw`, or its expansion if its low bits say it is compressed. */
class RvcExpander extends Module {
  val io = IO(new Bundle {
    val raw = Input(UInt(32.W))
    val inst = Output(UInt(32.W))
  })
  io.inst := Mux(io.raw(1, 0) === 3.U, io.raw, Rvc.expand(io.raw(15, 0)))
}
