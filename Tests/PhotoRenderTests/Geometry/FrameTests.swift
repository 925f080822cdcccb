import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import Testing

/// Borders, mats, corners, shadows, and what trims them off again.
@Suite struct FrameTests {
  private static func noise(_ width: Int, _ height: Int, maximum: Int = 255) -> Samples {
    var random = SeededGenerator(seed: 5)
    let values = (0..<width * height * 3).map { _ in
      Int.random(in: 0...maximum * 3 / 4, using: &random)
    }
    return Samples(width: width, height: height, bands: 3, maximum: maximum, values: values)
  }

  private static func develop(_ photo: Samples, _ filters: String) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), "[\(filters)]"))
  }

  @Test(arguments: [
    (#""width": 7"#, 7), (#""width": "10%""#, 4), (#""width": "1in", "dpi": 9"#, 9),
  ])
  func bordersAreAsWideAsAsked(_ settings: String, _ width: Int) throws {
    let photo = Self.noise(60, 40)
    let result = try Self.develop(
      photo, ##"{"filter": "border", \##(settings), "colour": "#123456"}"##)
    #expect(result.width == 60 + 2 * width && result.height == 40 + 2 * width)
    #expect(result[width - 1, width] == [0x12, 0x34, 0x56])
    #expect(result[width, width] == photo[0, 0])
    #expect(result[59 + width, 39 + width] == photo[59, 39])
  }

  @Test func framesHaveLineMatAndBorder() throws {
    let result = try Self.develop(
      Self.noise(60, 40),
      ##"{"filter": "frame", "line": 2, "lineColour": "#f00", "mat": 10, "matColour": "#0f0", "aspect": "1:1", "border": 3, "borderColour": "#00f"}"##
    )
    #expect(result.width == 90 && result.height == 90)
    #expect(result[0, 45] == [0, 0, 255] && result[2, 45] == [0, 0, 255])
    #expect(result[3, 45] == [0, 255, 0] && result[12, 45] == [0, 255, 0])
    #expect(result[13, 45] == [255, 0, 0] && result[14, 45] == [255, 0, 0])
  }

  /// Alpha of the corner's pixels, by counting points of a fine grid.
  @Test(arguments: [255, 65_535]) func cornersAreQuarterCircles(_ maximum: Int) throws {
    let photo = Self.noise(60, 40, maximum: maximum)
    let result = try Self.develop(photo, #"{"filter": "roundCorners", "radius": 12}"#)
    #expect(result.bands == 4 && result.maximum == maximum)
    for y in 0..<40 {
      for x in 0..<60 {
        let pixel = result[x, y]
        let (column, row) = (min(x, 59 - x), min(y, 39 - y))
        var inside = 256
        if column < 12 && row < 12 {
          inside = 0
          for step in 0..<256 {
            let dx = 12 - Double(column) - (Double(step % 16) + 0.5) / 16
            let dy = 12 - Double(row) - (Double(step / 16) + 0.5) / 16
            if dx * dx + dy * dy <= 144 { inside += 1 }
          }
        }
        let wanted = Double(inside) / 256
        #expect(abs(Double(pixel[3]) / Double(maximum) - wanted) <= 0.02)
        if pixel[3] > maximum / 8 {
          #expect(zip(pixel, photo[x, y]).allSatisfy { abs($0 - $1) <= maximum / 100 })
        }
        let reach = hypot(Double(12 - column), Double(12 - row))
        let isWhole = column >= 12 || row >= 12 || reach <= 12
        if isWhole { #expect(Array(pixel.prefix(3)) == photo[x, y] && pixel[3] == maximum) }
      }
    }
    #expect(result[0, 0][3] == 0)
  }

  @Test func cornersTakeAColour() throws {
    let photo = Self.noise(60, 40)
    let result = try Self.develop(
      photo, ##"{"filter": "roundCorners", "radius": 12, "colour": "#0a141e"}"##)
    #expect(result.bands == 3)
    #expect(result[0, 0] == [10, 20, 30] && result[59, 39] == [10, 20, 30])
    #expect(result[30, 0] == photo[30, 0] && result[0, 20] == photo[0, 20])
  }

  /// The shadow of an opaque photo is a blurred rectangle.
  @Test func shadowsAreBlurredRectangles() throws {
    let photo = Self.noise(60, 40)
    let result = try Self.develop(
      photo,
      #"{"filter": "shadow", "x": 0.1, "y": -0.05, "blur": 0.075, "strength": 0.6}"#)
    // Sigma 3, 9 pixels of it on each side, moved by (4, −2).
    #expect(result.width == 60 + 5 + 13 && result.height == 40 + 11 + 7 && result.bands == 4)
    func part(_ x: Int, _ length: Double) -> Double {
      func area(_ x: Double) -> Double { 0.5 * (1 + erf(x / 3 / 2.0.squareRoot())) }
      // The mean over the pixel, by sixteen points.
      return (0..<16).reduce(0) { sum, i in
        let place = Double(x) + (Double(i) + 0.5) / 16
        return sum + (area(place) - area(place - length)) / 16
      }
    }
    for y in 0..<result.height {
      for x in 0..<result.width {
        let pixel = result[x, y]
        if (5..<65).contains(x) && (11..<51).contains(y) {
          #expect(Array(pixel.prefix(3)) == photo[x - 5, y - 11] && pixel[3] == 255)
        } else {
          let wanted = 0.6 * part(x - 9, 60) * part(y - 9, 40) * 255
          #expect(abs(Double(pixel[3]) - wanted) <= 0.51 && pixel.prefix(3).allSatisfy { $0 <= 1 })
        }
      }
    }
  }

  /// A see-through photo throws the shadow of its alpha: the same as the same photo without.
  @Test func shadowsFollowAlpha() throws {
    let photo = Self.noise(60, 40)
    let filter = ##"{"filter": "shadow", "blur": 0.075, "y": 0.3, "background": "#ffffff"}"##
    let opaque = try Self.develop(photo, filter)
    let withAlpha = try Self.develop(
      photo, #"{"filter": "roundCorners", "radius": 1}, "# + filter)
    #expect(opaque.bands == 3 && withAlpha.bands == 3)
    var far = 0
    for (a, b) in zip(opaque.values, withAlpha.values) where abs(a - b) > 2 { far += 1 }
    // The four corner pixels themselves.
    #expect(far <= 12)
  }

  @Test(arguments: ["balanced", "exact"]) func trimUndoesABorder(_ rendering: String) throws {
    let photo = Self.noise(60, 40)
    let filters =
      ##"[{"filter": "border", "width": 9, "colour": "#ffffff"}, {"filter": "trim", "threshold": 0.2}]"##
    let result = try Samples(file: Studio.develop(photo.file(), filters, rendering: rendering))
    #expect(result == photo)
  }

  /// A large photo: none of the border is left, and little of the subject is lost; exactly none when
  /// the rendering is exact.
  @Test(arguments: ["balanced", "exact"]) func trimOfALargePhoto(_ rendering: String) throws {
    let photo = Samples.flat([10, 20, 200], 1501, 1103)
    let filters =
      ##"[{"filter": "pad", "width": 2600, "height": 1903, "colour": "#fafafa"}, {"filter": "trim"}]"##
    let result = try Samples(file: Studio.develop(photo.file(), filters, rendering: rendering))
    #expect(Set(result.values) == [10, 20, 200])
    if rendering == "exact" {
      #expect(result.width == 1501 && result.height == 1103)
    } else {
      #expect(result.width > 1501 - 12 && result.height > 1103 - 12)
    }
  }

  @Test func productsStandOnAWhiteSquare() throws {
    var photo = Samples.flat([230, 225, 220], 100, 60)
    for y in 20..<50 {
      for x in 50..<70 {
        photo.values.replaceSubrange((y * 100 + x) * 3..<(y * 100 + x) * 3 + 3, with: [20, 30, 40])
      }
    }
    photo.values.replaceSubrange(
      (30 * 100 + 60) * 3..<(30 * 100 + 60) * 3 + 3, with: [230, 225, 220])
    let result = try Self.develop(photo, #"{"filter": "product", "margin": 5}"#)
    #expect(result.width == 40 && result.height == 40 && result.bands == 3)
    #expect(result[0, 0] == [255, 255, 255] && result[9, 20] == [255, 255, 255])
    #expect(result[10, 5] != [255, 255, 255] && result[29, 34] != [255, 255, 255])
    // The hole in the product shows the background, which is white now.
    #expect(result[20, 15].allSatisfy { $0 >= 254 })
  }
}
