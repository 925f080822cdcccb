/// The part of a photo that is not its plain background.
struct Subject: Sendable, Hashable {
  /// The bounding box in pixels of the photo at full size.
  var box: Rectangle
  /// The background's colour; nil if the background is transparent.
  var background: SIMD3<Float>?

  /// Finds the subject; nil if the whole photo is background.
  ///
  /// A pixel belongs to the subject if a channel differs from the background by more than
  /// `threshold`, or, on a transparent background, if its alpha is above `threshold`. In a reduced
  /// view, the outermost view pixels of the subject are cut off, because they may contain
  /// background. With `keepsEdges`, the view pixels just outside are kept instead, because they may
  /// contain parts of the subject.
  init?(
    in view: PhotoView, background given: SIMD3<Float>?, threshold: Float, keepsEdges: Bool = false
  ) {
    let isClear = given == nil && Self.hasClearCorners(view)
    let background = isClear ? nil : given ?? Self.corners(of: view)
    var (left, right, top, bottom) = (view.size.width, -1, view.size.height, -1)
    for y in 0..<view.size.height {
      for x in 0..<view.size.width {
        let index = y * view.size.width + x
        var difference = view.alpha?[index] ?? 1
        if let background {
          let apart = view.pixels[index] - background
          difference *= max(abs(apart.x), abs(apart.y), abs(apart.z))
        }
        guard difference > threshold else { continue }
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    guard right >= 0 else { return nil }
    let cut = keepsEdges ? -1 : 1
    let across = Self.span(left, right, view.size.width, view.full.width, cut)
    let down = Self.span(top, bottom, view.size.height, view.full.height, cut)
    box = Rectangle(
      left: across.lowerBound, top: down.lowerBound, size: Size(across.count, down.count))
    self.background = background
  }

  /// The pixels of the full photo that correspond to the view's pixels `first` to `last`.
  ///
  /// If the view is reduced, `cut` pixels of the view are removed at each end that is not at the
  /// photo's edge.
  private static func span(
    _ first: Int, _ last: Int, _ edge: Int, _ full: Int, _ cut: Int
  ) -> Range<Int> {
    let scale = Double(full) / Double(edge)
    let isCut = edge < full && (cut < 0 || last - first > 2)
    let cut = isCut ? Double(cut) : 0
    let start = first == 0 ? 0 : Int(((Double(first) + cut) * scale).rounded(.up))
    let end = last == edge - 1 ? full : Int(((Double(last + 1) - cut) * scale).rounded(.down))
    return start..<max(start + 1, end)
  }

  private static func cornerIndices(_ view: PhotoView) -> [Int] {
    let (width, count) = (view.size.width, view.size.pixels)
    return [0, width - 1, count - width, count - 1]
  }

  private static func hasClearCorners(_ view: PhotoView) -> Bool {
    guard let alpha = view.alpha else { return false }
    return cornerIndices(view).count { alpha[$0] < 0.5 } > 2
  }

  /// For each channel, the mean of the two middle values of the corners, so that a single different
  /// corner has no effect.
  ///
  /// Transparent corners are ignored unless all are transparent.
  private static func corners(of view: PhotoView) -> SIMD3<Float> {
    let all = cornerIndices(view)
    let seen = all.filter { view.alpha?[$0] ?? 1 >= 0.5 }
    let pixels = (seen.isEmpty ? all : seen).map { view.pixels[$0] }
    var colour = SIMD3<Float>()
    for channel in 0..<3 {
      let sorted = pixels.map { $0[channel] }.sorted()
      colour[channel] = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    return colour
  }
}

extension Colour {
  /// The colour's channels, 0…1.
  var components: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) / 255 }
}
