import Glibc

/// The correction of a lens: the errors to correct, and the profile of the lens once it is known.
public struct LensCorrection: Sendable, Hashable {
  public var distortion = true
  public var vignetting = true
  public var tca = true
  /// The magnification; nil for the least one with which no border is empty.
  public var scale: Double?
  /// The facts that replace facts in the photo's metadata.
  public var given = LensFacts()
  /// The profile; nil before the photo is known, and for an unknown lens.
  public var profile: LensProfile?

  public init() {}

  /// The facts about a photo, where facts that the step states replace the photo's own.
  public func facts(of photo: LensFacts) -> LensFacts {
    var facts = photo
    if !given.camera.isEmpty { (facts.maker, facts.camera) = ("", given.camera) }
    if !given.lens.isEmpty { facts.lens = given.lens }
    facts.isWritten = !given.camera.isEmpty || !given.lens.isEmpty
    facts.focalLength = given.focalLength ?? photo.focalLength
    facts.aperture = given.aperture ?? photo.aperture
    facts.distance = given.distance ?? photo.distance
    return facts
  }

  /// The correction of the positions of pixels in a photo of `size`, as stored; nil if there is
  /// nothing to correct.
  ///
  /// - Source: lensfun 0.3, `modifier.cpp`: the distance 1 is half the shorter edge of a photo from
  ///   the sensor with which the lens was measured; lengths are between the centres of pixels.
  func map(of size: Size) -> LensMap? {
    guard let profile else { return nil }
    let (short, long) = (Double(max(1, size.shortEdge - 1)), Double(max(1, size.longEdge - 1)))
    let diagonal = hypot(long / short, 1)
    let sensor = profile.measuredCrop / profile.crop * hypot(profile.measuredAspect, 1) / diagonal
    let middle = LensMap.Point(Double(size.width), Double(size.height)) / 2
    var map = LensMap(
      centre: middle + profile.shift * short / 2,
      unit: LensMap.Point(repeating: 2 / short * sensor))
    if distortion, let model = profile.distortion { map.distortion = model.coefficients }
    if tca {
      if let red = profile.red { map.red = [red.v, red.c, red.b] }
      if let blue = profile.blue { map.blue = [blue.v, blue.c, blue.b] }
    }
    return map
  }

  /// The correction of the brightness in a frame of `size` with the map `map`; nil if there is
  /// nothing to correct.
  ///
  /// - Source: lensfun 0.3, `mod-color.cpp`: here the distance 1 is half the diagonal.
  func falloff(_ map: LensMap, _ size: Size) -> LensFalloff? {
    guard vignetting, let profile, let model = profile.vignetting else { return nil }
    let extent = LensMap.Point(Double(size.width), Double(size.height))
    return LensFalloff(
      model.factors, centre: map.centre / extent,
      reach: map.unit * extent / hypot(profile.measuredAspect, 1))
  }
}

extension LensCorrection: CustomStringConvertible {
  public var description: String {
    let kinds = [
      distortion ? "distortion" : nil, vignetting ? "vignetting" : nil,
      tca ? "lateral colour" : nil,
    ].compactMap(\.self)
    let what = kinds.joined(separator: ", ")
    guard let profile else { return "lens: \(what)" }
    return "lens \(profile.lens) on \(profile.camera): \(what)"
  }
}
