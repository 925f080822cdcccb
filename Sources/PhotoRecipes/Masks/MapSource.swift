/// A small image that a program stretches over the frame: a mask, or what was measured of the photo.
public enum MapSource: Sendable, Hashable, CustomStringConvertible {
  case values(MapValues)
  /// The luminance of an image file, 0…1, blurred by a Gaussian of sigma `feather`, in parts of the
  /// image's shorter edge.
  case file(NamedFile, feather: Double)
  /// A picture that the photo's file has beside it.
  case auxiliary(AuxiliaryMap)
  case coverage(CoverageMap)

  public var description: String {
    switch self {
    case .values(let values): "\(values.size), \(values.bands) bands"
    case .file(let file, let feather): "\(file.path) feather \(feather.short)"
    case .auxiliary(let map): "\(map)"
    case .coverage(let map): "\(map)"
    }
  }

  /// True if every frame has another map, which is small and made anew for each.
  public var dependsOnFrame: Bool {
    switch self {
    case .values, .file: false
    case .auxiliary, .coverage: true
    }
  }

  /// The same map in a step's frame of `size`; `place` is where that lies in the photo.
  func placed(in size: Size, _ place: AuxiliaryMap.Frame?) -> MapSource {
    switch self {
    case .values, .file: return self
    case .auxiliary(var map):
      if map.frame == nil { map.frame = place }
      return .auxiliary(map)
    case .coverage(let map): return .coverage(map.placed(in: size, place))
    }
  }

  /// The files that it is made of.
  var files: [NamedFile] {
    switch self {
    case .file(let file, _): [file]
    case .coverage(let map): map.maps.flatMap(\.files)
    case .values, .auxiliary: []
    }
  }
}
