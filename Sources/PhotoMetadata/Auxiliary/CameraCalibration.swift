import Notation
public import PhotoRecipes

/// The calibration of the camera of a depth map, as iPhones describe it in XMP.
///
/// - Source: Apple, AVFoundation, `AVCameraCalibrationData`; the turned photos that Photos exports.
struct CameraCalibration {
  /// The focal lengths and the principal point in pixels of `reference`: a matrix of 3 × 3 values,
  /// column by column.
  var intrinsic: [Double]
  /// The pose of the camera: a matrix of 3 × 4 values, column by column; empty if it is not stated.
  var extrinsic: [Double]
  /// The size in pixels to which the other values refer.
  var reference: SIMD2<Double>
  /// The centre of the lens's distortion in pixels; nil if it is not stated.
  var centre: SIMD2<Double>?
  /// The size of a pixel of `reference` in millimetres, which is the unit of the coefficients of the
  /// lens's distortion; nil if it is not stated.
  var pixelSize: Double?

  private static let matrix = AppleName.depth("IntrinsicMatrix")
  private static let pose = AppleName.depth("ExtrinsicMatrix")
  private static let size = ["Width", "Height"].map {
    AppleName.depth("IntrinsicMatrixReference\($0)")
  }
  private static let middle = ["X", "Y"].map {
    AppleName.depth("LensDistortionCenterOffset\($0)")
  }
  private static let pixel = AppleName.depth("PixelSize")
  private static let coefficients = ["LensDistortion", "InverseLensDistortion"].map {
    AppleName.depth("\($0)Coefficients")
  }

  /// The names of all properties of a calibration.
  static let names = [matrix, pose, pixel] + size + middle + coefficients

  /// Reads a calibration; nil if the XMP contains none, or if it is damaged.
  init?(_ xmp: XMP) {
    func numbers(_ name: MarkupName) -> [Double] { xmp.texts(name).compactMap { Double($0) } }
    func point(_ names: [MarkupName]) -> SIMD2<Double>? {
      let values = names.flatMap(numbers)
      return values.count == 2 ? SIMD2(values[0], values[1]) : nil
    }
    intrinsic = numbers(Self.matrix)
    guard intrinsic.count == 9, intrinsic.allSatisfy(Self.isUsable), intrinsic[0] > 0,
      intrinsic[4] > 0, let reference = point(Self.size), reference.min() > 0,
      reference.max() < 1e6
    else { return nil }
    let pose = numbers(Self.pose)
    extrinsic = pose.count == 12 && pose.allSatisfy(Self.isUsable) ? pose : []
    self.reference = reference
    centre = point(Self.middle).flatMap { Self.isUsable($0.x) && Self.isUsable($0.y) ? $0 : nil }
    pixelSize = numbers(Self.pixel).first.flatMap { Self.isUsable($0) ? $0 : nil }
  }

  /// False for values that no camera has.
  private static func isUsable(_ value: Double) -> Bool { value.isFinite && abs(value) < 1e9 }

  /// The reason why a calibration does not hold after a change of the geometry.
  enum Obstacle: Error {
    case perspective, mirrored, stretched, otherShape

    var message: String {
      switch self {
      case .perspective: "the perspective changed"
      case .mirrored: "the picture is mirrored"
      case .stretched: "the picture is stretched"
      case .otherShape: "it does not refer to the whole photo"
      }
    }
  }

  /// Turns, shifts and scales the calibration.
  ///
  /// `map` maps pixels of the reference size to pixels of the new size.
  mutating func move(by map: Homography, to size: Size) throws(Obstacle) {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { SIMD2($0, $1) * reference }
    let depths = corners.map { map.depth(at: $0) }
    guard let least = depths.min(), let most = depths.max(), least > 0, most - least < 1e-6 * most
    else { throw .perspective }
    let (across, down) = (map.rows[0] / most, map.rows[1] / most)
    let (focal, skew) = (SIMD2(intrinsic[0], intrinsic[4]), intrinsic[3])
    // The rows of the map's linear part times the intrinsic matrix: focal lengths times a rotation.
    let first = SIMD2(across.x * focal.x, across.x * skew + across.y * focal.y)
    let second = SIMD2(down.x * focal.x, down.x * skew + down.y * focal.y)
    let lengths = SIMD2((first * first).sum().squareRoot(), (second * second).sum().squareRoot())
    guard first.x * second.y - first.y * second.x > 0 else { throw .mirrored }
    // A quarter turn exchanges the focal lengths.
    let ratios = [lengths.x / lengths.y, lengths.x * focal.y / (lengths.y * focal.x)]
    guard abs((first * second).sum()) < 0.01 * lengths.x * lengths.y,
      ratios.contains(where: { abs($0 - 1) < 0.01 })
    else { throw .stretched }
    let principal = map(SIMD2(intrinsic[6], intrinsic[7]))
    intrinsic = [lengths.x, 0, 0, 0, lengths.y, 0, principal.x, principal.y, 1]
    turn(first / lengths.x, second / lengths.y)
    centre = centre.map { map($0) }
    let scale = abs(across.x * down.y - across.y * down.x).squareRoot()
    pixelSize = pixelSize.map { $0 / scale }
    reference = SIMD2(Double(size.width), Double(size.height))
  }

  /// Multiplies the pose by the inverse of a rotation of the picture, whose upper left rows are
  /// given.
  private mutating func turn(_ first: SIMD2<Double>, _ second: SIMD2<Double>) {
    guard !extrinsic.isEmpty else { return }
    for row in 0..<3 {
      let old = SIMD2(extrinsic[row], extrinsic[3 + row])
      extrinsic[row] = (old * first).sum()
      extrinsic[3 + row] = (old * second).sum()
    }
  }

  /// Writes the values, in place of those from which the calibration was read.
  func write(to xmp: inout XMP) {
    func number(_ value: Double) -> String {
      let rounded = value.rounded()
      if abs(value - rounded) < 1e-9, let whole = Int(exactly: rounded) { return "\(whole)" }
      return "\(value)"
    }
    xmp.set(Self.matrix, "Seq", intrinsic.map(number))
    if !extrinsic.isEmpty { xmp.set(Self.pose, "Seq", extrinsic.map(number)) }
    for (name, value) in zip(Self.size, [reference.x, reference.y]) {
      xmp.set(name, text: number(value))
    }
    if let centre {
      for (name, value) in zip(Self.middle, [centre.x, centre.y]) {
        xmp.set(name, text: "\(value)")
      }
    }
    if let pixelSize { xmp.set(Self.pixel, text: "\(pixelSize)") }
  }
}

extension AuxiliaryData {
  /// Moves the calibration of the camera to the frame of a rendition; removes it if it does not
  /// hold there.
  ///
  /// - Parameters:
  ///   - rendition: The size of the rendition.
  ///   - photo: The size of the photo as stored.
  ///   - place: Maps positions in the rendition to positions in the photo as stored, both 0…1.
  /// - Returns: The reason why the calibration was removed; nil if it was kept, or if there is none.
  public mutating func moveCalibration(
    to rendition: Size, of photo: Size, _ place: Homography
  ) -> String? {
    guard CameraCalibration.names.contains(where: { xmp[$0] != nil }) else { return nil }
    do throws(CameraCalibration.Obstacle) {
      guard var calibration = CameraCalibration(xmp) else { throw .otherShape }
      let reference = calibration.reference
      let size = coded.swapsEdges ? Size(photo.height, photo.width) : photo
      let shape = Double(size.width) / Double(size.height)
      guard abs(reference.x / reference.y / shape - 1) < 0.02 else { throw .otherShape }
      let map = Homography.scale(Double(rendition.width), Double(rendition.height))
        .after(place.inverse).after(coded.stored.inverse)
        .after(.scale(1 / reference.x, 1 / reference.y))
      try calibration.move(by: map, to: rendition)
      calibration.write(to: &xmp)
      return nil
    } catch {
      xmp.removeAll { CameraCalibration.names.contains($0.name) }
      return error.message
    }
  }
}
