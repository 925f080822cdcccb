import PhotoRecipes
import TestSupport
import Testing

/// Removes the red of pupils.
@Suite struct RedEyeTests {
  private static let skin = [200, 150, 130]
  private static let pupil = [190, 40, 44]
  private static let lips = [190, 60, 70]

  /// A face of 160 × 160 pixels at (120, 60), with two red pupils, reflections on them, and red
  /// lips.
  private static let photo = Samples(400, 300) { x, y in
    func isNear(_ left: Int, _ top: Int, _ reach: Int) -> Bool {
      (x - left) * (x - left) + (y - top) * (y - top) <= reach * reach
    }
    if isNear(164, 108, 2) || isNear(232, 108, 2) { return [250, 250, 250] }
    if isNear(166, 110, 8) || isNear(234, 110, 8) { return pupil }
    if (180..<220).contains(x) && (180..<192).contains(y) { return lips }
    return skin
  }
  private static let face = [0.3, 0.2, 0.4, 160.0 / 300]

  private static func developed(_ file: [UInt8], _ settings: String = "") throws -> Samples {
    try Samples(file: Studio.develop(file, "[\(RedEye.step(settings))]"))
  }

  @Test func anAreaThatReachesBeyondTheFrameIsRefused() throws {
    for area in ["[0.9, 0.9, 0.3, 0.05]", "[0.2, 0.95, 0.1, 0.051]"] {
      RedEye.expectRefusal(
        of: #""areas": [[0, 0, 1, 1], \#(area)]"#, "area 2 of 'redEye' reaches beyond the frame")
    }
    _ = try Studio.recipe(#"[{"filter": "redEye", "areas": [[0.9, 0.7, 0.1, 0.3]]}]"#)
  }

  @Test func redPupilsOfMarkedFacesBecomeGrey() throws {
    let found = try Self.developed(MarkedPhoto.png(Self.photo, [Self.face]))
    // (40 + 44) ÷ 2 × 0.8.
    for (x, y) in [(170, 112), (230, 112), (166, 104)] {
      #expect(found[x, y].allSatisfy { abs($0 - 34) <= 1 }, "\(found[x, y])")
    }
    for (x, y) in [(164, 108), (200, 186), (150, 110), (20, 20)] {
      #expect(found[x, y] == Self.photo[x, y], "\(x), \(y)")
    }
  }

  /// A pupil at the edge of the place where a face's eye is expected, as large as the eye, and
  /// brighter, becomes grey as a whole.
  @Test func largeBrightPupilsBecomeGreyAsAWhole() throws {
    func isPupil(_ x: Int, _ y: Int) -> Bool {
      (x - 180) * (x - 180) + (y - 118) * (y - 118) <= 13 * 13
    }
    let photo = Samples(400, 300) { x, y in isPupil(x, y) ? [255, 110, 90] : Self.skin }
    let found = try Self.developed(MarkedPhoto.png(photo, [Self.face]))
    for y in 100..<140 {
      for x in 160..<200 where isPupil(x, y) {
        #expect(found[x, y, 0] - max(found[x, y, 1], found[x, y, 2]) <= 2, "\(found[x, y])")
      }
    }
    #expect(found[180, 140] == Self.skin)
  }

  /// Red lines and areas are no pupils.
  @Test func whatIsRedButNoPupilStays() throws {
    let photo = Samples(400, 300) { x, y in
      if abs(y - 100) <= 1 && (150..<185).contains(x) { return Self.pupil }
      if (200..<270).contains(x) && (80..<140).contains(y) { return [180, 60, 60] }
      return Self.skin
    }
    #expect(try Self.developed(MarkedPhoto.png(photo, [Self.face])) == photo)
  }

  /// In the light of a lamp the skin around the eyes is red, and a spot on the rim of glasses is half
  /// as red again.
  @Test func aSpotThatIsHardlyRedderThanItsSurroundingsStays() throws {
    let photo = Samples(400, 300) { x, y in
      if (x - 234) * (x - 234) + (y - 110) * (y - 110) <= 25 { return [174, 69, 46] }
      return (190..<280).contains(x) && (70..<150).contains(y) ? [176, 87, 59] : Self.skin
    }
    #expect(try Self.developed(MarkedPhoto.png(photo, [Self.face])) == photo)
  }

  /// Where the rim of glasses is dark, it can be much redder than its surroundings, but it is long.
  @Test func aLongRedSpotStays() throws {
    let photo = Samples(400, 300) { x, y in
      let (across, down) = (Double(x - 234) / 4, Double(y - 110) / 7.5)
      if across * across + down * down <= 1 { return [100, 24, 16] }
      return (190..<280).contains(x) && (70..<150).contains(y) ? [150, 55, 45] : Self.skin
    }
    #expect(try Self.developed(MarkedPhoto.png(photo, [Self.face])) == photo)
  }

  /// In red light, the redness of dark places varies much.
  ///
  /// The limit is 4.9 for this skin; the rim of
  /// glasses has a redness of 9, and a round place on it, of the size of a pupil, 14.
  @Test func aDarkPlaceInRedLightStays() throws {
    let photo = Samples(400, 300) { x, y in
      if (x - 234) * (x - 234) + (y - 110) * (y - 110) <= 16 { return [100, 22, 14] }
      return abs(y - 110) <= 4 && (195..<275).contains(x) ? [100, 28, 18] : [180, 80, 60]
    }
    #expect(try Self.developed(MarkedPhoto.png(photo, [Self.face])) == photo)
  }

  @Test func pupilsInGivenAreasBecomeGreyWithoutAFace() throws {
    let areas = #""areas": [[0.36, 0.3, 0.11, 0.14]], "darken": 0"#
    let found = try Self.developed(Self.photo.file(), areas)
    #expect(found[170, 112].allSatisfy { abs($0 - 42) <= 1 }, "\(found[170, 112])")
    #expect(found[230, 112] == Self.pupil)
    let half = try Self.developed(Self.photo.file(), areas + #", "strength": 0.5"#)
    #expect(abs(half[170, 112, 0] - 116) <= 1, "\(half[170, 112])")
  }

  /// An area around both eyes and the mouth, which is as red, but long.
  @Test func eachPupilOfAnAreaBecomesGreyAndLipsStay() throws {
    let found = try Self.developed(Self.photo.file(), #""areas": [[0.3, 0.2, 0.4, 0.533]]"#)
    for (x, y) in [(170, 112), (230, 112), (166, 104)] {
      #expect(found[x, y].allSatisfy { abs($0 - 34) <= 1 }, "\(found[x, y])")
    }
    #expect(found[200, 186] == Self.lips && found[150, 110] == Self.skin)
    let mouth = try Self.developed(Self.photo.file(), #""areas": [[0.4, 0.55, 0.2, 0.15]]"#)
    #expect(mouth == Self.photo)
  }

  /// The filter changes colours above a limit of redness; the test uses a ramp from skin to pure
  /// red.
  @Test func onlyPixelsAboveTheLimitOfRednessChange() throws {
    let ramp = Samples(256, 40) { x, _ in [200, 255 - x, 255 - x] }
    let found = try Self.developed(
      ramp.file(), #""areas": [[0, 0, 1, 1]], "darken": 0"#)
    for x in stride(from: 100, to: 156, by: 1) {
      let other = 255 - x
      let (red, rest) = (200.0 / 255, Double(other) / 255)
      let excess = red * red - 2.2 * (2 * rest * rest + 14 / 65_025)
      let part = min(1, max(0, excess / 0.03))
      let wanted = 200 + part * part * (3 - 2 * part) * Double(other - 200)
      #expect(abs(Double(found[x, 20, 0]) - wanted) <= 1.5, "\(x): \(found[x, 20]), \(wanted)")
      #expect(found[x, 20, 1] == other)
    }
  }

  @Test func photosWithoutFacesStayUnchanged() throws {
    let file = try Samples.flat(Self.pupil, 60, 40).file()
    #expect(try Studio.develop(file, "[\(RedEye.step(""))]") == Studio.develop(file, "[]"))
    try RedEye.expectNoChange(#""strength": 0"#)
    RedEye.expectRefusal(of: #""areas": [[0.1, 0.2]]"#, "areas")
  }
}
