import Glibc
import PhotoRecipes
import Testing

@testable import PhotoImport

/// Crops of photos that Lightroom straightened.
@Suite struct TurnedCropTests {
  /// The crop of a 3:2 photo by a Canon EOS, which Lightroom straightened and cropped to 3:2, is
  /// converted to the shape 3:2.
  @Test func aStraightenedCropOfLightroomKeepsTheAspectRatio() {
    let crop = TurnedCrop(
      left: 0.030868, top: 0, right: 0.969132, bottom: 1, slant: 1.704933, aspect: 1.5)
    let frame = (
      width: 1.5 * 0.9995573 + 0.0297522, height: 1.5 * 0.0297522 + 0.9995573
    )
    #expect(abs(crop.width * frame.width / (crop.height * frame.height) - 1.5) < 0.0001)
    #expect(crop.angle == -1.704933)
    #expect(abs(crop.left + crop.width / 2 - 0.5) < 1e-9)
  }

  @Test func aCropWithoutRotationKeepsItsPosition() {
    let crop = TurnedCrop(left: 0.1, top: 0.2, right: 0.5, bottom: 0.9, slant: 0, aspect: 1.5)
    let edges = [crop.left, crop.top, crop.width, crop.height]
    for (edge, expected) in zip(edges, [0.1, 0.2, 0.4, 0.7]) {
      #expect(abs(edge - expected) < 1e-9)
    }
  }

  /// A crop at a corner of the stored pixels stays at that corner of the picture after each
  /// orientation is corrected.
  @Test(arguments: Orientation.allCases)
  func anImportedCropFollowsTheOrientation(_ orientation: Orientation) {
    let corner = TurnedCrop(left: 0, top: 0, right: 0.2, bottom: 0.1, slant: 3, aspect: 1)
    let upright = TurnedCrop(left: 0, top: 0, right: 0.2, bottom: 0.1, slant: 0, aspect: 1)
      .upright(orientation)
    // The corner of the upright photo at which the first row and the first column of the stored
    // pixels meet.
    let expected: (x: Double, y: Double) =
      switch orientation {
      case .upright, .mirroredTurnedLeft: (0, 0)
      case .mirrored, .turnedLeft: (1, 0)
      case .upsideDown, .mirroredTurnedRight: (1, 1)
      case .mirroredUpsideDown, .turnedRight: (0, 1)
      }
    #expect(abs((expected.x == 0 ? upright.left : 1 - upright.left - upright.width)) < 1e-9)
    #expect(abs((expected.y == 0 ? upright.top : 1 - upright.top - upright.height)) < 1e-9)
    #expect((upright.width < upright.height) == orientation.swapsEdges)
    let isMirrored = orientation.correction.flip
    #expect(corner.upright(orientation).angle == (isMirrored ? 3 : -3))
  }

  /// A rectangle in RawTherapee's frame has its centre at the same place of the photo, and its size.
  @Test(arguments: [-30.0, 5, 44], [false, true])
  func aCropInAFrameOfThePhotosSizeKeepsItsPixels(_ angle: Double, _ fills: Bool) {
    let size = Size(600, 400)
    let centred = Rectangle(left: 200, top: 150, size: Size(200, 100))
    let moved = Rectangle(left: 210, top: 130, size: Size(200, 100))
    let (c, s) = (abs(cos(angle * .pi / 180)), abs(sin(angle * .pi / 180)))
    let frame = (x: 600 * c + 400 * s, y: 600 * s + 400 * c)
    let (first, second) = (
      TurnedCrop(centred, in: size, turnedBy: angle, fills: fills),
      TurnedCrop(moved, in: size, turnedBy: angle, fills: fills)
    )
    #expect(abs(first.left + first.width / 2 - 0.5) < 1e-9)
    #expect(abs(first.top + first.height / 2 - 0.5) < 1e-9)
    let scale = first.width * frame.x / 200
    #expect(abs(first.height * frame.y / 100 - scale) < 1e-9)
    #expect(fills ? scale < 1 : scale == 1 || abs(scale - 1) < 1e-9)
    #expect(abs((second.left - first.left) * frame.x - 10 * scale) < 1e-9)
    #expect(abs((second.top - first.top) * frame.y + 20 * scale) < 1e-9)
  }
}
