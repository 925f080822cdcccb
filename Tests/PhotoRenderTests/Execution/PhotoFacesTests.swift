import Foundation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// Faces that a photo's metadata mark, or that are detected in its pixels, and steps that use them.
@Suite struct PhotoFacesTests {
  /// A plain face with coloured eyes on the right of a wall; without a mark, crops keep the strong
  /// noise on the left instead.
  private static let face = [0.8, 0.3, 0.1, 0.25]
  private static let (width, height) = (240, 96)

  private static let wall: Samples = {
    let noise = Samples.noise(width, height)
    return Samples(width, height) { x, y in
      x < 80 ? noise[x, y] : isFace(x, y) ? [96, 92, 90] : [90, 90, 90]
    }
  }()

  private static func isFace(_ x: Int, _ y: Int) -> Bool {
    (192..<216).contains(x) && (29..<53).contains(y)
  }

  private static func start(_ file: [UInt8], _ settings: String = "") throws -> Int? {
    let crop = "[\(SmartCrop.step(#""aspect": "1:1""# + settings))]"
    let found = try Samples(file: Studio.develop(file, crop))
    try #require(found.width == height && found.height == height)
    return (0...(width - height)).first { wall.part($0, 0, height, height) == found }
  }

  @Test(arguments: ["", #", "strategy": "attention""#, #", "strategy": "entropy""#])
  func aSmartCropKeepsAMarkedFace(_ settings: String) throws {
    let plain = try #require(try Self.start(Self.wall.file(), settings))
    #expect(plain < 60)
    let marked = try Self.start(MarkedPhoto.png(Self.wall, [Self.face]), settings)
    let start = try #require(marked)
    #expect(start <= 192 && start + Self.height >= 216, "\(start)")
  }

  @Test func aPointAndOtherRegionsDoNotKeepAFace() throws {
    let point = #", "strategy": "focal", "focus": [0.2, 0.5]"#
    #expect(try Self.start(MarkedPhoto.png(Self.wall, [Self.face]), point) == 0)
    let pet = try Self.start(MarkedPhoto.png(Self.wall, [Self.face], type: "Pet"))
    #expect(try pet == Self.start(Self.wall.file()))
  }

  /// Marked regions are relative to the stored photo, so they are rotated with the photo.
  @Test(arguments: 1...8) func markedFacesAreRotatedWithThePhoto(_ orientation: Int) throws {
    let file = try MarkedPhoto.jpeg(Self.wall, [Self.face], orientation: orientation)
    let before = #"[{"filter": "exposure", "stops": 0.1}, \#(SmartCrop.step(#""aspect": "1:1""#))]"#
    let crop = try Samples(file: Studio.develop(file, before))
    #expect(crop.width == Self.height && crop.height == Self.height)
    let mask = #"[{"filter": "threshold", "level": 0, "mask": {"face": "all"}}]"#
    let masked = try Samples(file: Studio.develop(file, mask))
    var white: [(x: Double, y: Double)] = []
    for y in 0..<masked.height {
      for x in 0..<masked.width where masked[x, y].min() ?? 0 > 250 {
        white.append((Double(x) + 0.5, Double(y) + 0.5))
      }
    }
    let upright = try #require(Orientation(rawValue: orientation)).stored.inverse
    let centre = upright(.init(Self.face[0] + Self.face[2] / 2, Self.face[1] + 0.125))
    let inside = white.filter {
      abs($0.x / Double(masked.width) - centre.x) < 0.3
        && abs($0.y / Double(masked.height) - centre.y) < 0.3
    }
    #expect(inside.count > 300, "\(inside.count)")
  }

  /// A mark does not state the direction of a face, which is upright in the upright photo.
  @Test(arguments: Orientation.allCases)
  func aMarkedFaceIsUprightInTheUprightPhoto(_ orientation: Orientation) throws {
    func eyes(_ orientation: Orientation) throws -> Samples {
      // The face is from (0.4, 0.3) to (0.6, 0.6) in the upright photo.
      let corners = [orientation.stored(.init(0.4, 0.3)), orientation.stored(.init(0.6, 0.6))]
      let (left, right) = (min(corners[0].x, corners[1].x), max(corners[0].x, corners[1].x))
      let (top, bottom) = (min(corners[0].y, corners[1].y), max(corners[0].y, corners[1].y))
      let size = orientation.swapsEdges ? (200, 300) : (300, 200)
      let file = try MarkedPhoto.jpeg(
        .flat([100, 100, 100], size.0, size.1), [[left, top, right - left, bottom - top]],
        orientation: orientation.rawValue)
      let step = #"[{"filter": "invert", "mask": {"face": "eyes"}}]"#
      return try Samples(file: Studio.develop(file, step))
    }
    #expect(try eyes(orientation).difference(from: eyes(.upright)) <= 2)
  }

  /// Skin in cold light gets the hue that `skinTone` prefers, although the step states no position.
  @Test func skinToneFindsTheSkinInMarkedFaces() throws {
    let photo = Samples(200, 100) { x, y in
      (120..<160).contains(x) && (30..<70).contains(y) ? [142, 128, 134] : [120, 130, 140]
    }
    let step = #"[{"filter": "skinTone", "strength": 1}]"#
    let found = try Samples(
      file: Studio.develop(MarkedPhoto.png(photo, [[0.6, 0.3, 0.2, 0.4]]), step))
    let skin = Lab(red: found[140, 50, 0], green: found[140, 50, 1], blue: found[140, 50, 2])
    #expect(abs(skin.a - 16.7) < 1.5 && abs(skin.b - 18.6) < 1.5, "\(skin)")
    let without = try Samples(file: Studio.develop(photo.file(), step))
    #expect(without == photo)
  }

  @Test func aFaceMaskCoversTheEyesOrAnotherPart() throws {
    let photo = Samples.flat([100, 100, 100], 300, 200)
    let file = try MarkedPhoto.png(photo, [[0.4, 0.3, 0.2, 0.3]])
    func changes(_ part: String, _ more: String = "") throws -> Samples {
      let step = #"[\#(more){"filter": "invert", "mask": {"face": "\#(part)"}}]"#
      return try Samples(file: Studio.develop(file, step))
    }
    // The face is 60 pixels wide and high, around (150, 90).
    func isChanged(_ samples: Samples, _ x: Int, _ y: Int) -> Bool { samples[x, y, 0] > 140 }
    let (skin, eyes, all) = (try changes("skin"), try changes("eyes"), try changes("all"))
    let (cheek, eye, hair, away) = ((136, 97), (137, 79), (150, 42), (60, 90))
    #expect(isChanged(skin, cheek.0, cheek.1) && !isChanged(skin, eye.0, eye.1))
    #expect(!isChanged(skin, hair.0, hair.1) && skin[away.0, away.1] == [100, 100, 100])
    #expect(!isChanged(eyes, cheek.0, cheek.1) && isChanged(eyes, eye.0, eye.1))
    #expect(eyes[hair.0, hair.1] == [100, 100, 100] && eyes[away.0, away.1] == [100, 100, 100])
    for place in [cheek, eye, hair] { #expect(isChanged(all, place.0, place.1)) }
    #expect(all[away.0, away.1] == [100, 100, 100])
    // The mask follows changes of the frame.
    let flipped = try changes("eyes", #"{"filter": "crop", "left": 0.2}, {"filter": "flip"}, "#)
    #expect(flipped.width == 240 && isChanged(flipped, 239 - (eye.0 - 60), eye.1))
    #expect(flipped[239 - (hair.0 - 60), hair.1] == [100, 100, 100])
  }

  @Test(.enabled(if: FaceDetector.library != nil))
  func aFaceMaskOfAPhotoWithoutFacesIsEmpty() throws {
    let file = try Samples.waves(300, 200, maximum: 255).file()
    let step = #"[{"filter": "invert", "mask": {"face": "all"}}]"#
    let masked = try Samples(file: Studio.develop(file, step))
    #expect(try masked.difference(from: Samples(file: Studio.develop(file, "[]"))) <= 1)
  }

  /// Real photos: one face is detected in each of two photos of a person, a phone marked the face
  /// in the third, and no face is detected in the photo of a plant.
  @Test(
    .enabled(if: Corpus.isHere && FaceDetector.library != nil),
    arguments: [
      ("photos/metadata-extractor/Issue 116.jpg", "1 detected"),
      ("photos/metadata-extractor/FujiFilm DX-5.jpg", "1 detected"),
      ("aux/ios-depth-sampler/image-with-matte.jpg", "1 marked in the metadata, 0 detected"),
      ("aux/exifr/xmp depth map.jpg", "0 detected"),
    ])
  func facesOfRealPhotosAreFound(_ path: String, _ faces: String) throws {
    let place = "\(try #require(Corpus.folder))/\(path)"
    let file = PhotoFile.bytes(Array(try Data(contentsOf: URL(fileURLWithPath: place))))
    let lines = Renderer.description(of: file, InputSettings())
    #expect(lines.contains("faces: \(faces)"), "\(lines)")
  }

  @Test func aFaceMaskAfterAnExternalProgramIsAnError() throws {
    let steps =
      #"[{"filter": "external", "command": ["cat"]}, "#
      + #"{"filter": "invert", "mask": {"face": "eyes"}}]"#
    let file = try MarkedPhoto.png(Self.wall, [Self.face])
    #expect(throws: RenderError.lostFaces) { try Studio.develop(file, steps) }
  }
}
