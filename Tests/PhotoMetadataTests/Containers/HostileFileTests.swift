import FileStructure
import Foundation
import PhotoMetadata
import TestRandom
import TestSupport
import Testing

/// Damaged files give fewer facts, but cause no crash and no endless loop.
@Suite struct HostileFileTests {
  private static func mutated(_ file: [UInt8], _ numbers: inout SeededGenerator) -> [UInt8] {
    var file = file
    for _ in 0..<Int.random(in: 1...6, using: &numbers) {
      let head = min(file.count, 6_000)
      let place = Int.random(in: 0..<head, using: &numbers)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: file[place] = 0xFF
      case 1: file[place] = 0
      case 2: for index in place..<min(head, place + 4) { file[index] = 0xFF }
      case 3: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      case 4: file.removeSubrange(place..<min(file.count, place + 7))
      default: file.insert(contentsOf: [0x80, 0, 0, 0], at: place)
      }
      if file.count < 64 { break }
    }
    if numbers.next() % 8 == 0 {
      file.removeLast(Int.random(in: 0..<file.count, using: &numbers))
    }
    return file
  }

  @Test(.enabled(if: ExifTool.isHere)) func randomlyChangedFilesAreReadAndWrittenWithoutACrash()
    throws
  {
    let metadata = Metadata(of: .bytes(try Specimen.full.get()))
    let files = try Specimen.formats.map { try metadata.embedded(in: Specimen.plain($0)) }
    var numbers = SeededGenerator(seed: 7)
    for round in 0..<2_000 {
      let file = Self.mutated(files[round % files.count], &numbers)
      let found = Metadata(of: .bytes(file))
      _ = try? found.embedded(in: file)
      _ = try found.embedded(in: Specimen.plain(Specimen.formats[round % 4]))
    }
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: Specimen.formats)
  func everyTruncatedFileIsReadWithoutACrash(_ format: String) throws {
    let metadata = Metadata(of: .bytes(try Specimen.full.get()))
    let file = try metadata.embedded(in: Specimen.plain(format))
    for length in stride(from: 0, to: file.count, by: max(1, file.count / 400)) {
      let found = Metadata(of: .bytes(Array(file.prefix(length))))
      _ = try? found.embedded(in: Array(file.prefix(length)))
    }
  }

  @Test func exifDirectoriesThatPointToThemselvesAreReadOnce() {
    // IFD0 at offset 8. Its Exif pointer, its GPS pointer and its next directory all point to IFD0
    // itself.
    let exif: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0] + [0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]
      + [0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] + [8, 0, 0, 0]
    let metadata = Metadata(of: .bytes(exif))
    #expect(metadata.exif == nil)
  }

  @Test func anExifTagThatStatesAHugeCountAllocatesNoMemory() {
    // An ASCII tag that states 4 GB, in a directory that states 65,535 entries.
    let exif: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF]
      + [0x3B, 0x01, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 8, 0, 0, 0]
    #expect(Metadata(of: .bytes(exif)).exif == nil)
  }

  @Test(.enabled(if: Corpus.isHere)) func theDamagedFilesOfTheCorpusAreReadWithoutACrash() throws {
    for path in Corpus.files(below: "broken") {
      let descriptor = open(path, O_RDONLY)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      _ = Metadata(of: .descriptor(descriptor))
    }
  }
}
