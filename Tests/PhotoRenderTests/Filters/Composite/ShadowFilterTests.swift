import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Soft shadows, and the frame that is enlarged for them.
@Suite struct ShadowFilterTests {
  /// The shadow of an opaque photo is a blurred rectangle.
  @Test func theShadowOfAnOpaquePhotoIsABlurredRectangle() throws {
    let photo = Samples.noise(60, 40, to: 190)
    let result = try ShadowFilter.applied(
      to: photo, #""x": 0.1, "y": -0.05, "blur": 0.075, "strength": 0.6"#)
    // Sigma is 3 pixels, so the shadow extends by 9 pixels on each side; it is moved by (4, −2)
    // pixels.
    #expect(result.width == 60 + 5 + 13 && result.height == 40 + 11 + 7 && result.bands == 4)
    func part(_ x: Int, _ length: Double) -> Double {
      func area(_ x: Double) -> Double { 0.5 * (1 + erf(x / 3 / 2.0.squareRoot())) }
      // The mean over the pixel, from sixteen points.
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

  /// The shadow of a photo with alpha follows its alpha.
  ///
  /// A photo with only four transparent corner pixels has nearly the same shadow as an opaque
  /// photo.
  @Test func theShadowFollowsTheAlphaOfThePhoto() throws {
    let photo = Samples.noise(60, 40, to: 190)
    let settings = ##""blur": 0.075, "y": 0.3, "background": "#ffffff""##
    let opaque = try ShadowFilter.applied(to: photo, settings)
    let filters = "[\(RoundCorners.step(#""radius": 1"#)), \(ShadowFilter.step(settings))]"
    let withAlpha = try Samples(file: Studio.develop(photo.file(), filters))
    #expect(opaque.bands == 3 && withAlpha.bands == 3)
    var far = 0
    for (a, b) in zip(opaque.values, withAlpha.values) where abs(a - b) > 2 { far += 1 }
    // Only the four corner pixels may differ.
    #expect(far <= 12)
  }
}
