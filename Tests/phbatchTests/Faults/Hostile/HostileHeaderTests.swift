import TestSupport
import Testing

/// Hostile files of kinds that are known to crash other programs; each test is named after its
/// kind.
@Suite struct HostileHeaderTests {
  /// Runs the command over hostile files beside a good photo, and returns the reason for each
  /// hostile file.
  private static func reasons(
    _ files: [String: [UInt8]], more: String = "",
    output: String = #""name": "web", "format": "jpeg""#
  ) throws -> (reasons: [String: String], place: Workplace) {
    let place = try Workplace(["good.jpg"])
    try place.recipe(output: output, more: more)
    for (name, bytes) in files { try place.folder.write(bytes, to: "photos/\(name)") }
    let before = try place.snapshot()
    let result = try place.run("recipe", "--timeout", "300", "--format", "json")
    var reasons = try result.reasons
    #expect(reasons.removeValue(forKey: "good.jpg") == "rendered")
    #expect(Set(reasons.keys) == Set(files.keys))
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    #expect(try place.leftovers() == [])
    for (name, reason) in reasons where reason != "rendered" {
      #expect(after["\(name).phbatch.json"] == nil, "\(name)")
    }
    return (reasons, place)
  }

  @Test func picturesWithoutPixelsAreRefused() throws {
    let files = [
      "a.png": HostileHeader.png(0, 5), "b.png": HostileHeader.png(5, 0),
      "c.jpg": try HostileHeader.jpeg(0, 16), "d.jpg": try HostileHeader.jpeg(16, 0),
      "f.tiff": HostileHeader.tiff(0, 4),
      "g.tiff": HostileHeader.tiff(4, 0),
    ]
    for (name, reason) in try Self.reasons(files).reasons {
      #expect(["unreadable", "truncated"].contains(reason), "\(name): \(reason)")
    }
  }

  /// Headers that state large sizes without pixels are refused before memory is allocated.
  @Test func headersThatState64ThousandPixelsAreRefused() throws {
    let files = [
      "a.png": HostileHeader.png(65_536, 65_536),
      "b.png": HostileHeader.png(0x7FFF_FFFF, 0x7FFF_FFFF),
      "c.jpg": try HostileHeader.jpeg(65_535, 65_535), "d.gif": HostileHeader.gif(65_535, 65_535),
      "e.tiff": HostileHeader.tiff(65_536, 65_536), "f.tiff": HostileHeader.tiff(0x7FFF_FFFF, 2),
    ]
    for (name, reason) in try Self.reasons(files).reasons {
      #expect(["too-large", "unreadable", "truncated"].contains(reason), "\(name): \(reason)")
    }
  }

  /// If a file is valid in two formats, its first bytes decide its format, not its name or the
  /// bytes that follow.
  @Test func aFileThatIsValidInTwoFormatsIsReadByItsFirstBytes() throws {
    let jpeg = try SyntheticPhoto.jpeg(width: 30, height: 20)
    let png = try SyntheticPhoto.png(width: 30, height: 20)
    let archive: [UInt8] = [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 40)
    let script = Array("<script>alert(1)</script><?php system('id'); ?>".utf8)
    let page = Array("%PDF-1.7\n1 0 obj\n".utf8)
    let files = [
      "archive.jpg": jpeg + archive, "script.jpg": HostileHeader.jpeg(jpeg, adding: 0xFE, script),
      "page.jpg": HostileHeader.jpeg(jpeg, adding: 0xFE, page), "two.jpg": jpeg + png,
      "wrong.png": jpeg, "mistaken.gif": png, "tail.png": png + script,
      "page first.jpg": page + jpeg,
      "script first.jpg": script + jpeg,
    ]
    let (reasons, place) = try Self.reasons(files)
    for (name, reason) in reasons {
      #expect(reason == (name.contains("first") ? "unreadable" : "rendered"), "\(name)")
      guard reason == "rendered" else { continue }
      // The rendition contains no bytes of the file's second format.
      let stem = String(name.prefix { $0 != "." })
      let made = try place.snapshot().filter {
        $0.key.hasPrefix("\(stem).") && $0.key.contains(".web.")
      }
      for (file, facts) in made {
        let bytes = facts.bytes ?? []
        #expect(bytes.suffix(2) == [0xFF, 0xD9], "\(file)")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("alert"), "\(file)")
      }
    }
  }

  /// A photo with an invalid ICC profile is rendered like a photo without a profile.
  @Test func aPhotoWithACorruptICCProfileIsStillRendered() throws {
    let jpeg = try SyntheticPhoto.jpeg(width: 30, height: 20)
    func photo(_ profile: [UInt8]) -> [UInt8] {
      HostileHeader.jpeg(jpeg, adding: 0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile)
    }
    /// An ICC profile: a header, and tags with these offsets and sizes.
    func profile(_ tags: [(offset: Int, size: Int)], length: Int? = nil) -> [UInt8] {
      func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
      let names = ["rTRC", "gTRC", "bTRC", "rXYZ", "gXYZ", "bXYZ", "desc", "wtpt"]
      let table = zip(names, tags).flatMap { Array($0.utf8) + word($1.offset) + word($1.size) }
      let body = word(tags.count) + table + [UInt8](repeating: 0, count: 64)
      let head =
        [UInt8](repeating: 0, count: 12) + Array("mntrRGB XYZ ".utf8)
        + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
      return word(length ?? 128 + body.count) + head.dropFirst(4) + [0, 0, 0, 0] + body
    }
    let files = [
      "empty.jpg": photo([]), "short.jpg": photo(Array(profile([]).prefix(100))),
      "length.jpg": photo(profile([(132, 12)], length: 0x7FFF_FFFF)),
      "outside.jpg": photo(profile([(0x7FFF_FFF0, 0x7FFF_FFF0)])),
      // The tags overlap the tag table and one another.
      "cyclic.jpg": photo(
        profile([(128, 96), (132, 96), (128, 96), (0, 228), (132, 12), (128, 100)])),
      "many.jpg": photo(Array(profile([]).prefix(128)) + [0xFF, 0xFF, 0xFF, 0xFF]),
    ]
    for (name, reason) in try Self.reasons(files).reasons {
      #expect(reason == "rendered", "\(name)")
    }
  }

  /// Photos whose metadata has directories that refer to one another, invalid texts, or lengths of
  /// 4 GB are still rendered.
  @Test(arguments: ["archive", "web"]) func aPhotoWithCorruptMetadataIsStillRendered(
    _ policy: String
  ) throws {
    let jpeg = try SyntheticPhoto.jpeg(width: 30, height: 20)
    let exif = Array("Exif\0\0".utf8)
    let loop: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0] + [0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]
      + [0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] + [8, 0, 0, 0]
    let texts: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + [0x3B, 0x01, 2, 0, 6, 0, 0, 0, 26, 0, 0, 0]
      + [0, 0, 0, 0] + [0xC3, 0x28, 0xFF, 0xFE, 0xED, 0]
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><a>"
    let more = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    let files = [
      "loop.jpg": HostileHeader.jpeg(jpeg, adding: 0xE1, exif + loop),
      "texts.jpg": HostileHeader.jpeg(jpeg, adding: 0xE1, exif + texts),
      "packet.jpg": HostileHeader.jpeg(
        jpeg, adding: 0xE1, xmp + Array(packet.utf8) + [0xFF, 0xC0, 0x80]),
      "long.jpg": HostileHeader.jpeg(
        jpeg, adding: 0xE1,
        more + [UInt8](repeating: 0x41, count: 32) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 1]),
    ]
    let output = #""name": "web", "format": "jpeg", "metadata": "\#(policy)""#
    for (name, reason) in try Self.reasons(files, output: output).reasons {
      #expect(reason == "rendered", "\(name)")
    }
  }

  /// The first frame of a GIF file with ten thousand frames is rendered like any photo; all frames
  /// together exceed the limit.
  @Test func aGIFOfTenThousandFramesGivesItsFirstFrameOrExceedsTheLimit() throws {
    let files = ["a.gif": HostileHeader.animation(frames: 10_000)]
    #expect(try Self.reasons(files).reasons == ["a.gif": "rendered"])
    let (reasons, place) = try Self.reasons(
      files, more: #""inputs": {"frames": "all"},"#, output: #""name": "web", "format": "gif""#)
    #expect(reasons == ["a.gif": "too-large"])
    let said = try place.run()
    #expect((said.output + said.messages).contains("more than the limit of 256"))
  }
}
