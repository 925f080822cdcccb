import PhotoMetadata
import Testing

/// Tables of HEIC and AVIF files that would take minutes, or all memory, if they were believed.
@Suite struct HostileItemTests {
  /// Extents whose offset and length have no bytes: 200 items claim 13 million of them.
  @Test func extentsWithoutBytesAreRefused() {
    let location = BoxBytes.number(1, 2) + [0, 0] + BoxBytes.number(0xFFFF, 2)
    let places = BoxBytes.full(
      "iloc", 0, [0, 0] + BoxBytes.number(200, 2) + (0..<200).flatMap { _ in location })
    let file = BoxBytes.items([(1, "hvc1")], [places])
    #expect(Anatomy.lines(of: .bytes(file)).isEmpty)
    // One extent of that kind is the whole file.
    let whole = BoxBytes.full("iloc", 0, [0, 0] + BoxBytes.number(1, 2) + [0, 1, 0, 0, 0, 1])
    #expect(
      Anatomy.lines(of: .bytes(BoxBytes.items([(1, "hvc1")], [whole]))).first?.hasPrefix("item 1")
        == true)
  }

  /// Grids by the thousand, each of tiles of its own, are looked up once.
  @Test func manyGridsAreListedWithoutTheirTiles() {
    let grids = (1...4_000).map { (number: $0, type: "grid") }
    let tiles = (4_001...8_000).map { (number: $0, type: "hvc1") }
    let references = grids.flatMap {
      BoxBytes.box(
        "dimg", BoxBytes.number($0.number, 2) + [0, 1] + BoxBytes.number($0.number + 4_000, 2))
    }
    let file = BoxBytes.items(tiles + grids, [BoxBytes.full("iref", 0, references)])
    let lines = Anatomy.lines(of: .bytes(file))
    #expect(lines.count == 60)
    #expect(lines.first == "item 1: grid, 1 tiles, the picture that is shown, made of 4001")
  }

  /// An item that is listed twice has the properties of the first entry, and a number that is none
  /// is passed over.
  @Test func propertiesAreThoseOfTheFirstEntry() {
    let size = BoxBytes.full("ispe", 0, BoxBytes.number(30, 4) + BoxBytes.number(20, 4))
    let turn = BoxBytes.box("irot", [1])
    let entries: [UInt8] = [0, 1, 2, 0x81, 9] + [0, 1, 1, 2] + [0, 7, 1, 2]
    let table = BoxBytes.full("ipma", 0, BoxBytes.number(3, 4) + entries)
    let properties = BoxBytes.box("iprp", BoxBytes.box("ipco", size + turn) + table)
    let file = BoxBytes.items([(1, "hvc1")], [properties])
    #expect(
      Anatomy.lines(of: .bytes(file)) == ["item 1: hvc1, 30x20, the picture that is shown"])
  }
}
