import PhotoLibrary
import Testing

@testable import PhotoBatch

/// The foreign or adopted image whose film an edit uses.
@Suite struct FilmImageTests {
  private static let name = RecordedName(bytes: Array("a.jpg".utf8))

  private static func image(_ kind: String, _ sha256: String) -> Adjustment {
    let current = ForeignRecord.Current(file: name, sha256: sha256, bytes: 1)
    let record = ForeignRecord(kind: kind, file: name, sha256: sha256, current: current)
    return Adjustment(
      foreign: record, formatIdentifier: "org.example.test", formatVersion: "1.0.0", variant: nil,
      date: "2026-01-01T00:00:00Z")
  }

  /// The library and an output folder may have different images of one name.
  ///
  /// The SHA-256 decides; if no record has it, the newest record of that name is used.
  @Test(arguments: [("1", "aae"), ("2", ForeignRecord.adopted), ("3", ForeignRecord.adopted)])
  func theImageIsFoundByNameAndDigest(_ sha256: String, _ kind: String) {
    let images = [Self.image("aae", "1"), Self.image(ForeignRecord.adopted, "2")]
    #expect(images.image(under: .rendition(Self.name, sha256: sha256))?.kind == kind)
  }
}
