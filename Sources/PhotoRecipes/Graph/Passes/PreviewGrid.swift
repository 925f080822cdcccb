/// The pixels of a node's image in a preview, and their positions in the image at full size.
///
/// A crop at full size rarely begins between two pixels of a preview. The images before it are
/// therefore sampled at shifted positions, so that the crop begins between two of their pixels.
struct PreviewGrid {
  var size: Size
  /// Maps positions among the preview's pixels to positions in the image at full size, both in
  /// pixels; it only scales and shifts.
  var map: Homography

  /// The image of size `full`, reduced by `scale`.
  init(_ full: Size, scale: Double = 1) {
    self.init(full, reducedTo: full.scaled(by: scale))
  }

  init(_ full: Size, reducedTo size: Size) {
    self.init(
      size: size,
      map: .scale(
        Double(full.width) / Double(size.width), Double(full.height) / Double(size.height)))
  }

  /// The pixels of a crop at full size to `place`, which contains the wanted one.
  init(_ place: Rectangle, around wanted: Rectangle) {
    self.init(size: place.size, map: .translation(place.corner - wanted.corner))
  }

  private init(size: Size, map: Homography) { (self.size, self.map) = (size, map) }

  /// The position of the upper left corner in the image at full size.
  private var start: Homography.Point { map([0, 0]) }
  /// The edges of a pixel in the image at full size.
  private var pixel: Homography.Point { map([1, 1]) - start }

  /// True if both grids have the same pixels, up to rounding errors.
  func isSame(as other: PreviewGrid) -> Bool {
    guard size == other.size else { return false }
    let ends = [Homography.Point(0, 0), [Double(size.width), Double(size.height)]]
    return ends.allSatisfy { end in
      let distance = map(end) - other.map(end)
      return max(abs(distance.x), abs(distance.y)) < 1e-6 * pixel.max()
    }
  }

  /// The pixels that the input of an operation must have, so that its result has this grid.
  ///
  /// - Parameters:
  ///   - operation: The operation at full size.
  ///   - full: The size of its input at full size.
  ///   - result: The size of its result at full size.
  /// - Returns: Nil if the operation does not keep the pixels of its input.
  func before(_ operation: Operation, from full: Size, to result: Size) -> PreviewGrid? {
    switch operation {
    case .crop(let crop): return before(cropTo: crop.rectangle(in: full), of: full)
    case .turn, .flip:
      var size = size
      if case .turn(let quarters) = operation, !quarters.isMultiple(of: 2) { size = size.turned }
      let map = operation.source(from: full, to: result).after(map)
        .after(operation.source(from: size, to: self.size).inverse)
      return PreviewGrid(size: size, map: map)
    case .program, .area, .blend, .drawn, .rolloff, .flatten, .external:
      return result == full ? self : nil
    case .original, .orient, .map, .measured, .resize, .pad, .warp, .shadow, .replacement:
      return nil
    }
  }

  private func before(cropTo rectangle: Rectangle, of full: Size) -> PreviewGrid {
    let corner = rectangle.corner + start
    let count = (corner / pixel).rounded(.toNearestOrAwayFromZero)
    let whole = Homography.translation(rectangle.corner).after(map).after(.translation(-count))
    let rest = (Homography.Point(Double(full.width), Double(full.height)) - whole([0, 0])) / pixel
    return PreviewGrid(
      size: Size(
        max(Int(count.x) + size.width, Int(rest.x.rounded())),
        max(Int(count.y) + size.height, Int(rest.y.rounded()))),
      map: whole)
  }

  /// The same pixels of an image of size `full` at full size, after it was resized to `result`.
  func resized(from full: Size, to result: Size) -> PreviewGrid {
    let scale = Homography.scale(
      Double(result.width) / Double(full.width), Double(result.height) / Double(full.height))
    return PreviewGrid(size: size, map: scale.after(map))
  }

  /// The pixels of the input that a crop at full size keeps.
  func crop(to rectangle: Rectangle, of input: PreviewGrid) -> Rectangle {
    let corner = input.map.inverse(rectangle.corner + start)
    func place(_ start: Double, _ room: Int) -> Int { max(0, min(Int(start.rounded()), room)) }
    return Rectangle(
      left: place(corner.x, input.size.width - size.width),
      top: place(corner.y, input.size.height - size.height), size: size)
  }

  /// The part of the image `other` that these pixels cover.
  func part(of other: PreviewGrid) -> Resize.Part {
    let whole = Homography.Point(Double(other.size.width), Double(other.size.height))
    let back = other.map.inverse.after(map)
    let (low, high) = (back([0, 0]), back([Double(size.width), Double(size.height)]))
    let part = Resize.Part(start: low / whole, length: (high - low) / whole)
    let differences = [part.start, part.length - 1]
    return differences.allSatisfy { max(abs($0.x), abs($0.y)) < 1e-9 } ? .whole : part
  }
}

extension Rectangle {
  /// The smallest rectangle around this one whose edges are multiples of `unit`, or edges of
  /// `frame`.
  func enlarged(to unit: Int, in frame: Size) -> Rectangle {
    func edges(_ start: Int, _ length: Int, _ end: Int) -> (start: Int, length: Int) {
      let first = start / unit * unit
      return (first, min(end, (start + length + unit - 1) / unit * unit) - first)
    }
    let across = edges(left, size.width, frame.width)
    let down = edges(top, size.height, frame.height)
    return Rectangle(
      left: across.start, top: down.start, size: Size(across.length, down.length))
  }
}
