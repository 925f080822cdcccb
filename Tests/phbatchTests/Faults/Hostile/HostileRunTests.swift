import Foundation
import TestRandom
import TestSupport
import Testing
import Vips

/// Runs the command over folders of damaged photos.
///
/// The random changes of each folder have their own seed number. `PHBATCH_SEEDS=20-39` replaces the
/// usual seed numbers; `make soak` uses eighty of them.
@Suite(.serialized) struct HostileRunTests {
  private static let filesInAFolder = 250

  private static let seeds: ClosedRange<UInt64> = {
    let text = ProcessInfo.processInfo.environment["PHBATCH_SEEDS"] ?? ""
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : 0...1
  }()

  /// The reasons that a run may give for a damaged photo.
  private static let reasons: Set<String> = [
    "rendered", "unreadable", "truncated", "decoder-crash", "timeout", "out-of-memory", "too-large",
    "unsupported-format",
  ]

  @Test(arguments: seeds) func eachDamagedPhotoFailsAloneAndNoRenditionIsIncomplete(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: 20_000 + seed)
    let kinds = try HostileSeed.all.get()
    let place = try Workplace([])
    try place.recipe()
    var files: [String: HostileFile] = [:]
    for number in 0..<Self.filesInAFolder {
      let file = HostileFile(number, of: kinds, &random)
      let name = "\(number).\(file.seed.name)"
      try place.folder.write(file.bytes, to: "photos/\(name)")
      files[name] = file
    }
    let before = try place.snapshot()

    let result = try place.run("recipe", "--timeout", "300", "--format", "json")
    #expect(result.code == 3, "\(result.messages.suffix(2_000))")
    let reasons = try Self.onlyReasons(result)
    #expect(Set(reasons.keys) == Set(files.keys))
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    #expect(try place.leftovers() == [])

    let whole = try Self.renditions(of: files.filter { $1.change == .none }, after)
    for (name, file) in files {
      let reason = reasons[name] ?? "none"
      #expect(Self.reasons.contains(reason), "\(name), \(file.change): \(reason)")
      if file.change == .none { #expect(reason == "rendered", "\(name)") }
      let written = after[Self.rendition(of: name)]?.bytes
      #expect((written != nil) == (reason == "rendered"), "\(name), \(file.change): \(reason)")
      #expect((after["\(name).phbatch.json"] != nil) == (written != nil), "\(name)")
      guard let written else { continue }
      try Self.checkWhole(written, name, after)
      // A truncated file is rendered only if no part of its picture is missing.
      if file.change == .truncated { #expect(written == whole[file.seed.name], "\(name)") }
    }
    let verified = try Command.run(["verify", place.library])
    #expect(verified.code == 0, "\(verified.output) \(verified.messages)")
    let counts = Dictionary(reasons.values.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0 < $1 }
    for (reason, count) in counts { print("hostile: \(count) \(reason)") }
  }

  /// The reason for each photo; a photo that is reported twice is a failure.
  private static func onlyReasons(_ result: CommandResult) throws -> [String: String] {
    var reasons: [String: String] = [:]
    for event in try result.events where event["event"] as? String == "asset-done" {
      let name = event["file"] as? String ?? ""
      #expect(reasons[name] == nil, "\(name) twice")
      reasons[name] = event["reason"] as? String
    }
    return reasons
  }

  private static func rendition(of name: String) -> String {
    "\(URL(filePath: name).deletingPathExtension().lastPathComponent).web.jpg"
  }

  /// The renditions of the unchanged photos, by format.
  private static func renditions(
    of files: [String: HostileFile], _ found: [String: FileFacts]
  ) throws -> [String: [UInt8]] {
    var renditions: [String: [UInt8]] = [:]
    for (name, file) in files {
      let bytes = try #require(found[rendition(of: name)]?.bytes, "\(name)")
      let image = try Image.load(from: Source(bytes: bytes))
      #expect(image.width == HostileSeed.size.width && image.height == HostileSeed.size.height)
      renditions[file.seed.name] = bytes
    }
    return renditions
  }

  /// Checks that a rendition decodes to its last row, and has the size that its sidecar records.
  private static func checkWhole(
    _ rendition: [UInt8], _ name: String, _ found: [String: FileFacts]
  ) throws {
    #expect(rendition.suffix(2) == [0xFF, 0xD9], "\(name)")
    let strict: [String: Argument] = ["fail-on": .choice("warning")]
    let decoded = try? Image.load(from: Source(bytes: rendition), strict).materialized()
    let image = try #require(decoded, "\(name) has a rendition that does not decode")
    let sidecar = Data(try #require(found["\(name).phbatch.json"]?.bytes))
    let text = String(decoding: sidecar, as: UTF8.self)
    #expect(text.contains("\"width\": \(image.width)"), "\(name)")
    #expect(text.contains("\"height\": \(image.height)"), "\(name)")
  }
}
