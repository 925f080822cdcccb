import FileStructure
import Testing

@testable import PhotoMetadata

/// Removes previews from MakerNotes, because they show the photo unedited.
@Suite struct MakerNoteTests {
  private static let picture: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xDA, 9, 9, 0xFF, 0xD9]

  @Test func picturesInAMakerNoteAreReplacedByZeros() {
    let note: [UInt8] = [1, 2] + Self.picture + [3, 4] + Self.picture
    let blank = Array(repeating: UInt8(0), count: Self.picture.count)
    #expect(MakerNote.withoutPictures(note) == [1, 2] + blank + [3, 4] + blank)
    // A truncated picture extends to the end of the MakerNote.
    let cut: [UInt8] = [1] + Self.picture.dropLast(2)
    #expect(MakerNote.withoutPictures(cut) == Array([1] + blank.dropLast(2)))
  }

  /// A preview at the end is cut off if a directory states its length, which becomes 0.
  @Test(arguments: [ByteOrder.little, .big])
  func theLastPictureOfAMakerNoteIsCutOff(_ order: ByteOrder) {
    func entry(_ length: Int) -> [UInt8] {
      order.bytes(0x0202, 2) + order.bytes(4, 2) + order.bytes(1, 4) + order.bytes(length, 4)
    }
    let length = Self.picture.count
    for padding in [0, 3] {
      let end = Self.picture + [UInt8](repeating: 0, count: padding)
      let note: [UInt8] = [1, 2] + entry(length) + [3, 4, 5] + end
      #expect(MakerNote.withoutPictures(note) == [1, 2] + entry(0) + [3, 4, 5])
    }
    let followed = [1, 2] + entry(length) + Self.picture + [3]
    #expect(MakerNote.withoutPictures(followed).count == followed.count)
  }

  @Test func bytesInAMakerNoteThatOnlyResembleAPictureStay() {
    for note: [UInt8] in [
      [], [0xFF], [0xFF, 0xD8, 0xFF, 0xDB, 0], [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 3, 4, 5, 6],
      [0xFF, 0xD8, 0xFF, 0x00, 0, 4, 1, 2, 0xFF, 0xDA, 0xFF, 0xD9],
      [0xFF, 0xD8, 0xFF, 0xDB, 0, 1, 0xFF, 0xFF, 0xFF, 0xD9],
    ] {
      #expect(MakerNote.withoutPictures(note) == note)
    }
  }
}
