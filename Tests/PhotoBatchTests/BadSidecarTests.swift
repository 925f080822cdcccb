import Foundation
import Glibc
import PhotoLibrary
import SystemPackage
import TestRandom
import TestSupport
import Testing

@testable import PhotoBatch

/// Runs each command that reads sidecars over damaged and hostile sidecars.
@Suite struct BadSidecarTests {
  private static let sidecar = "photos/a.jpg.phbatch.json"

  /// A library with two rendered photos and a file outside of it, with the text of one photo's
  /// sidecar.
  private static func library() async throws -> (Library, text: String) {
    let place = try Library(["a.jpg", "b.jpg"])
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    let outcomes = try await place.run(options)
    #expect(outcomes.map(\.reason) == [.rendered, .rendered])
    try place.folder.write("secret", to: "outside.jpg")
    return (place, String(decoding: try place.folder.read(sidecar), as: UTF8.self))
  }

  /// Runs every command over a library with one unusable sidecar.
  ///
  /// The commands report the reason, and none changes a byte except `repair`, which renames the
  /// sidecar.
  private static func expect(
    _ reason: Reason, for bytes: [UInt8], in place: Library, _ name: String
  ) async throws {
    try place.folder.write(bytes, to: sidecar)
    try await expect(reason, in: place, name)
    #expect(try place.folder.read(sidecar) == bytes, "\(name)")
  }

  private static func expect(
    _ reason: Reason, in place: Library, _ name: String
  ) async throws {
    let before = try place.contents()
    for command in EditingCommand.allCases where command != .repair {
      let reasons = try await command.reasons(for: "a.jpg", in: place)
      #expect(try place.contents() == before, "\(name), \(command)")
      switch command {
      case .undo: #expect(reasons.isEmpty || reasons == [.modified], "\(name): \(reasons)")
      case .relink: #expect(reasons == [], "\(name)")
      default: #expect(reasons == [reason], "\(name), \(command): \(reasons)")
      }
    }
  }

  @Test func noCommandChangesATruncatedSidecar() async throws {
    let (place, text) = try await Self.library()
    let bytes = Array(text.utf8)
    // A sidecar without its last line break is still complete, so the test always removes more than
    // the last byte.
    for count in Array(stride(from: 0, to: bytes.count - 2, by: TestVolume.isWhole ? 211 : 633)) + [
      1, bytes.count - 2,
    ] {
      try await Self.expect(
        .corruptSidecar, for: Array(bytes.prefix(count)), in: place, "\(count) bytes")
    }
  }

  private static let texts: [(name: String, text: String)] = [
    ("depth 10,000", #"{"phbatch": "1.0", "x": \#(String(repeating: "[", count: 10_000))"#),
    (
      "closed depth",
      "{\"phbatch\": \"1.0\", \"x\": \(String(repeating: "[", count: 10_000))"
        + String(repeating: "]", count: 10_000) + "}"
    ),
    ("array", "[]"), ("number", "1"), ("null", "null"), ("NUL", "\u{0}"),
    ("byte-order mark", "\u{FEFF}{}"), ("two documents", "{}{}"),
  ]

  @Test func noCommandChangesASidecarWithInvalidText() async throws {
    let (place, _) = try await Self.library()
    for text in Self.texts {
      try await Self.expect(.corruptSidecar, for: Array(text.text.utf8), in: place, text.name)
    }
  }

  /// The replaced text, its replacement, and the expected reason.
  private static let changes: [(name: String, old: String, new: String, reason: Reason)] = [
    (
      "duplicate key", #""phbatch": "1.0""#, #""phbatch": "1.0", "phbatch": "1.0""#,
      .corruptSidecar
    ),
    ("deep duplicate", #""libvips""#, #""libvips": "", "libvips""#, .corruptSidecar),
    ("newer", #""phbatch": "1.0""#, #""phbatch": "2.0""#, .newerSidecar),
    ("much newer", #""phbatch": "1.0""#, #""phbatch": "99.1""#, .newerSidecar),
    ("version as number", #""phbatch": "1.0""#, #""phbatch": 1.0"#, .corruptSidecar),
    ("version as word", #""phbatch": "1.0""#, #""phbatch": "one""#, .corruptSidecar),
    ("adjustments", #""adjustments": ["#, #""adjustments": {}, "x": ["#, .corruptSidecar),
    ("base", #""base": "original""#, #""base": "other""#, .corruptSidecar),
    ("base as number", #""base": "original""#, #""base": 7"#, .corruptSidecar),
    ("identifier", #""formatIdentifier": "#, #""formatIdentifier": null, "x": "#, .corruptSidecar),
    ("settings", #""settings": "#, #""settings": [], "x": "#, .corruptSidecar),
    ("renditions", #""renditions": ["#, #""renditions": 1, "x": ["#, .corruptSidecar),
    ("file", #""file": "a.web.jpg""#, #""file": {}"#, .corruptSidecar),
    ("width as text", #""width": 400"#, #""width": "400""#, .corruptSidecar),
    ("width as fraction", #""width": 400"#, #""width": 400.5"#, .corruptSidecar),
    ("width beyond", #""width": 400"#, #""width": 1e300"#, .corruptSidecar),
    ("width infinite", #""width": 400"#, #""width": 1e400"#, .corruptSidecar),
    ("width below 0", #""width": 400"#, #""width": -400"#, .corruptSidecar),
    ("width of 2^40", #""width": 400"#, #""width": 1099511627776"#, .corruptSidecar),
    ("width of 2^62", #""width": 400"#, #""width": 4611686018427387904"#, .corruptSidecar),
    ("bytes below 0", #""bytes": "#, #""bytes": -1, "x": "#, .corruptSidecar),
    ("bytes of 2^62", #""bytes": "#, #""bytes": 4611686018427387904, "x": "#, .corruptSidecar),
    (
      "bytes of a foreign image", #""adjustments": ["#,
      #"""
      "adjustments": [ { "date": "", "formatIdentifier": "x.y", "formatVersion": "1",
        "foreign": { "kind": "aae", "file": "a.AAE", "sha256": "00",
          "current": { "file": "IMG_E.jpg", "sha256": "00", "bytes": 4611686018427387904 } } },
      """#, .corruptSidecar
    ),
    ("overrides", #""date": "#, #""overrides": [1], "date": "#, .corruptSidecar),
    ("focal point", #""phbatch": "#, #""focalPoint": [2, 3], "phbatch": "#, .corruptSidecar),
    ("foreign", #""base": "#, #""foreign": 3, "base": "#, .corruptSidecar),
    ("reverted", #""phbatch": "#, #""reverted": [3], "phbatch": "#, .corruptSidecar),
  ]

  @Test func noCommandChangesASidecarWithWrongTypesKeysOrVersions() async throws {
    let (place, text) = try await Self.library()
    for change in TestVolume.one(of: 2, Self.changes) {
      let changed = text.replacing(change.old, with: change.new)
      #expect(changed != text, "\(change.name)")
      try await Self.expect(change.reason, for: Array(changed.utf8), in: place, change.name)
    }
  }

  @Test func noCommandChangesASidecarWithInvalidUTF8() async throws {
    let (place, text) = try await Self.library()
    for bad: [UInt8] in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
      var bytes = Array(text.utf8)
      let mark = try #require(bytes.firstIndex(of: UInt8(ascii: "T")))
      bytes.replaceSubrange(mark...mark, with: bad)
      try await Self.expect(.corruptSidecar, for: bytes, in: place, "\(bad)")
    }
  }

  /// No command reads a sidecar of 100 MB, which is a sparse file here.
  @Test func hugeSidecarsAreNotRead() async throws {
    let (place, _) = try await Self.library()
    #expect(truncate(place.folder[Self.sidecar].string, 100_000_000) == 0)
    try await Self.expect(.oversizedSidecar, in: place, "100 MB")
    #expect(
      try FileManager.default.attributesOfItem(atPath: place.folder[Self.sidecar].string)[.size]
        as? Int == 100_000_000)
  }

  @Test func repairRenamesEveryKindOfDamagedSidecar() async throws {
    for text in ["", "{", #"{"phbatch": "1.0"}"#] {
      let (place, _) = try await Self.library()
      try place.folder.write(text, to: Self.sidecar)
      let original = try place.folder.read("photos/a.jpg")
      #expect(try await EditingCommand.repair.reasons(for: "a.jpg", in: place) == [.repaired])
      #expect(try place.folder.read("\(Self.sidecar).damaged") == Array(text.utf8))
      #expect(try !place.folder.files().contains(Self.sidecar))
      #expect(try place.folder.read("photos/a.jpg") == original)
    }
  }

  @Test func aRenditionThatADamagedSidecarRecordedIsNoPhoto() async throws {
    let (place, _) = try await Self.library()
    try place.folder.write("{", to: Self.sidecar)
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    let outcomes = try await place.run(options)
    #expect(
      outcomes.map { "\($0.path) \($0.reason)" } == ["a.jpg corruptSidecar", "b.jpg upToDate"])
    #expect(try place.folder.files().contains("photos/a.web.jpg"))
  }

  /// The replaced text, and a replacement with an impossible value.
  private static let oddities: [(name: String, old: String, new: String)] = [
    ("no sizes", #""width": 400"#, #""width": 0"#),
    ("huge sizes", #""width": 400"#, #""width": 2147483647"#),
    ("huge bytes", #""bytes": "#, #""bytes": 9007199254740992, "x": "#),
    ("climbing rendition", #""file": "a.web.jpg""#, #""file": "../outside.jpg""#),
    ("absolute rendition", #""file": "a.web.jpg""#, #""file": "/etc/passwd""#),
    ("climbing from the root", #""file": "a.web.jpg""#, #""file": "{root}/../outside.jpg""#),
    ("another's original", #""file": "a.web.jpg""#, #""file": "b.jpg""#),
    ("another's rendition", #""file": "a.web.jpg""#, #""file": "b.web.jpg""#),
    ("its own original", #""file": "a.web.jpg""#, #""file": "a.jpg""#),
    ("missing base", #""base": "original""#, #""base": {"file": "none.jpg", "sha256": "00"}"#),
    ("cycle", #""base": "original""#, #""base": {"file": "a.web.jpg", "sha256": "00"}"#),
    (
      "climbing base", #""base": "original""#,
      #""base": {"file": "../outside.jpg", "sha256": "00"}"#
    ),
    (
      "foreign edit out of the library", #""adjustments": ["#,
      #"""
      "adjustments": [ { "date": "", "formatIdentifier": "x.y", "formatVersion": "1",
        "foreign": { "kind": "aae", "file": "../outside.jpg", "sha256": "00",
          "current": { "file": "../outside.jpg", "sha256": "00", "bytes": 6 } } },
      """#
    ),
    ("no settings digest", #""settings": ""#, #""settings": "", "x": ""#),
    ("no date", #""date": ""#, #""date": "long ago", "x": ""#),
    ("engine", #""engine": "#, #""engine": [[[1]]], "x": "#),
    ("recipe", #""recipe": "#, #""recipe": "none", "x": "#),
    ("identifier", "org.example.stub", "../../etc"),
    ("version", #""formatVersion": "1.0.0""#, #""formatVersion": "\u0000""#),
    ("variant", #""variant": "web""#, #""variant": "../web""#),
  ]

  /// If a sidecar is readable but contains impossible values, a command changes only the files of
  /// that photo, whether it succeeds or fails.
  @Test func aSidecarWithImpossibleValuesAffectsOnlyItsOwnPhoto() async throws {
    let (place, text) = try await Self.library()
    let before = try place.contents().filter {
      !$0.key.hasPrefix("photos/a.") || $0.key.hasSuffix("/a.jpg")
    }
    for oddity in TestVolume.one(of: 2, Self.oddities) {
      let changed = text.replacing(oddity.old, with: oddity.new)
      #expect(changed != text, "\(oddity.name)")
      for command in EditingCommand.allCases {
        try place.folder.write(changed, to: Self.sidecar)
        _ = try await command.reasons(for: "a.jpg", in: place)
        let after = try place.contents()
        for (file, bytes) in before {
          #expect(after[file] == bytes, "\(oddity.name), \(command): \(file)")
        }
      }
    }
  }
}
