import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Masks from pictures that a camera stored in addition to the photo: mattes and depth.
@Suite struct AuxiliaryMaskTests {
  private static let size = Size(96, 64)

  /// A smooth photo, which resampling hardly changes.
  private static let photo = Samples(96, 64) { x, y in [40 + x / 2, 60 + y, 90 - y / 2] }
  /// A map of nearness, which increases to the right and downwards.
  ///
  /// Auxiliary pictures of real files usually have half the photo's size.
  private static let nearness = Samples(96, 64) { x, y in [min(255, 2 * x + y)] }

  private static let files = Result {
    try Dictionary(
      uniqueKeysWithValues: AuxiliaryPicture.allCases.map {
        ($0, try AuxiliaryFile.made(photo, nearness, $0))
      })
  }

  private static func file(_ kind: AuxiliaryPicture) throws -> [UInt8] {
    try #require(try files.get()[kind])
  }

  private static func masked(_ mask: String) -> String {
    #"{"filter": "invert", "mask": \#(mask)}"#
  }

  private static func develop(_ file: [UInt8], _ filters: String) throws -> Samples {
    try Samples(
      file: Studio.develop(file, "[\(filters)]", output: #""format": "png", "bitDepth": "8""#))
  }

  private static func failure(_ file: [UInt8], _ filters: String) -> RenderError? {
    do {
      _ = try Studio.develop(file, "[\(filters)]")
      return nil
    } catch { return error as? RenderError }
  }

  @Test(arguments: AuxiliaryPicture.allCases.filter { $0 != .depth })
  func theCoverageOfAMatteEqualsItsBrightness(_ kind: AuxiliaryPicture) throws {
    let found = try Self.develop(
      Self.file(kind), Self.masked(#"{"matte": {"of": "\#(kind)"}}"#))
    #expect((found.width, found.height, found.bands) == (96, 64, 3))
    for y in 0..<64 {
      for x in 0..<96 {
        let cover = Double(Self.nearness[x, y, 0]) / 255
        for (before, after) in zip(Self.photo[x, y], found[x, y]) {
          let wanted = Double(before) + cover * Double(255 - 2 * before)
          #expect(abs(wanted - Double(after)) <= 1, "\(x), \(y)")
        }
      }
    }
  }

  @Test func aDepthMaskIsARangeWithASmoothEdge() throws {
    let found = try Self.develop(
      Self.file(.depth), Self.masked(#"{"depth": {"min": 0.3, "max": 0.6, "feather": 0.2}}"#))
    for y in 0..<64 {
      for x in 0..<96 {
        let near = Double(Self.nearness[x, y, 0]) / 255
        let outside = max(0.3 - near, near - 0.6)
        let part = min(1, max(0, 1 - outside / 0.2))
        let cover = part * part * (3 - 2 * part)
        for (before, after) in zip(Self.photo[x, y], found[x, y]) {
          let wanted = Double(before) + cover * Double(255 - 2 * before)
          #expect(abs(wanted - Double(after)) <= 1, "\(x), \(y)")
        }
      }
    }
  }

  /// Steps that change the frame before a mask move the matte with the photo.
  @Test(arguments: [
    (#"{"filter": "rotate", "angle": 90}"#, 1), (#"{"filter": "rotate", "angle": 180}"#, 1),
    (#"{"filter": "rotate", "angle": 270}"#, 1), (#"{"filter": "flip"}"#, 1),
    (#"{"filter": "flip", "direction": "vertical"}"#, 1),
    (#"{"filter": "crop", "left": 21, "top": 7, "width": 40, "height": 50}"#, 1),
    (#"{"filter": "resize", "width": 48}"#, 3),
    (#"{"filter": "straighten", "angle": 7}"#, 3),
    (#"{"filter": "perspective", "corners": [[0.1, 0.1], [0.9, 0], [1, 1], [0, 0.8]]}"#, 3),
    (
      #"{"filter": "crop", "left": 10, "width": 60}, {"filter": "rotate", "angle": 90}, {"filter": "resize", "width": 30}, {"filter": "flip"}"#,
      4
    ),
  ])
  func aMatteMovesWithThePhoto(_ change: String, _ tolerance: Int) throws {
    let mask = Self.masked(#"{"matte": {"of": "sky"}}"#)
    let file = try Self.file(.sky)
    let before = try Self.develop(file, "\(mask), \(change)")
    let after = try Self.develop(file, "\(change), \(mask)")
    #expect(before.difference(from: after) <= tolerance, "\(before.difference(from: after))")
    // The matte must have a visible effect.
    let plain = try Self.develop(file, change)
    #expect(plain.difference(from: after) > 40)
  }

  @Test func aBorderIsNotCoveredByTheMatte() throws {
    let border = ##"{"filter": "border", "width": 20, "colour": "#808080"}"##
    let step = Self.masked(#"{"matte": {"of": "sky"}}"#)
    let found = try Self.develop(Self.file(.sky), "\(border), \(step)")
    #expect(found[5, 5] == [128, 128, 128] && found[130, 50] == [128, 128, 128])
    let inner = try Self.develop(Self.file(.sky), step)
    for y in 2..<62 {
      for x in 2..<94 {
        for (a, b) in zip(found[x + 20, y + 20], inner[x, y]) { #expect(abs(a - b) <= 1) }
      }
    }
  }

  @Test func aBorderAroundACropIsNotCoveredByTheMatte() throws {
    let crop = #"{"filter": "crop", "left": 30, "top": 10, "width": 40, "height": 30}"#
    let border = ##"{"filter": "border", "width": 8, "colour": "#808080"}"##
    let step = Self.masked(#"{"matte": {"of": "sky"}}"#)
    let found = try Self.develop(Self.file(.sky), "\(crop), \(border), \(step)")
    for (x, y) in [(3, 3), (52, 20), (20, 42), (52, 42)] {
      #expect(found[x, y] == [128, 128, 128], "\(x), \(y)")
    }
    let inner = try Self.develop(Self.file(.sky), "\(crop), \(step)")
    for y in 2..<28 {
      for x in 2..<38 {
        for (a, b) in zip(found[x + 8, y + 8], inner[x, y]) { #expect(abs(a - b) <= 1) }
      }
    }
  }

  /// A matte with its own feather is blurred by the same Gaussian as a combination of masks with a
  /// feather that contains the matte.
  @Test func aMatteInACombinationIsFeatheredEqually() throws {
    let all = #"{"linear": {"from": [-1, 0], "to": [-0.5, 0]}}"#
    let file = try Self.file(.sky)
    let alone = try Self.develop(
      file, Self.masked(#"{"matte": {"of": "sky", "feather": 0.1}}"#))
    let combined = try Self.develop(
      file,
      Self.masked(#"{"intersect": [{"matte": {"of": "sky"}}, \#(all)], "feather": 0.1}"#))
    #expect(alone.difference(from: combined) <= 1)
    #expect(
      Self.failure(
        try Self.photo.file(),
        Self.masked(#"{"add": [{"matte": {"of": "sky"}}, \#(all)], "feather": 0.1}"#))
        == .missingPicture(.sky))
  }

  @Test func aPhotoWithoutTheMatteFailsOrSkipsTheStep() throws {
    let plain = try Self.photo.file()
    for (mask, picture) in [
      (#""matte": {"of": "hair""#, AuxiliaryPicture.hair), (#""depth": {"min": 0.5"#, .depth),
    ] {
      for file in [plain, try Self.file(.sky)] {
        #expect(
          Self.failure(file, Self.masked("{\(mask)}}")) == .missingPicture(picture))
        let spared = Self.masked(#"{\#(mask), "missing": "nothing"}}"#)
        #expect(try Self.develop(file, spared).difference(from: Self.develop(file, "")) == 0)
      }
    }
    let error = RenderError.missingPicture(.hair)
    #expect(error.message == "the photo's file has no matte of hair")
    #expect(error.hint.contains(#""missing": "nothing""#))
  }

  /// Outputs that are rendered simultaneously read the auxiliary picture on several threads.
  @Test func severalThreadsReadOneAuxiliaryPicture() async throws {
    let file = try Self.file(.depth)
    let handle = try #require(tmpfile())
    defer { fclose(handle) }
    try #require(fwrite(file, 1, file.count, handle) == file.count && fflush(handle) == 0)
    for photo in [PhotoFile.bytes(file), .descriptor(fileno(handle))] {
      let input = try DecoderInput(photo, .avif, InputSettings())
      let seen = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<64 {
          group.addTask { try #require(try input.auxiliary(.depth)).samples(as: UInt8.self) }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(seen.count == 1 && seen.first?.count == 96 * 64)
    }
  }

  @Test(arguments: [(96, 65), (96, 0), (0, 0), (30_000, 20_000), (0x7FFF_FFFF, 0x7FFF_FFFF)])
  func anUnusableAuxiliaryPictureIsAnError(_ width: Int, _ height: Int) throws {
    let file = try AuxiliaryFile.resized(Self.file(.depth), to: Size(width, height))
    switch Self.failure(file, Self.masked(#"{"depth": {"min": 0.5}}"#)) {
    case .unreadablePicture(.depth, let words): #expect(!words.isEmpty)
    // For some sizes of the auxiliary picture, libheif refuses the whole file.
    case .unreadable: #expect(width > 20_000 || height == 0)
    case let other: Issue.record("\(String(describing: other))")
    }
  }

  @Test func aDamagedAuxiliaryPictureIsAnErrorAndNoCrash() throws {
    let mask = Self.masked(#"{"depth": {"min": 0.5}}"#)
    let file = try Self.file(.depth)
    for start in stride(from: file.count - 160, to: file.count, by: 7) {
      var damaged = file
      for place in start..<min(start + 5, file.count) { damaged[place] ^= 0x5A }
      switch Self.failure(damaged, mask) {
      case nil, .unreadablePicture, .unreadable, .truncated: break
      case let error?: Issue.record("\(error)")
      }
    }
  }

  @Test func aMatteCannotBeUsedAfterAnExternalProgram() throws {
    let mask = Self.masked(#"{"matte": {"of": "sky"}}"#)
    let steps = #"{"filter": "external", "command": ["any"]}, \#(mask)"#
    #expect(Self.failure(try Self.file(.sky), steps) == .lostPicture(.sky))
  }

  /// An iPhone portrait of a dog, rotated by a property of the container, at full size and reduced.
  @Test(.enabled(if: Corpus.isHere)) func aRealDepthMapSeparatesTheDogFromTheFloor() throws {
    let path = "\(try #require(Corpus.folder))/aux/pillow_heif/pug.heic"
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let near = Self.masked(#"{"depth": {"min": 0.7, "feather": 0.05}}"#)
    let small = #"{"filter": "resize", "longEdge": 504}"#
    let plain = try Self.develop(file, small)
    let first = try Self.develop(file, "\(near), \(small)")
    let last = try Self.develop(file, "\(small), \(near)")
    let depth = try Image.calling(
      "phbatch_heifaux",
      [
        "source": .source(Source(bytes: file)), "type": .text("urn:mpeg:hevc:2015:auxid:2"),
      ]
    ).image("out")
    #expect((depth.width, depth.height) == (768, 576))
    let levels = Samples(
      width: 768, height: 576, bands: 1, maximum: 255,
      values: try depth.samples(as: UInt8.self).map { Int($0) })
    var (inverted, kept, apart) = (0, 0, 0)
    for y in stride(from: 4, to: plain.height - 4, by: 3) {
      for x in stride(from: 4, to: plain.width - 4, by: 3) {
        let level = levels[x * 768 / plain.width, y * 576 / plain.height, 0]
        if abs(level - 173) < 40 { continue }
        let wanted = plain[x, y].map { level > 173 ? 255 - $0 : $0 }
        let isRight = zip(last[x, y], wanted).allSatisfy { abs($0 - $1) <= 2 }
        if level > 173 { inverted += isRight ? 1 : 0 } else { kept += isRight ? 1 : 0 }
        if !isRight { apart += 1 }
      }
    }
    #expect(
      inverted > 500 && kept > 500 && apart * 100 < inverted + kept, "\(inverted) \(kept) \(apart)")
    let far = zip(first.values, last.values).map { abs($0 - $1) }
    #expect(far.reduce(0, +) < 4 * far.count)
  }
}
