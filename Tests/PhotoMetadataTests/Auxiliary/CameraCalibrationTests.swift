import PhotoRecipes
import TestRandom
import Testing

@testable import PhotoMetadata

/// The camera's calibration of a depth map follows the geometry of a rendition: points in space are
/// projected to the same pixels.
@Suite struct CameraCalibrationTests {
  private static let reference = Size(4032, 3024)
  private static let intrinsic = [3032.5, 0, 0, 0, 3032.5, 0, 1988.25, 1512.75, 1]
  /// A rotation by 20° around the vertical axis, and a translation, column by column.
  private static let extrinsic = [
    0.9396926207859084, 0, -0.3420201433256687, 0, 1, 0, 0.3420201433256687, 0,
    0.9396926207859084, 12, -3, 40,
  ]

  private static func data(
    _ change: (inout XMP) -> Void = { _ in }
  ) -> AuxiliaryData {
    var xmp = XMP()
    func set(_ name: String, _ values: [Double]) {
      xmp.set(AppleName.depth(name), "Seq", values.map { "\($0)" })
    }
    set("IntrinsicMatrix", intrinsic)
    set("ExtrinsicMatrix", extrinsic)
    set("LensDistortionCoefficients", [0, 0.5, 0.1])
    for (name, text) in [
      "IntrinsicMatrixReferenceWidth": "4032", "IntrinsicMatrixReferenceHeight": "3024",
      "LensDistortionCenterOffsetX": "1990", "LensDistortionCenterOffsetY": "1515",
      "PixelSize": "0.0019", "Quality": "high",
    ] {
      xmp.set(AppleName.depth(name), text: text)
    }
    change(&xmp)
    return AuxiliaryData(.depth, picture: [], xmp)
  }

  /// The pixel of a point in space: the pose maps positions of the camera to positions in space.
  private static func pixel(
    _ point: [Double], _ intrinsic: [Double], _ extrinsic: [Double]
  ) -> SIMD2<Double> {
    var (seen, rows) = ([0.0, 0, 0], [0.0, 0, 0])
    for column in 0..<3 {
      for row in 0..<3 {
        seen[column] += extrinsic[3 * column + row] * (point[row] - extrinsic[9 + row])
      }
    }
    for row in 0..<3 {
      for column in 0..<3 { rows[row] += intrinsic[3 * column + row] * seen[column] }
    }
    return SIMD2(rows[0] / rows[2], rows[1] / rows[2])
  }

  /// Maps from positions in a rendition to positions in the photo as stored, with the size of the
  /// rendition.
  private static let maps: [(Homography, Size)] = {
    let turn = Orientation.turnedRight.stored
    let crop = Homography.translation([0.25, 0.1]).after(.scale(0.5, 0.7))
    let (sine, cosine) = (0.17364817766693033, 0.984807753012208)
    // A straightening by 10° around the centre, in pixels of the photo.
    let pixels = Homography.scale(4032, 3024)
    let tilt = Homography.translation([2016, 1512])
      .after(Homography([cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]))
      .after(.translation([-1000, -750]))
    return [
      (.identity, reference), (.identity, Size(1008, 756)), (crop, Size(2016, 2117)),
      (crop, Size(504, 529)), (turn, Size(3024, 4032)), (turn.after(turn), reference),
      (turn.after(turn).after(turn), Size(756, 1008)),
      (crop.after(turn), Size(2117, 2016)),
      (pixels.inverse.after(tilt).after(.scale(2000, 1500)), Size(2000, 1500)),
    ]
  }()

  @Test func pointsInSpaceAreProjectedToTheirPixelsInTheRendition() throws {
    var random = SeededGenerator(seed: 28)
    for (place, size) in Self.maps {
      var data = Self.data()
      #expect(data.moveCalibration(to: size, of: Self.reference, place) == nil)
      let found = try #require(CameraCalibration(data.xmp))
      #expect(found.reference == SIMD2(Double(size.width), Double(size.height)))
      #expect(found.intrinsic[0] > 0 && found.intrinsic[4] > 0 && found.intrinsic[3] == 0)
      let map = Homography.scale(Double(size.width), Double(size.height))
        .after(place.inverse).after(.scale(1 / 4032, 1 / 3024))
      for _ in 0..<50 {
        let point = [
          Double.random(in: -900...900, using: &random), .random(in: -900...900, using: &random),
          .random(in: 2000...9000, using: &random),
        ]
        let wanted = map(Self.pixel(point, Self.intrinsic, Self.extrinsic))
        let pixel = Self.pixel(point, found.intrinsic, found.extrinsic)
        #expect(abs(pixel.x - wanted.x) < 1e-6 && abs(pixel.y - wanted.y) < 1e-6, "\(size)")
      }
      // The distance in millimetres between the principal point and the distortion's centre stays.
      let centre = try #require(found.centre)
      let way = (centre - SIMD2(found.intrinsic[6], found.intrinsic[7])) * (found.pixelSize ?? 0)
      let before = SIMD2(1990 - 1988.25, 1515 - 1512.75) * 0.0019
      let (length, wanted) = ((way * way).sum(), (before * before).sum())
      #expect(abs(length / wanted - 1) < 0.001, "\(size)")
      let coefficients = AppleName.depth("LensDistortionCoefficients")
      #expect(data.xmp.texts(coefficients) == ["0.0", "0.5", "0.1"])
    }
  }

  /// The calibration of a picture that the container rotates refers to the picture before this
  /// rotation, as in portraits of iPhones.
  @Test func aRotationInTheContainerIsAPartOfTheMap() throws {
    var turned = Self.data()
    turned.coded = .turnedLeft
    #expect(
      turned.moveCalibration(to: Size(3024, 4032), of: Size(3024, 4032), .identity) == nil)
    var stored = Self.data()
    #expect(
      stored.moveCalibration(
        to: Size(3024, 4032), of: Self.reference, Orientation.turnedLeft.stored) == nil)
    #expect(turned.xmp == stored.xmp)
    let found = try #require(CameraCalibration(turned.xmp))
    #expect(abs(found.intrinsic[6] - (3024 - 1512.75)) < 1e-9)
    #expect(abs(found.intrinsic[7] - 1988.25) < 1e-9)
  }

  @Test func aCalibrationThatDoesNotHoldIsRemovedWithAReason() {
    let mirror = Homography([-1, 0, 1], [0, 1, 0], [0, 0, 1])
    let keystone = Homography.square(to: [[0, 0], [1, 0.1], [1, 0.9], [0, 1]])
    let cases: [(Homography, Size, AuxiliaryData, String)] = [
      (mirror, Self.reference, Self.data(), "mirrored"),
      (keystone, Self.reference, Self.data(), "perspective"),
      (.identity, Size(4032, 2000), Self.data(), "stretched"),
      (
        .identity, Self.reference,
        Self.data { $0.set(AppleName.depth("IntrinsicMatrixReferenceWidth"), text: "3024") },
        "whole photo"
      ),
      (
        .identity, Self.reference,
        Self.data { $0.set(AppleName.depth("IntrinsicMatrix"), "Seq", ["1", "x"]) }, "whole photo"
      ),
      (
        .identity, Self.reference,
        Self.data { $0.set(AppleName.depth("IntrinsicMatrixReferenceHeight"), text: "nan") },
        "whole photo"
      ),
    ]
    for (place, size, start, reason) in cases {
      var data = start
      let said = data.moveCalibration(to: size, of: Self.reference, place)
      #expect(said?.contains(reason) == true, "\(said ?? "kept")")
      for name in CameraCalibration.names { #expect(data.xmp[name] == nil, "\(name)") }
      #expect(data.xmp.text(AppleName.depth("Quality")) == "high")
    }
    var plain = AuxiliaryData(.portrait, picture: [], XMP())
    #expect(plain.moveCalibration(to: Self.reference, of: Self.reference, keystone) == nil)
  }

  /// Values that no camera has are not used, and can be written.
  @Test(arguments: ["1e300", "-1e300", "inf", "nan"]) func absurdValuesAreNotUsed(_ text: String) {
    let numbers = Self.intrinsic.map { "\($0)" }
    let matrix = Self.data {
      $0.set(AppleName.depth("IntrinsicMatrix"), "Seq", numbers.map { $0 == "1512.75" ? text : $0 })
    }
    #expect(CameraCalibration(matrix.xmp) == nil)
    var pose = Self.data {
      $0.set(AppleName.depth("ExtrinsicMatrix"), "Seq", (0..<12).map { _ in text })
      $0.set(AppleName.depth("PixelSize"), text: text)
    }
    #expect(CameraCalibration(pose.xmp)?.extrinsic == [])
    #expect(pose.moveCalibration(to: Self.reference, of: Self.reference, .identity) == nil)
  }
}
