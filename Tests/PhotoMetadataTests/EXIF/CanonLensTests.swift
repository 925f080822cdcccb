import FileStructure
import Foundation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoMetadata

/// The lens in the MakerNotes of Canon cameras.
@Suite struct CanonLensTests {
  private static let name = "EF-S18-55mm f/3.5-5.6"

  /// A photo's tags with a MakerNote at this offset of the block, written at the offset `original`.
  private static func exif(
    make: String = "Canon", at offset: Int, original: Int, hasEnd: Bool, _ order: ByteOrder
  ) -> EXIF {
    let text = Array(name.utf8) + [UInt8](repeating: 0, count: 64 - name.utf8.count)
    let start = original + 2 + 2 * 12 + 4
    var note = order.bytes(2, 2)
    note += order.bytes(0x0001, 2) + order.bytes(3, 2) + order.bytes(1, 4) + order.bytes(7, 4)
    note += order.bytes(0x0095, 2) + order.bytes(2, 2) + order.bytes(64, 4) + order.bytes(start, 4)
    note += order.bytes(0, 4) + text
    if hasEnd {
      note += Array((order == .little ? "II" : "MM").utf8) + order.bytes(42, 2)
      note += order.bytes(original, 4)
    }
    var exif = EXIF(order: order)
    exif.set(.make, text: make)
    exif.set(EXIF.Entry(tag: 0x927C, type: .undefined, bytes: note), in: .photo)
    exif.makerNoteOffset = offset
    return exif
  }

  @Test(arguments: [ByteOrder.little, .big], [true, false])
  func theNoteNamesTheLens(_ order: ByteOrder, _ hasEnd: Bool) {
    #expect(Self.exif(at: 700, original: 700, hasEnd: hasEnd, order).canonLens == Self.name)
    let other = Self.exif(make: "Other", at: 700, original: 700, hasEnd: hasEnd, order)
    #expect(other.canonLens == nil)
  }

  @Test func aNoteThatHasBeenMovedNamesTheLens() {
    #expect(Self.exif(at: 3_000, original: 700, hasEnd: true, .little).canonLens == Self.name)
    #expect(Self.exif(at: 3_000, original: 700, hasEnd: false, .little).canonLens == nil)
  }

  @Test func theLensInEXIFTakesPrecedence() {
    var metadata = Metadata()
    metadata.exif = Self.exif(at: 700, original: 700, hasEnd: true, .little)
    #expect(PhotoDetails(metadata).lens == Self.name)
    metadata.exif?.set(.lensModel, text: "Lens 35mm")
    #expect(PhotoDetails(metadata).lens == "Lens 35mm")
  }

  @Test func damagedNotesDoNotCrash() throws {
    let whole = Self.exif(at: 700, original: 700, hasEnd: true, .little)
    let note = try #require(whole[.makerNote]).bytes
    for index in note.indices {
      var damaged = [note, note]
      damaged[0][index] = 0xFF
      damaged[1] = Array(note.prefix(index))
      for bytes in damaged {
        var exif = whole
        exif.set(EXIF.Entry(tag: 0x927C, type: .undefined, bytes: bytes), in: .photo)
        _ = exif.canonLens
      }
    }
  }

  /// ExifTool reads the same lens.
  @Test(
    .enabled(if: Corpus.isHere && ExifTool.isHere),
    arguments: ["raw/canon-30d.cr2", "photos/metadata-extractor/Canon EOS 450D.jpg"])
  func theLensesOfRealPhotosAreRead(_ name: String) throws {
    let path = try #require(Corpus.folder) + "/\(name)"
    let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
    let lens = try #require(PhotoDetails(Metadata(of: .bytes(bytes))).lens)
    #expect(try ExifTool.tags(of: bytes)["Canon:LensModel"] == lens)
  }
}
