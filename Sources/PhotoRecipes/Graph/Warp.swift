import Glibc

/// Turns, tilts or straightens the photo, and selects the part of the result that is kept.
public struct Warp: Sendable, Hashable {
  public enum Change: Sendable, Hashable {
    /// A rotation clockwise, in degrees.
    case turn(Double)
    /// A virtual rotation of the camera, in degrees, with the 35 mm equivalent focal length in
    /// millimetres (for a frame with a longer edge of 36 mm).
    case tilt(pitch: Double, yaw: Double, focalLength: Double)
    /// The positions in the frame, 0…1, that become the corners: upper left, upper right, lower
    /// right, lower left.
    case corners([Homography.Point], aspect: Ratio?)
    /// Maps positions in an image of size `to` to positions in an image of size `from`, in pixels.
    case pixels(Homography, from: Size, to: Size)
    /// The correction of the lens; it has no effect before its profile is known.
    case lens(LensCorrection)
  }

  /// The part that is kept of a photo that is no longer rectangular.
  public enum Keeping: String, Choice {
    /// The largest rectangle with the photo's aspect ratio.
    case shape
    /// The largest rectangle of any aspect ratio.
    case most
    /// The whole photo, with a colour around it.
    case all
  }

  public var change: Change
  /// The map of a lens correction, only for `Change.pixels`; nil if there is no correction.
  ///
  /// The lens map maps a position that the homography returns to a position in the photo.
  public var lens: LensMap?
  public var keeping = Keeping.shape
  /// The colour outside the photo.
  public var colour = Colour.white

  public init(_ change: Change) { self.change = change }

  /// The map from the result's pixels to the pixels of a photo of `size`, and the result's size.
  public func resolved(for size: Size) -> (map: Homography, size: Size) {
    switch change {
    case .pixels(let map, _, let result): return (map, result)
    case .lens: return (.identity, size)
    case .corners(let corners, let aspect):
      let scale = Homography.Point(Double(size.width), Double(size.height))
      let places = corners.map { $0 * scale }
      let result = Self.size(of: places, aspect)
      let unit = Homography.scale(1 / Double(result.width), 1 / Double(result.height))
      return (Homography.square(to: places).after(unit), result)
    case .turn(let degrees):
      let angle = degrees * .pi / 180
      let turn = Homography([cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1])
      return kept(of: size, after: turn.after(Self.centred(size)))
    case .tilt(let pitch, let yaw, let focalLength):
      return kept(of: size, after: Self.tilt(size, pitch, yaw, focalLength))
    }
  }

  /// The size of the frame that four corners span: the mean lengths of opposite edges; with an
  /// aspect ratio, a frame of the same area in that ratio.
  private static func size(of corners: [Homography.Point], _ aspect: Ratio?) -> Size {
    func length(_ a: Int, _ b: Int) -> Double {
      let edge = corners[b] - corners[a]
      return (edge * edge).sum().squareRoot()
    }
    var width = (length(0, 1) + length(3, 2)) / 2
    var height = (length(0, 3) + length(1, 2)) / 2
    if let aspect {
      let ratio = Double(aspect.width) / Double(aspect.height)
      let area = width * height
      (width, height) = ((area * ratio).squareRoot(), (area / ratio).squareRoot())
    }
    return Size(max(1, Int(width.rounded())), max(1, Int(height.rounded())))
  }

  /// Maps pixel positions to positions relative to the centre.
  private static func centred(_ size: Size) -> Homography {
    .translation([-Double(size.width) / 2, -Double(size.height) / 2])
  }

  /// The homography of a camera that is rotated, with an unchanged scale at the photo's centre: `K
  /// · R · K⁻¹`.
  ///
  /// - Source: R. Hartley, A. Zisserman, "Multiple View Geometry" (2004), 8.4.2.
  private static func tilt(
    _ size: Size, _ pitch: Double, _ yaw: Double, _ focalLength: Double
  ) -> Homography {
    let focal = focalLength / 36 * Double(size.longEdge)
    let (a, b) = (pitch * .pi / 180, yaw * .pi / 180)
    let about = Homography([cos(b), 0, -sin(b)], [0, 1, 0], [sin(b), 0, cos(b)])
      .after(Homography([1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)]))
    let whole = Homography.scale(focal, focal).after(about)
      .after(.scale(1 / focal, 1 / focal)).after(centred(size))
    // Keeps the photo's centre at its position and scale.
    let centre = Homography.Point(Double(size.width) / 2, Double(size.height) / 2)
    let moved = whole(centre)
    let depth = whole.depth(at: centre)
    return Homography.scale(depth, depth).after(.translation(-moved)).after(whole)
  }

  /// Crops the photo, transformed by `map`, to the part that `keeping` selects.
  private func kept(of size: Size, after map: Homography) -> (Homography, Size) {
    let shape = Quadrilateral(size, through: map)
    let box: Quadrilateral.Box
    let result: Size
    switch keeping {
    case .shape:
      box = shape.largestBox(ratio: Double(size.width) / Double(size.height))
      result = Self.inside(box)
    case .most:
      box = shape.largestBox
      result = Self.inside(box)
    case .all:
      box = shape.bounds
      result = Size(
        min(Int((box.width - 1e-6).rounded(.up)), Self.most * size.longEdge),
        min(Int((box.height - 1e-6).rounded(.up)), Self.most * size.longEdge))
    }
    let corner = box.centre - Homography.Point(Double(result.width), Double(result.height)) / 2
    return (map.inverse.after(.translation(corner)), result)
  }

  /// The upper limit of each edge of a frame that keeps the whole photo, as a multiple of the
  /// photo's longer edge.
  private static let most = 2

  private static func inside(_ box: Quadrilateral.Box) -> Size {
    Size(
      max(1, Int((box.width + 1e-6).rounded(.down))),
      max(1, Int((box.height + 1e-6).rounded(.down)))
    )
  }

  /// The same transformation, limited to a rectangle of its result.
  func cropped(to rectangle: Rectangle) -> Warp {
    guard case .pixels(let map, let size, _) = change else { return self }
    let corner = Homography.Point(Double(rectangle.left), Double(rectangle.top))
    var cropped = self
    let part = map.after(.translation(corner))
    cropped.change = .pixels(part, from: size, to: rectangle.size)
    if lens?.frame != nil, part.isUpright {
      let end = Homography.Point(Double(rectangle.size.width), Double(rectangle.size.height))
      cropped.lens?.frame = LensMap.Frame(low: part([0, 0]), high: part(end))
    }
    return cropped
  }

  /// The same transformation of a photo that is reduced to `input`, with a result of size `result`.
  func scaled(from input: Size, to result: Size) -> Warp {
    guard case .pixels(_, _, let to) = change else { return self }
    return scaled(from: input, to: PreviewGrid(to, reducedTo: result))
  }

  /// The same transformation of a photo that is reduced to `input`, with a result of the pixels
  /// `result`.
  func scaled(from input: Size, to result: PreviewGrid) -> Warp {
    guard case .pixels(let map, let from, _) = change else { return self }
    let inner = Homography.scale(
      Double(input.width) / Double(from.width), Double(input.height) / Double(from.height))
    var scaled = self
    scaled.change = .pixels(inner.after(map).after(result.map), from: input, to: result.size)
    scaled.lens = lens?.scaled(
      by: Homography.Point(
        Double(input.width) / Double(from.width), Double(input.height) / Double(from.height)))
    return scaled
  }

  /// The size at which a photo is warped if a reduction follows, as a multiple of the size after
  /// that reduction.
  private static let headroom = 2.0

  /// Splits the warp into a reduction of the photo and a warp of the reduced photo, so that fewer
  /// pixels are warped; nil if this saves little.
  ///
  /// The two operations replace this warp before `resize`, which reduces their result to `target`.
  func split(around resize: Resize, to target: Size) -> (Resize, Warp)? {
    guard case .pixels(_, let from, let to) = change else { return nil }
    let factor = min(
      Double(to.width) / Double(target.width), Double(to.height) / Double(target.height))
    guard factor >= 1.25 * Self.headroom else { return nil }
    var early = resize
    let input = from.scaled(by: Self.headroom / factor)
    early.target = .pixels(input)
    return (early, scaled(from: input, to: to.scaled(by: Self.headroom / factor)))
  }

  /// The maximum fraction of the photo's rows that may be kept in memory while the photo streams.
  static let streamedSpan = 0.25

  /// The number of rows of the photo that one row of the result crosses, as a fraction of all rows;
  /// 1 or more if the rows are not read from top to bottom.
  var rowSpan: Double {
    guard case .pixels(let map, let from, let to) = change else { return 1 }
    return min(1, Self.rowSpan(of: map, lens, to: to) / Double(from.height))
  }

  /// The maximum number of rows of the photo that one row of the result crosses; infinite if the
  /// rows are not read from top to bottom.
  public static func rowSpan(of map: Homography, _ lens: LensMap?, to size: Size) -> Double {
    let (width, height) = (Double(size.width), Double(size.height))
    // A homography maps straight lines to straight lines, so the ends of a row are enough.
    let columns = lens == nil ? [0, width] : (0...16).map { width * Double($0) / 16 }
    var largest = 0.0
    var above = -Double.infinity
    for step in 0...16 {
      let y = height * Double(step) / 16
      let points = columns.map { Homography.Point($0, y) }
      guard points.allSatisfy({ map.depth(at: $0) > 0 }) else { return .infinity }
      let rows = points.map { point in lens.map { $0(map(point)).y } ?? map(point).y }
      guard let low = rows.min(), let high = rows.max(), (low + high) / 2 >= above else {
        return .infinity
      }
      above = (low + high) / 2
      largest = max(largest, high - low)
    }
    return largest
  }
}

extension Warp: CustomStringConvertible {
  public var description: String {
    switch change {
    case .turn(let degrees): "turn \(degrees.short)° keep \(keeping.rawValue)"
    case .tilt(let pitch, let yaw, let focalLength):
      "pitch \(pitch.short)° yaw \(yaw.short)° at \(focalLength.short)mm keep \(keeping.rawValue)"
    case .corners(let corners, _):
      "corners " + corners.map { "\($0.x.short),\($0.y.short)" }.joined(separator: " ")
    case .pixels(let map, let from, let to):
      "\(from) to \(to) by [\(map.numbers.map(\.short).joined(separator: " "))]"
        + (lens.map { ", \($0)" } ?? "")
    case .lens(let correction): "\(correction)"
    }
  }
}
