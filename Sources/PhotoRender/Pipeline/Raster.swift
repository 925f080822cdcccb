import PhotoRecipes

/// An image under construction: the call that makes it, and what is still to be done to its pixels.
///
/// Programs wait in `pending` until something needs their result, so that all that follows one
/// another is one pass; turns and crops go past them.
struct Raster: Sendable, Hashable {
  var call: Int
  var size: Size
  var format: SampleFormat
  var hasAlpha: Bool
  /// From the samples to display-encoded sRGB.
  var pending: PointProgram
  /// Whether `pending` is no more than the photo's colour profile: pixels may still be averaged as
  /// they are, as any viewer would.
  var isUntouched: Bool

  var bands: Int { hasAlpha ? 4 : 3 }
}

extension PointProgram {
  /// The same program for an image turned clockwise after it.
  func turned(_ quarters: Int) -> PointProgram { mappingRadial { $0.turned(quarters) } }

  func flipped(_ axis: Operation.Axis) -> PointProgram { mappingRadial { $0.flipped(axis) } }

  private func mappingRadial(_ change: (RadialGain) -> RadialGain) -> PointProgram {
    if !dependsOnPosition { return self }
    return PointProgram(
      instructions.map {
        guard case .radial(let gain) = $0 else { return $0 }
        return .radial(change(gain))
      })
  }
}

extension RadialGain {
  fileprivate func turned(_ quarters: Int) -> RadialGain {
    var gain = self
    for _ in 0..<quarters {
      let view = gain.view
      gain.view.left = 1 - view.top - view.height
      gain.view.top = view.left
      gain.view.width = view.height
      gain.view.height = view.width
    }
    return gain
  }

  fileprivate func flipped(_ axis: Operation.Axis) -> RadialGain {
    var gain = self
    switch axis {
    case .horizontal: gain.view.left = 1 - view.left - view.width
    case .vertical: gain.view.top = 1 - view.top - view.height
    }
    return gain
  }
}
