import FileStructure
import PhotoMetadata
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Gain maps and mattes have no effect on what surrounds a photo, even where the photo continued
/// before a crop.
@Suite struct SurroundedMapTests {
  private static let white = Samples.flat([255, 255, 255], 192, 128)
  private static let level = 200
  private static let levels = Samples.flat([level], 192, 128)
  private static let formats =
    VipsRuntime.canEncodeHEVC ? ["jpeg", "heic", "avif"] : ["jpeg", "avif"]

  /// A map in the file of a white photo.
  enum Map: CaseIterable {
    case gain, matte

    /// The sample that has no effect; gains are −1…3 stops.
    var neutral: Int { self == .gain ? 64 : 0 }

    func file(_ orientation: Int) throws -> [UInt8] {
      if self == .matte {
        var file = AuxiliaryJPEGFile(photo: white, levels: levels)
        file.orientation = orientation
        return try file.indexed("urn:com:apple:photo:2019:aux:semanticskinmatte", nil)
      }
      let best = AuxiliaryJPEGFile.best
      return UltraHDRFile.bytes(
        base: try white.file(
          "jpegsave_target", best, fields: ["orientation": .integer(orientation)]),
        map: try levels.file("jpegsave_target", best), .adobe)
    }

    func picture(in file: [UInt8]) throws -> Samples {
      let picture =
        self == .gain
        ? GainMap(of: .bytes(file))?.picture : AuxiliaryData(.skin, in: .bytes(file))?.picture
      return try Samples(file: #require(picture))
    }
  }

  private static let crop =
    #"{"filter": "crop", "left": 0.13, "top": 0.21, "width": 0.5, "height": 0.4}"#
  private static let border = ##"{"filter": "border", "width": 20, "colour": "#000000"}"##
  private static let frame =
    ##"{"filter": "frame", "mat": 16, "lineColour": "#000000", "matColour": "#000000"}"##
  private static let all = ##""keep": "all", "colour": "#000000""##

  /// Steps that surround the white photo with black.
  private static let chains = [
    border, "\(crop), \(border)",
    ##"\##(crop), {"filter": "pad", "aspect": "1:2", "gravity": "north", "colour": "#000000"}"##,
    #"{"filter": "straighten", "angle": 7}, \#(border)"#,
    #"{"filter": "straighten", "angle": -11, \#(all)}"#,
    #"\#(crop), {"filter": "straighten", "angle": 9, \#(all)}"#,
    #"{"filter": "perspective", "pitch": 8, "yaw": -5}, \#(border)"#,
    #"{"filter": "resize", "width": 96, "height": 96, "fit": "cover"}, \#(frame)"#,
    #"{"filter": "smartCrop", "aspect": "1:1"}, \#(border)"#,
    ##"\##(crop), {"filter": "shadow", "x": 0.2, "blur": 0, "background": "#000000"}"##,
    ##"\##(crop), \##(border), {"id": "b", "filter": "border", "width": 9, "colour": "#000000"}"##,
    #"\#(border), {"filter": "crop", "left": 8, "top": 40}, {"filter": "flip"}"#,
    #"\#(crop), \#(border), {"filter": "resize", "width": 90}, {"filter": "rotate", "angle": 90}"#,
  ]

  @Test(arguments: chains, Map.allCases) func mapsEndWhereTheRenditionShowsNothingOfThePhoto(
    _ chain: String, _ map: Map
  ) throws {
    for (number, orientation) in [1, 6, 7].enumerated() {
      let format = Self.formats[number % Self.formats.count]
      let (files, _) = try Studio.render(
        map.file(orientation),
        Studio.recipe(
          "[\(chain)]", output: #""format": "\#(format)", "quality": 95, "metadata": "all""#))
      let made = try #require(files["out"])
      try Self.expect(map, in: made, "\(chain) \(format) \(orientation)")
    }
  }

  /// A border has no depth, so a depth map is left out.
  @Test func aBorderAroundACropHasNoDepth() throws {
    let photo = AuxiliaryJPEGFile(photo: Self.white, levels: Self.levels)
    for (steps, hasDepth) in [(Self.crop, true), ("\(Self.crop), \(Self.border)", false)] {
      let (files, report) = try Studio.render(
        photo.indexed("disparity", nil),
        Studio.recipe("[\(steps)]", output: #""format": "jpeg", "metadata": "all""#))
      #expect((AuxiliaryData(.depth, in: .bytes(files["out"] ?? [])) != nil) == hasDepth)
      let isSaid = report.warnings.contains { $0.contains("what surrounds the photo has no depth") }
      #expect(isSaid != hasDepth, "\(report.warnings)")
    }
  }

  /// Expects that the map has its level where the rendition is white, and no effect where it is
  /// black; pixels near other colours may have any value, and lossy coding changes others a little.
  private static func expect(_ map: Map, in file: [UInt8], _ about: String) throws {
    let (picture, rendition) = (try map.picture(in: file), try Samples(file: file))
    func near(_ place: Int, _ count: Int, _ length: Int) -> ClosedRange<Int> {
      let scale = Double(length) / Double(count)
      let (first, last) = (Int(Double(place) * scale) - 4, Int(Double(place + 1) * scale) + 4)
      return max(0, first)...min(length - 1, last)
    }
    var (inside, outside) = (0, 0)
    for y in 0..<picture.height {
      let rows = near(y, picture.height, rendition.height)
      let tones = (0..<rendition.width).map { column in
        let tones = rows.map { rendition[column, $0, 0] }
        return (least: tones.min() ?? 0, greatest: tones.max() ?? 255)
      }
      for x in 0..<picture.width {
        let tones = tones[near(x, picture.width, rendition.width)]
        if tones.allSatisfy({ $0.least > 245 }) {
          inside += 1
          #expect(abs(picture[x, y, 0] - level) <= 12, "\(about): \(x), \(y)")
        } else if tones.allSatisfy({ $0.greatest < 10 }) {
          outside += 1
          #expect(abs(picture[x, y, 0] - map.neutral) <= 12, "\(about): \(x), \(y)")
        }
      }
    }
    #expect(inside > 20 && outside > 20, "\(about): \(inside), \(outside)")
  }
}
