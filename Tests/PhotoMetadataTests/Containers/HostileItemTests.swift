import FileStructure
import PhotoMetadata
import Testing

/// Damaged tables of HEIC and AVIF files that could take minutes or all memory to read.
@Suite struct HostileItemTests {
  /// A table is refused if offsets and lengths of its extents take no bytes, because 200 items
  /// could then have 13 million extents.
  @Test func aTableOfItemExtentsWithoutBytesIsRefused() {
    let location = BoxBytes.number(1, 2) + [0, 0] + BoxBytes.number(0xFFFF, 2)
    let places = BoxBytes.full(
      "iloc", 0, [0, 0] + BoxBytes.number(200, 2) + (0..<200).flatMap { _ in location })
    let file = BoxBytes.items([(1, "hvc1")], [places])
    #expect(ContainerDescription.lines(of: .bytes(file)).isEmpty)
    // A single extent without offset and length is valid, and means the whole file.
    let whole = BoxBytes.full("iloc", 0, [0, 0] + BoxBytes.number(1, 2) + [0, 1, 0, 0, 0, 1])
    #expect(
      ContainerDescription.lines(of: .bytes(BoxBytes.items([(1, "hvc1")], [whole]))).first?
        .hasPrefix("item 1")
        == true)
  }

  /// The description of a file with 4,000 grids, each with its own tile, lists the grids without
  /// their tiles.
  @Test func manyGridPicturesAreListedWithoutTheirTiles() {
    let grids = (1...4_000).map { (number: $0, type: "grid") }
    let tiles = (4_001...8_000).map { (number: $0, type: "hvc1") }
    let references = grids.flatMap {
      BoxBytes.box(
        "dimg", BoxBytes.number($0.number, 2) + [0, 1] + BoxBytes.number($0.number + 4_000, 2))
    }
    let file = BoxBytes.items(tiles + grids, [BoxBytes.full("iref", 0, references)])
    let lines = ContainerDescription.lines(of: .bytes(file))
    #expect(lines.count == 60)
    #expect(lines.first == "item 1: grid, 1 tiles, the primary picture, made of 4001")
  }

  /// If the property table has two entries for an item, the first is used; property numbers without
  /// a property are ignored.
  @Test func theFirstPropertyEntryOfAnItemIsUsed() {
    let size = BoxBytes.full("ispe", 0, BoxBytes.number(30, 4) + BoxBytes.number(20, 4))
    let turn = BoxBytes.box("irot", [1])
    let entries: [UInt8] = [0, 1, 2, 0x81, 9] + [0, 1, 1, 2] + [0, 7, 1, 2]
    let table = BoxBytes.full("ipma", 0, BoxBytes.number(3, 4) + entries)
    let properties = BoxBytes.box("iprp", BoxBytes.box("ipco", size + turn) + table)
    let file = BoxBytes.items([(1, "hvc1")], [properties])
    #expect(
      ContainerDescription.lines(of: .bytes(file)) == ["item 1: hvc1, 30x20, the primary picture"])
  }
}
