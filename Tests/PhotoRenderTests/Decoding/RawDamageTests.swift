import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Raw files that end early, and raw files with unusual pictures.
@Suite struct RawDamageTests {
  private static func file(_ name: String) throws -> [UInt8] {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/\(name)") })
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private static func expectTruncation(_ file: [UInt8]) {
    let error = #expect(throws: RenderError.self) { try Studio.develop(file, "[]") }
    guard case .truncated = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Damage after which LibRaw reports no error, but does not write a part of the samples.
  @Test(.enabled(if: Corpus.isHere), arguments: ["nikon-d5000-1.dng", "canon-30d.cr2"])
  func samplesThatLibRawLeavesOutAreReportedAsDamage(_ name: String) throws {
    var file = try Self.file(name)
    let middle = file.count * 6 / 10
    file.replaceSubrange(middle..<(middle + 50_000), with: repeatElement(0, count: 50_000))
    // libvips has one text of the latest error for all threads: a call of another test may clear it.
    for attempt in 1...3 {
      let error = #expect(throws: RenderError.self) { try Studio.develop(file, "[]") }
      switch error {
      case .unreadable(let reason)?:
        if !reason.contains("samples are damaged") && attempt < 3 { continue }
        #expect(reason.contains("samples are damaged"))
      // Damaged codes may make the decoder read beyond the end of the file.
      case .truncated?: break
      default: Issue.record("\(String(describing: error))")
      }
      return
    }
  }

  /// Slices that do not cover the frame leave no black columns.
  @Test(.enabled(if: Corpus.isHere), arguments: 0..<5)
  func damagedSlicesAreErrors(_ damage: Int) throws {
    var file = try Self.file("canon-g10.cr2")
    // The entry of the slices: tag 50752, three 16-bit numbers.
    let entry = [0x40, 0xC6, 3, 0, 3, 0, 0, 0] as [UInt8]
    let at = try #require(
      (0..<60_000).first { Array(file[$0..<($0 + entry.count)]) == entry })
    func number(_ place: Int) -> Int { Int(file[place]) | Int(file[place + 1]) << 8 }
    let place = number(at + 8) | number(at + 10) << 16
    let slices = (0..<3).map { number(place + 2 * $0) }
    let damaged = [
      [slices[0], slices[1], slices[2] - 64], [slices[0], slices[1] - 2, slices[2]],
      [slices[0], slices[1], slices[2] + 8], [slices[0] + 1, slices[1], slices[2]],
      [slices[0], 0, slices[2]],
    ][damage]
    for (index, number) in damaged.enumerated() {
      file[place + 2 * index] = UInt8(number & 255)
      file[place + 2 * index + 1] = UInt8(number >> 8)
    }
    let error = #expect(throws: RenderError.self) { try Studio.develop(file, "[]") }
    switch error {
    case .unreadable?, .truncated?: break
    default: Issue.record("\(slices): \(String(describing: error))")
    }
  }

  /// A CRW file has its directory at its end.
  @Test(.enabled(if: Corpus.isHere), arguments: [30, 60, 99])
  func aTruncatedCRWFileIsReportedAsTruncated(_ percent: Int) throws {
    let file = try Self.file("canon-d30.crw")
    Self.expectTruncation(Array(file.prefix(file.count * percent / 100)))
  }

  /// LibRaw repeats the last block of samples that such a file has, and reports no error.
  @Test(.enabled(if: Corpus.isHere)) func aTruncatedRW2FileIsReportedAsTruncated() throws {
    let (start, length) = (12_322, 11_730_944)
    let file = try Self.file("Panasonic.rw2").prefix(start) + [UInt8](repeating: 0, count: length)
    #expect(FileEnd.missingSamples(in: .bytes(Array(file))) == nil)
    #expect(try Renderer.header(of: .bytes(Array(file))).raw?.way != .preview)
    for count in [1, 100_000, length / 2] { Self.expectTruncation(Array(file.dropLast(count))) }
  }

  @Test func damagedHeadersOfRawFilesDoNotCrash() throws {
    let file = SyntheticDNG(width: 64, height: 48) { x, _, _ in Double(x) / 80 }.bytes
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: 0..<600, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let photo = PhotoFile.bytes(damaged)
      guard let header = try? Renderer.header(of: photo), header.stored.pixels < 1_000_000 else {
        continue
      }
      _ = try? header.raw?.image(photo, shrink: 1).samples(as: Float.self)
    }
  }

  @Test(arguments: [1, 41, 1_000])
  func missingLastSamplesAreReported(_ count: Int) {
    let file = SyntheticDNG(width: 120, height: 90) { x, _, _ in Double(x) / 200 }.bytes
    #expect(FileEnd.missingSamples(in: .bytes(file)) == nil)
    Self.expectTruncation(file.dropLast(count))
  }

  /// LibRaw decodes these files without an error: missing tiles and rows become black, and a
  /// decoder of JPEG fills them.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      ("IMG_1361.dng", 1), ("canon_eos_6d.dng", 0.999), ("canon_eos_6d.dng", 0.95),
      ("Nikon_uncompressed.nef", 0.002), ("Nikon_uncompressed.nef", 0.01),
      ("Nikon_uncompressed.nef", 0.99), ("nikon-d1.nef", 0.99999), ("canon-30d.cr2", 0.02),
      ("nikon-d5000-2.dng", 0.9999), ("Canon-R6-pruned.CR3", 1),
    ])
  func samplesBeyondTheEndOfTheFileAreReported(_ name: String, _ part: Double) throws {
    let file = try Self.file(name)
    Self.expectTruncation(Array(file.prefix(Int(Double(file.count) * part))))
  }

  /// Some complete files have padding or further bytes at their end.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      "canon-30d.cr2", "canon-d30.crw", "canon-g10.cr2", "kodak-c330.raw", "nikon-d1.nef",
      "nikon-d5000-1.dng", "nikon-d5000-2.dng", "Nikon_uncompressed.nef", "canon_eos_6d.dng",
    ])
  func completeFilesAreNotReported(_ name: String) throws {
    #expect(FileEnd.missingSamples(in: .bytes(try Self.file(name))) == nil)
  }

  /// A raw file that ends early is rendered from its preview on request, if the preview is complete.
  @Test(.enabled(if: Corpus.isHere))
  func theFallbackAppliesToFilesThatEndEarly() throws {
    let file = try Self.file("nikon-d5000-1.dng")
    var settings = RawSettings()
    settings.fallback = .preview
    let cut = try RawDevelopment(.bytes(Array(file.prefix(file.count / 2))), settings)
    #expect(cut.way == .preview)
    #expect(cut.warnings.first?.contains("the embedded JPEG is rendered instead") == true)
    #expect(try RawDevelopment(.bytes(file), settings).way != .preview)
    // The preview itself is cut.
    #expect(throws: RenderError.self) {
      try RawDevelopment(.bytes(Array(file.prefix(500_000))), settings)
    }
  }

  /// Files that LibRaw gives up are rendered from their previews, or refused, without a crash.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [("FujiFilm.raf", true), ("PhaseOne.iiq", false), ("Sigma.x3f", false)])
  func theFallbackAppliesToFilesThatLibRawGivesUp(_ name: String, _ hasPreview: Bool) throws {
    var settings = RawSettings()
    settings.fallback = .preview
    let photo = PhotoFile.bytes(try Self.file(name))
    for look in RawSettings.Look.allCases {
      settings.look = look
      if hasPreview {
        #expect(try RawDevelopment(photo, settings).way == .preview)
      } else {
        #expect(throws: RenderError.self) { try RawDevelopment(photo, settings) }
      }
    }
    #expect(throws: RenderError.self) { try Studio.develop(Self.file(name), "[]") }
  }

  /// The camera has balanced the embedded JPEG for the light as shot, so `kelvin` changes it relative
  /// to that light.
  @Test(.enabled(if: Corpus.isHere)) func kelvinIsRelativeToTheLightOfTheEmbeddedJPEG() throws {
    let file = try Self.file("canon-30d.cr2")
    var settings = RawSettings()
    settings.look = .preview
    let light = try #require(RawDevelopment(.bytes(file), settings).light)
    #expect(try light == RawDevelopment(.bytes(file), RawSettings()).light)
    func means(_ filters: String) throws -> [Double] {
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0",
           "inputs": {"raw": {"look": "preview"}},
           "filters": [\(filters) {"filter": "resize", "longEdge": 120}],
           "outputs": [{"name": "out", "format": "png"}]}
          """)
      let rendered = try Studio.render(file, recipe)
      let picture = try Samples(file: #require(rendered.files["out"]))
      let count = picture.width * picture.height
      return (0..<3).map { band in
        (0..<count).reduce(0.0) { sum, pixel in
          sum + Double(picture[pixel % picture.width, pixel / picture.width, band])
        } / Double(count)
      }
    }
    func balance(_ kelvin: Double) -> String {
      #"{"filter": "whiteBalance", "kelvin": \#(kelvin), "tint": \#(light.tint)},"#
    }
    let shot = try means("")
    for (one, other) in try zip(shot, means(balance(light.temperature))) {
      #expect(abs(one - other) < 0.5, "\(shot)")
    }
    let warm = try means(balance(light.temperature + 2000))
    #expect(warm[0] > shot[0] + 5 && warm[2] < shot[2] - 5, "\(warm) \(shot)")
  }

  @Test(.enabled(if: Corpus.isHere)) func anUnknownLightOfTheEmbeddedJPEGIsNamed() throws {
    func warnings(_ filters: String) throws -> [String] {
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0",
           "inputs": {"raw": {"fallback": "preview"}}, "filters": [\(filters)],
           "outputs": [{"name": "out", "format": "png"}]}
          """)
      return try Renderer(recipe).plan(.bytes(Self.file("Canon-R6-pruned.CR3"))).header.warnings
    }
    let words = "the light as shot is unknown"
    #expect(
      try warnings(#"{"filter": "whiteBalance", "kelvin": 4000}"#).contains {
        $0.contains(words)
      })
    #expect(
      try !warnings(#"{"filter": "whiteBalance", "temperature": 4000}"#).contains {
        $0.contains(words)
      })
  }

  /// A NEF file of a film scanner has an ordinary picture.
  ///
  /// The numbers are those of tifffile 2026.3.3.
  @Test(.enabled(if: Corpus.isHere)) func thePictureOfAScannerIsReadAsItIs() throws {
    let picture = try Samples(
      file: Studio.develop(Self.file("Nikon_uncompressed.nef"), "[]"))
    #expect(picture.width == 869 && picture.height == 593)
    for (x, y, colour) in [(100, 100, [62, 64, 70]), (434, 300, [65, 64, 61])] {
      for channel in 0..<3 { #expect(abs(picture[x, y][channel] - colour[channel]) <= 1) }
    }
  }

  /// The corner with the first stored row and column is dark.
  @Test(arguments: Orientation.allCases)
  func rawPhotosAreTurnedAndMirroredByTheirOrientation(_ orientation: Orientation) throws {
    var file = SyntheticDNG(width: 90, height: 60) { x, y, colour in
      [0.5, 1, 0.7][colour] * (x < 30 && y < 20 ? 0.02 : 0.4)
    }
    file.orientation = orientation.rawValue
    let picture = try Samples(file: Studio.develop(file.bytes, "[]"))
    #expect((picture.width < picture.height) == orientation.swapsEdges)
    let corner: (right: Bool, low: Bool) =
      switch orientation {
      case .upright, .mirroredTurnedLeft: (false, false)
      case .mirrored, .turnedLeft: (true, false)
      case .upsideDown, .mirroredTurnedRight: (true, true)
      case .mirroredUpsideDown, .turnedRight: (false, true)
      }
    let middle = picture[picture.width / 2, picture.height / 2, 1]
    for right in [false, true] {
      for low in [false, true] {
        let x = right ? picture.width - 6 : 5
        let y = low ? picture.height - 6 : 5
        #expect((picture[x, y, 1] < middle * 7 / 10) == ((right, low) == corner), "\(right) \(low)")
      }
    }
  }

  /// The crop is stated in pixels of the sensor, which are twice as high as wide here.
  @Test func theCropOfOblongPixelsIsApplied() throws {
    var file = SyntheticDNG(width: 200, height: 80) { x, _, colour in
      [0.5, 1, 0.7][colour] * 0.4
    }
    file.crop = [20, 4, 160, 70]
    file.floats[50_718] = [1, 2]
    let header = try Renderer.header(of: .bytes(file.bytes))
    #expect(header.stored == Size(160, 140), "\(header.stored)")
  }

  @Test func hotAndDeadPixelsAreReplaced() throws {
    let places = [(40, 30), (61, 41), (80, 52), (101, 63)]
    func file(_ value: UInt16?) -> [UInt8] {
      var file = SyntheticDNG(width: 160, height: 90, black: 500, white: 16_000) { x, y, colour in
        [0.5, 1, 0.7][colour] * (0.2 + 0.1 * Double((x * 7 + y * 13) % 11) / 11)
      }
      for (x, y) in places { if let value { file.samples[y * 160 + x] = value } }
      return file.bytes
    }
    func light(_ value: UInt16?, _ hot: RawSettings.HotPixels = .mend) throws -> [Float] {
      var settings = RawSettings()
      settings.hotPixels = hot
      let photo = PhotoFile.bytes(file(value))
      return try RawDevelopment(photo, settings).image(photo, shrink: 1).samples(as: Float.self)
    }
    let clean = try light(nil)
    // Nothing is replaced in a photo without defects.
    #expect(clean == (try light(nil, .keep)))
    for value in [480, 520, 16_000] as [UInt16] {
      let mended = try light(value)
      for (x, y) in places {
        let at = 3 * (y * 160 + x)
        for channel in 0..<3 { #expect(abs(mended[at + channel] - clean[at + channel]) < 0.12) }
      }
    }
  }

  /// The Canon D30's samples are saturated at about 3,800 of 4,095, which LibRaw does not know.
  @Test(.enabled(if: Corpus.isHere)) func theLevelOfSaturatedSamplesIsMeasured() throws {
    let photo = PhotoFile.bytes(try Self.file("canon-d30.crw"))
    let facts = try RawFacts(of: photo, unpacked: true)
    #expect(facts.white.allSatisfy { (3_780...3_815).contains($0) }, "\(facts.white)")
    for name in ["canon-30d.cr2", "canon-g10.cr2"] {
      let other = try RawFacts(of: .bytes(Self.file(name)), unpacked: true)
      #expect(other.white == [4_095, 4_095, 4_095, 4_095], "\(name)")
    }
  }

  /// The Nikon D1 stores samples that are balanced for white, so its multipliers are 1.
  @Test(.enabled(if: Corpus.isHere)) func theLightOfBalancedSamplesIsPlausible() throws {
    let facts = try RawFacts(of: .bytes(Self.file("nikon-d1.nef")))
    let light = try #require(facts.colour.conversion.light)
    #expect((4_500...7_000).contains(light.temperature) && abs(light.tint) < 25, "\(light)")
  }
}
