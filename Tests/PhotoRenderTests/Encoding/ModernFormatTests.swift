import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// AVIF, HEIC, JPEG XL and GIF files, as decoded by libvips's own readers.
@Suite struct ModernFormatTests {
  static let lossy = ["avif", "heic", "jxl"]
  static let all = lossy + ["gif"]

  /// Smooth colours with 8 or 16 bits; alpha decreases from left to right.
  private static func photo(
    _ width: Int = 96, _ height: Int = 64, bands: Int = 3, maximum: Int = 255
  ) -> Samples {
    var values: [Int] = []
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
        let colour = [0.2 + 0.6 * u, 0.8 - 0.5 * v, 0.3 + 0.4 * u * v, 1 - u]
        values += colour.prefix(bands).map { Int($0 * Double(maximum)) }
      }
    }
    return Samples(width: width, height: height, bands: bands, maximum: maximum, values: values)
  }

  private static func developed(_ photo: Samples, _ output: String) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), "[]", output: output))
  }

  /// The mean difference between samples, in levels of 255.
  private static func difference(_ a: Samples, _ b: Samples) -> Double {
    let sum = zip(a.values, b.values).reduce(0.0) { sum, pair in
      sum + abs(Double(pair.0) / Double(a.maximum) - Double(pair.1) / Double(b.maximum))
    }
    return 255 * sum / Double(a.values.count)
  }

  @Test(arguments: lossy) func lossyFormatsKeepColours(_ format: String) throws {
    let photo = Self.photo()
    let result = try Self.developed(photo, #""format": "\#(format)", "quality": 90"#)
    #expect(result.width == 96 && result.height == 64 && result.bands == 3)
    #expect(Self.difference(photo, result) < 1, "\(Self.difference(photo, result))")
  }

  /// White, black and grey must stay exact, because a viewer shows them next to the page's own
  /// colours.
  @Test(arguments: all, [[255, 255, 255], [0, 0, 0], [128, 128, 128]])
  func flatGreysAreExact(_ format: String, _ colour: [Int]) throws {
    let result = try Self.developed(.flat(colour, 40, 30), #""format": "\#(format)""#)
    let bands = result.bands
    let off = (0..<result.values.count).filter { $0 % bands < 3 }
      .map { abs(result.values[$0] - colour[$0 % bands]) }.max()
    #expect(off ?? 255 <= 1, "\(off ?? 255)")
  }

  @Test(arguments: ["avif", "heic", "jxl"]) func losslessFormatsKeepEveryPixel(
    _ format: String
  ) throws {
    var generator = SeededGenerator(seed: 7)
    var photo = Self.photo(61, 47)
    photo.values = photo.values.map { min(255, $0 + Int.random(in: 0...40, using: &generator)) }
    let result = try Self.developed(photo, #""format": "\#(format)", "lossless": true"#)
    #expect(result == photo, "\(photo.difference(from: result))")
  }

  @Test(arguments: [
    ("avif", "10"), ("avif", "12"), ("heic", "10"), ("jxl", "10"), ("jxl", "12"), ("jxl", "16"),
  ])
  func sixteenBitPhotosKeepMoreThanEightBits(_ format: String, _ depth: String) throws {
    let photo = Self.photo(maximum: 65_535)
    let own = #""format": "\#(format)", "quality": 95"#
    let result = try Self.developed(photo, own + #", "bitDepth": "\#(depth)""#)
    #expect(result.maximum == 65_535 && Self.difference(photo, result) < 1)
    #expect(try Self.developed(photo, own).maximum == 65_535)
    #expect(try Self.developed(photo, own + #", "bitDepth": "8""#).maximum == 255)
    // White must stay at the upper end of the range in every bit depth.
    let white = try Self.developed(
      .flat([65_535, 65_535, 65_535], 40, 30, maximum: 65_535), own + #", "bitDepth": "\#(depth)""#)
    #expect((white.values.min() ?? 0) >= 65_535 - 100, "\(white.values.min() ?? 0)")
  }

  @Test(arguments: lossy) func lossyFormatsKeepAlpha(_ format: String) throws {
    let photo = Self.photo(bands: 4)
    let result = try Self.developed(photo, #""format": "\#(format)", "quality": 95"#)
    #expect(result.bands == 4)
    let off = stride(from: 3, to: photo.values.count, by: 4)
      .map { abs(photo.values[$0] - result.values[$0]) }.max()
    #expect(off ?? 255 <= 4, "\(off ?? 255)")
  }

  @Test func alphaInGIFIsOpaqueOrTransparent() throws {
    let result = try Self.developed(Self.photo(bands: 4), #""format": "gif""#)
    #expect(result.bands == 4)
    let alphas = Set(stride(from: 3, to: result.values.count, by: 4).map { result.values[$0] })
    #expect(alphas == [0, 255])
  }

  @Test(arguments: all, [(1, 1), (3, 5), (17, 2), (65, 63)] as [(Int, Int)])
  func formatsKeepOddSizes(_ format: String, _ size: (Int, Int)) throws {
    let result = try Self.developed(
      .flat([200, 40, 90], size.0, size.1), #""format": "\#(format)""#)
    #expect(result.width == size.0 && result.height == size.1)
    let middle = result[size.0 / 2, size.1 / 2]
    #expect(zip(middle, [200, 40, 90]).allSatisfy { abs($0 - $1) < 12 }, "\(middle)")
  }

  @Test(arguments: ["4:4:4", "4:2:2", "4:2:0"], ["avif", "heic", "jpeg"])
  func chromaSubsamplingIsApplied(_ subsampling: String, _ format: String) throws {
    // Columns of red and blue, each one pixel wide; then rows.
    for isAcross in [true, false] {
      let values = (0..<32).flatMap { y in
        (0..<64).flatMap { (isAcross ? $0 : y).isMultiple(of: 2) ? [230, 40, 40] : [40, 40, 230] }
      }
      let photo = Samples(width: 64, height: 32, bands: 3, maximum: 255, values: values)
      let result = try Self.developed(
        photo, #""format": "\#(format)", "quality": 95, "subsampling": "\#(subsampling)""#)
      let difference = Self.difference(photo, result)
      let isKept = subsampling == "4:4:4" || subsampling == "4:2:2" && !isAcross
      #expect(isKept ? difference < 6 : difference > 20, "\(difference)")
    }
  }

  @Test(arguments: [2, 16, 256]) func aGIFFileHasAtMostTheRequestedNumberOfColours(
    _ colours: Int
  ) throws {
    let photo = Self.photo()
    let file = try Studio.develop(
      photo.file(), "[]", output: #""format": "gif", "colours": \#(colours), "errorDiffusion": 0"#)
    let result = try Samples(file: file)
    let bands = result.bands
    let found = Set(
      stride(from: 0, to: result.values.count, by: bands).map {
        Array(result.values[$0..<$0 + 3])
      })
    #expect(found.count <= colours && found.count > colours / 4, "\(found.count)")
  }

  /// Many threads write the same bytes as one thread, for a whole picture and for a picture in
  /// tiles.
  @Test(arguments: all, [(width: 700, height: 500), (width: 2200, height: 64)])
  func theNumberOfThreadsDoesNotChangeTheFile(
    _ format: String, _ size: (width: Int, height: Int)
  ) throws {
    let photo = try SyntheticPhoto.jpeg(width: size.width, height: size.height)
    let recipe = try Studio.recipe("[]", output: #""format": "\#(format)", "effort": 3"#)
    var files: [[UInt8]] = []
    for threads in [1, 2, 5] {
      let handle = try #require(tmpfile())
      defer { fclose(handle) }
      var renderer = Renderer(recipe)
      renderer.threads = threads
      _ = try renderer.render(.bytes(photo), into: ["out": fileno(handle)])
      files.append(try Studio.content(of: handle))
    }
    #expect(files[0] == files[1] && files[0] == files[2])
    #expect(files[0].count > 1000)
  }

  @Test(arguments: [
    (#""format": "avif", "lossless": true, "subsampling": "4:2:0""#, "full colour resolution"),
    (#""format": "avif", "bitDepth": 9"#, "auto, 8, 10, 12"),
    (#""format": "avif", "effort": 10"#, "0 to 9"),
    (#""format": "heic", "quality": 0"#, "1 to 100"),
    (#""format": "heic", "alphaQuality": 50"#, "alphaQuality"),
    (#""format": "jxl", "lossless": true, "distance": 1"#, "'distance' does not work"),
    (#""format": "jxl", "effort": 1"#, "3 to 9"),
    (#""format": "jxl", "bitDepth": 14"#, "auto, 8, 10, 12, 16"),
    (#""format": "gif", "colours": 257"#, "2 to 256"),
    (#""format": "gif", "quality": 80"#, "quality"),
    (#""format": "gif", "profile": "display-p3""#, "cannot store a profile"),
    (#""format": "jpeg", "quality": "sources""#, #"or "source""#),
    (#""format": "webp", "quality": "source""#, "1 to 100"),
  ])
  func anErrorNamesInvalidEncoderSettings(_ output: String, _ words: String) {
    Studio.expectRefusal(of: output, words)
  }

  @Test func anErrorStatesTheLongestEdgeOfAVIF() throws {
    let photo = try Samples.flat([9, 9, 9], 16_400, 2).file()
    #expect {
      _ = try Studio.develop(photo, "[]", output: #""format": "avif""#)
    } throws: { ($0 as? RenderError)?.message.contains("; the longest edge is 16384") == true }
  }

  /// x265 refuses some pictures that are hundreds of times as long as wide.
  @Test func aSizeThatTheEncoderRefusesIsNotAnErrorOfThePhoto() throws {
    let photo = try Samples.flat([9, 9, 9], 8_192, 8).file()
    for more in ["", #", "maxBytes": 100000"#] {
      #expect {
        _ = try Studio.develop(photo, "[]", output: #""format": "heic""# + more)
      } throws: { error in
        guard case RenderError.encoderRefused("out", let detail) = error else { return false }
        return detail.contains("the encoder refuses 8192×8 pixels")
      }
    }
  }

  @Test func theTestMachineHasAllEncoders() { #expect(MissingEncoder.all == []) }

  @Test func theHintNamesThePackageOfAMissingEncoder() {
    let missing = MissingEncoder(format: "heic", output: "phone")
    #expect(missing.message.contains("'phone'") && missing.message.contains("heic"))
    #expect(missing.hint.contains("libheif-plugin-x265"))
  }
}
