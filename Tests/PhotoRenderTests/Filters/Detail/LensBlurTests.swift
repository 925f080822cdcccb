import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing

/// A blur like that of a lens, with a strength that depends on the depth.
@Suite struct LensBlurTests {
  private static func applied(
    to photo: Samples, _ nearness: Samples, _ settings: String
  ) throws -> Samples {
    try LensBlur.applied(
      to: photo, #""depthMap": "d.png", \#(settings)"#, files: ["d.png": nearness.file()])
  }

  /// A depth map with a near left half and a far right half.
  ///
  /// With the aperture 0.8 and the focus on one half, the other half is blurred by 9 pixels.
  private static let near = Samples(240, 80) { x, _ in [x < 120 ? 255 : 0] }

  @Test func pixelsInFocusStayAndOthersAreBlurred() throws {
    let photo = Samples(240, 80) { x, _ in Array(repeating: x % 4 < 2 ? 60 : 190, count: 3) }
    let found = try Self.applied(to: photo, Self.near, #""aperture": 0.8, "focus": 1"#)
    // The mean of the two grey levels in linear light.
    let light = [60.0, 190].map { PointFormulas.light($0 / 255) }.reduce(0, +) / 2
    let grey = Int((PointFormulas.display(light) * 255).rounded())
    for y in [5, 40, 75] {
      for x in 0..<119 { #expect(found[x, y] == photo[x, y], "\(x), \(y)") }
      // The photo's edge is repeated outwards.
      for x in 150..<210 { #expect(abs(found[x, y, 1] - grey) <= 3, "\(x): \(found[x, y])") }
    }
  }

  /// By default the subject is in focus, not the wall behind it, and not an object in front of it
  /// at the edge of the frame.
  @Test func theSubjectIsInFocusByDefault() throws {
    let photo = Samples(240, 160) { x, _ in Array(repeating: x % 4 < 2 ? 60 : 190, count: 3) }
    let nearness = Samples(240, 160) { x, y in
      [y >= 140 ? 255 : (80..<160).contains(x) ? 160 : 20]
    }
    let found = try Self.applied(to: photo, nearness, #""aperture": 0.8"#)
    for x in 85..<155 { #expect(found[x, 80] == photo[x, 80], "\(x)") }
    for x in 20..<50 { #expect(abs(found[x, 80, 1] - found[x + 1, 80, 1]) <= 20, "\(x)") }
  }

  @Test func pixelsInFocusDoNotSpreadIntoBlurredAreas() throws {
    let photo = Samples(240, 80) { x, _ in Array(repeating: x < 120 ? 250 : 20, count: 3) }
    let found = try Self.applied(to: photo, Self.near, #""aperture": 0.8, "focus": 1"#)
    for x in 0..<119 { #expect(found[x, 40] == photo[x, 40]) }
    // A Gaussian of the whole photo would give about 120 at the edge.
    for x in 121..<240 { #expect(found[x, 40, 1] <= 30, "\(x): \(found[x, 40])") }
  }

  /// A bright half in front of a dark half that is in focus.
  ///
  /// The edge between them is as soft as the blur of the near half.
  @Test func aBlurredForegroundSpreadsOverThePartInFocus() throws {
    let photo = Samples(240, 80) { x, _ in
      Array(repeating: x < 120 ? 250 : x % 4 < 2 ? 20 : 24, count: 3)
    }
    let found = try Self.applied(to: photo, Self.near, #""aperture": 0.8, "focus": 0"#)
    let row = (0..<240).map { found[$0, 40, 1] }
    for x in 0..<118 { #expect(abs(row[x] - 250) <= 1, "\(x): \(row[x])") }
    for x in 118..<155 {
      #expect(row[x] - row[x + 1] <= 20, "\(x): \(row[x]) \(row[x + 1])")
      // The cover of the near half at x is twice the fraction of a Gaussian that lies beyond the
      // edge, and at most 1.
      let cover = erfc((Double(x) - 119.5) / 9 / 2.0.squareRoot())
      let light = [250, photo[x, 40, 1]].map { PointFormulas.light(Double($0) / 255) }
      let wanted = PointFormulas.display(light[1] + min(1, cover) * (light[0] - light[1])) * 255
      #expect(abs(Double(row[x]) - wanted) <= 5, "\(x): \(row[x]), not \(wanted)")
    }
    for x in 155..<240 { #expect(found[x, 40] == photo[x, 40], "\(x)") }
    // If the far half is blurred too, both halves cover each other to the same extent, so the edge
    // has no jump.
    let both = try Self.applied(to: photo, Self.near, #""aperture": 0.8, "focus": 0.5"#)
    let edge = (100..<140).map { both[$0, 40, 1] }
    #expect(zip(edge, edge.dropFirst()).allSatisfy { $0 - $1 <= 25 }, "\(edge)")
  }

  /// A surface that slopes away from the camera stays sharp at the distance in focus.
  @Test func aSlopingSurfaceStaysSharpAtTheFocus() throws {
    let photo = Samples.noise(256, 60)
    let slope = Samples(256, 60) { x, _ in [x] }
    let found = try Self.applied(to: photo, slope, #""aperture": 2, "focus": 0.5"#)
    for x in 126..<130 {
      for y in 0..<60 {
        #expect(zip(found[x, y], photo[x, y]).allSatisfy { abs($0 - $1) <= 3 }, "\(x), \(y)")
      }
    }
  }

  /// A point of light becomes a spot with the variance of the documented blur.
  @Test(arguments: [0.1, 0.25, 0.4, 0.7, 1])
  func spotsOfLightGrowWithTheDistanceFromTheFocus(_ difference: Double) throws {
    let photo = Samples.dot(201)
    let level = Int((difference * 255).rounded())
    let settings = #""aperture": 0.8, "focus": 0"#
    let found = try Self.applied(to: photo, .flat([level], 4, 4), settings)
    var (sum, spread) = (0.0, 0.0)
    for y in 0..<201 {
      for x in 0..<201 {
        let light = PointFormulas.light(Double(found[x, y, 1]) / 65_535)
        sum += light
        spread += light * pow(Double(x - 100), 2)
      }
    }
    let sigma = 0.03 / 0.8 * 201 * Double(level) / 255
    #expect(abs(sum - 1) < 0.02, "\(sum)")
    #expect(abs((spread / sum).squareRoot() / sigma - 1) < 0.08, "\(spread / sum) \(sigma)")
  }

  @Test func aSmallerFNumberBlursMore() throws {
    let photo = Samples.noise(200, 60)
    func deviation(_ aperture: Double) throws -> Double {
      try Self.applied(to: photo, .flat([0], 2, 2), #""aperture": \#(aperture), "focus": 1"#)
        .deviation
    }
    let found = try [0.8, 1.4, 4, 22].map(deviation)
    #expect(found == found.sorted() && found[0] < 0.03 && found[3] > 0.2, "\(found)")
  }

  /// Alpha stays unchanged, and transparent pixels do not spread their colour.
  @Test func transparentPixelsDoNotSpreadTheirColour() throws {
    let photo = Samples(120, 60) { x, _ in x < 60 ? [200, 100, 40, 255] : [0, 255, 0, 0] }
    let found = try Self.applied(to: photo, .flat([0], 2, 2), #""aperture": 0.8, "focus": 1"#)
    for x in 0..<60 {
      #expect(zip(found[x, 30], [200, 100, 40, 255]).allSatisfy { abs($0 - $1) <= 1 }, "\(x)")
    }
    #expect(found[80, 30, 3] == 0)
  }

  @Test func theDepthMapInThePhotosFileIsUsed() throws {
    let photo = Samples.noise(96, 64)
    let nearness = Samples(96, 64) { x, y in [min(255, 2 * x + y)] }
    let file = try AuxiliaryFile.made(photo, nearness, .depth)
    let settings = #""aperture": 2, "focus": 0.6"#
    let output = #""format": "png", "bitDepth": "8""#
    let found = try Samples(
      file: Studio.develop(file, "[\(LensBlur.step(settings))]", output: output))
    #expect(try found.difference(from: Self.applied(to: photo, nearness, settings)) <= 1)
    // The depth map is rotated together with the photo.
    let turn = #"{"filter": "rotate", "angle": 90}"#
    let early = try Studio.develop(
      file, "[\(turn), \(LensBlur.step(settings))]", output: output)
    let late = try Studio.develop(file, "[\(LensBlur.step(settings)), \(turn)]", output: output)
    #expect(try Samples(file: early).difference(from: Samples(file: late)) <= 2)
  }

  @Test func aPhotoWithoutADepthMapFailsOrStaysUnchanged() throws {
    let file = try Samples.noise(40, 30).file()
    #expect(throws: RenderError.missingPicture(.depth)) {
      try Studio.develop(file, "[\(LensBlur.step(""))]")
    }
    let spared = LensBlur.step(#""missing": "nothing""#)
    #expect(
      try Samples(file: Studio.develop(file, "[\(spared)]")) == Samples(file: file))
  }
}
