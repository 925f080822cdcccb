/// A small image that a point program stretches over the frame: a mask, or values measured from the
/// photo.
public enum MapSource: Sendable, Hashable, CustomStringConvertible {
  case values(MapValues)
  /// The luminance of an image file, 0…1, blurred by a Gaussian; its sigma is `feather` as a
  /// fraction of the image's shorter edge.
  case file(NamedFile, feather: Double)
  /// An auxiliary picture in the photo's file.
  case auxiliary(AuxiliaryMap)
  case coverage(CoverageMap)
  /// Parts of the photo's faces.
  case faces(FaceMap)

  public var description: String {
    switch self {
    case .values(let values): "\(values.size), \(values.bands) bands"
    case .file(let file, let feather): "\(file.path) feather \(feather.short)"
    case .auxiliary(let map): "\(map)"
    case .coverage(let map): "\(map)"
    case .faces(let map): "\(map)"
    }
  }

  /// True if the map needs the faces of the photo.
  public var showsFaces: Bool {
    switch self {
    case .faces: true
    case .coverage(let coverage): coverage.maps.contains(where: \.showsFaces)
    case .values, .file, .auxiliary: false
    }
  }

  /// True if the map depends on the frame of the step; such a map is small, and is computed again
  /// for each frame.
  public var dependsOnFrame: Bool {
    switch self {
    case .values, .file: false
    case .auxiliary, .coverage, .faces: true
    }
  }

  /// The same map for a step's frame of `size`; `place` is the position of that frame in the photo.
  func placed(in size: Size, _ place: AuxiliaryMap.Frame?) -> MapSource {
    switch self {
    case .values, .file: return self
    case .auxiliary(var map):
      if map.frame == nil { map.frame = place }
      return .auxiliary(map)
    case .coverage(let map): return .coverage(map.placed(in: size, place))
    case .faces(var map):
      if map.size == nil { (map.size, map.frame) = (size, place) }
      return .faces(map)
    }
  }

  /// True if the map depends on the faces in the photo.
  public var readsFaces: Bool {
    switch self {
    case .faces: true
    case .coverage(let map): map.maps.contains(where: \.readsFaces)
    case .values, .file, .auxiliary: false
    }
  }

  /// The files that the map reads.
  var files: [NamedFile] {
    switch self {
    case .file(let file, _): [file]
    case .coverage(let map): map.maps.flatMap(\.files)
    case .values, .auxiliary, .faces: []
    }
  }
}
