import TestRandom
import Testing

@testable import PhotoRecipes

/// Faces in frames, and crop windows that contain whole faces.
@Suite struct FaceTests {
  private static let face = Face(left: 0.2, top: 0.4, width: 0.2, height: 0.3)

  @Test func boundsAndPositionsOfAFaceAgree() {
    let (x, y) = Self.face.bounds()
    #expect(abs(x.lowerBound - 0.2) < 1e-12 && abs(x.upperBound - 0.4) < 1e-12)
    #expect(abs(y.lowerBound - 0.4) < 1e-12 && abs(y.upperBound - 0.7) < 1e-12)
    #expect(abs(Self.face.area - 0.06) < 1e-12)
    let corner = Self.face.place(of: .init(0.4, 0.4))
    #expect(abs(corner.x - 1) < 1e-12 && abs(corner.y + 1) < 1e-12)
  }

  @Test func facesMoveWithTheRotatedFrame() throws {
    // The frame is turned by 90° clockwise.
    let turned = try #require(Self.face.moved(by: Homography([0, -1, 1], [1, 0, 0], [0, 0, 1])))
    let (x, y) = turned.bounds()
    #expect(abs(x.lowerBound - 0.3) < 1e-12 && abs(x.upperBound - 0.6) < 1e-12)
    #expect(abs(y.lowerBound - 0.2) < 1e-12 && abs(y.upperBound - 0.4) < 1e-12)
    // The upper edge of the upright face is now on the right.
    #expect(turned.down.x < 0)
    let upright = turned.upright
    #expect(abs(upright.right.x - 0.15) < 1e-12 && upright.right.y == 0)
    #expect(abs(upright.down.y - 0.1) < 1e-12 && upright.down.x == 0)
    #expect(Self.face.moved(by: .translation(.init(0.75, 0))) == nil)
    #expect(Self.face.seen(through: .translation(.init(0.75, 0))) != nil)
    #expect(Self.face.seen(through: .scale(0, 1)) == nil)
  }

  @Test func facesOverlapIfOneContainsTheCentreOfTheOther() {
    #expect(Self.face.overlaps(Face(left: 0.25, top: 0.5, width: 0.05, height: 0.05)))
    #expect(Face(left: 0.25, top: 0.5, width: 0.05, height: 0.05).overlaps(Self.face))
    #expect(!Self.face.overlaps(Face(left: 0.36, top: 0.4, width: 0.2, height: 0.3)))
  }

  /// Windows over random faces are compared with an exhaustive search.
  @Test(arguments: 0..<200) func cropWindowsContainWholeFaces(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let faces = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
      let size = Double.random(in: 0.02...0.3, using: &generator)
      return Face(
        left: .random(in: 0...(1 - size), using: &generator), top: 0.4, width: size, height: 0.1)
    }
    let length = Double.random(in: 0.2...0.9, using: &generator)
    let starts = try #require(FaceWindow.starts(keeping: faces, length: length, isAcross: true))
    #expect(starts.lowerBound >= 0 && starts.upperBound <= 1 - length + 1e-9)
    let sorted = faces.sorted { $0.area > $1.area }
    func kept(_ start: Double) -> [Bool] {
      sorted.map { face in
        let (x, _) = face.bounds()
        return x.lowerBound >= start - 1e-9 && x.upperBound <= start + length + 1e-9
      }
    }
    let (first, last) = (kept(starts.lowerBound), kept(starts.upperBound))
    let tries = stride(from: 0, through: 1 - length, by: 0.002).map(kept)
    // The ranges to keep are 10 % wider than the faces.
    if sorted[0].right.x * 2.2 <= length {
      #expect(first[0] && last[0], "\(faces) \(length)")
    }
    let hull = faces.map { $0.bounds(width: 1.1).x }
    let all = (hull.map(\.upperBound).max() ?? 0) - (hull.map(\.lowerBound).min() ?? 0)
    if all <= length { #expect(!first.contains(false) && !last.contains(false)) }
    func weight(_ kept: [Bool]) -> Double {
      zip(sorted, kept).reduce(0) { $0 + ($1.1 ? $1.0.area : 0) }
    }
    let most = tries.filter { $0[0] }.map(weight).max() ?? 0
    // Without the space around faces, the window may contain slightly more.
    #expect(weight(first) >= 0.5 * most)
  }

  /// A window with enough room keeps the whole head above a face: its crown is two and a half times
  /// as far above the middle of the face as the chin is below it.
  ///
  /// A lower window keeps the forehead, and one that is lower still the face only.
  @Test(arguments: [(0.5, 2.6), (0.35, 1.8), (0.26, 1.1)])
  func aWindowKeepsTheHairAboveAFace(_ length: Double, _ above: Double) throws {
    let face = Face(left: 0.4, top: 0.4, width: 0.1, height: 0.2)
    let starts = try #require(FaceWindow.starts(keeping: [face], length: length, isAcross: false))
    #expect(starts.upperBound <= 0.5 - 0.1 * above)
    #expect(starts.lowerBound + length >= 0.6)
  }

  @Test func aFaceLargerThanTheWindowIsInItsMiddle() throws {
    let face = Face(left: 0.3, top: 0.2, width: 0.5, height: 0.5)
    let starts = try #require(FaceWindow.starts(keeping: [face], length: 0.3, isAcross: true))
    #expect(abs(starts.lowerBound - 0.4) < 1e-12 && starts.lowerBound == starts.upperBound)
    #expect(FaceWindow.starts(keeping: [], length: 0.3, isAcross: true) == nil)
  }
}
