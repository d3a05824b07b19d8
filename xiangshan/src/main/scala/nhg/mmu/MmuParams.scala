// SPDX-License-Identifier: Apache-2.0
package nhg.mmu

/** Sizes of the TLBs, as in the public NANHU-G.
  *
  * @param fetch, load, store the TLBs of the units; that of stores serves the AMU, too
  * @param sectors, superpages of the L2 TLB: lines of eight pages of 4 KiB, and 2 MiB an entry
  * @param lastTables, middleTables of the page-walk cache: tables of 4 KiB and of 2 MiB pages
  * @param walks at a time
  */
case class MmuParams(
    fetch: TlbParams = TlbParams(pages = TableSize(1, 4), superpages = TableSize(1, 2)),
    load: TlbParams = TlbParams(pages = TableSize(16, 1), superpages = TableSize(1, 4)),
    store: TlbParams = TlbParams(pages = TableSize(16, 1), superpages = TableSize(1, 4)),
    sectors: TableSize = TableSize(8, 4),
    superpages: TableSize = TableSize(1, 2),
    lastTables: TableSize = TableSize(4, 4),
    middleTables: TableSize = TableSize(1, 4),
    walks: Int = 6
) {
  require(walks >= 2, s"$walks walks at a time")
}

object MmuParams {
  /** With an L2 TLB of 2,048 pages and 1,024 superpages: 2 GiB by superpages of 2 MiB. */
  val large: MmuParams = {
    val data = TlbParams(pages = TableSize(64, 1), superpages = TableSize(1, 16))
    MmuParams(load = data, store = data, sectors = TableSize(64, 4), superpages = TableSize(256, 4), lastTables = TableSize(16, 4))
  }
}
