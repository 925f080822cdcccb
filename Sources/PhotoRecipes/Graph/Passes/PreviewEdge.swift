/// The sizes at which previews are computed.
extension Graph {
  /// The longer edge of a preview: `longest`, or a shorter one at which less must be resampled.
  func fittingEdge(
    atMost longest: Int, for photo: PhotoShape, as purpose: Preview.Purpose
  ) -> Int {
    switch purpose {
    case .view: longest
    case .movement: padEdge(in: max(1, longest - longest / 25)...longest, for: photo) ?? longest
    case .page, .light:
      padEdge(in: max(1, longest - longest / 25)...longest, for: photo)
        ?? loaderEdge(atMost: longest, for: photo)
    }
  }

  /// The longer edge in `range` for which the edges of a padded photo are closest to whole pixels;
  /// nil if the photo is not padded.
  ///
  /// With another edge, the photo could be shifted by up to half a pixel.
  private func padEdge(in range: ClosedRange<Int>, for photo: PhotoShape) -> Int? {
    let sizes = sizes(for: photo)
    let framed = nodes.indices.compactMap { id -> (id: ID, place: Rectangle)? in
      guard case .pad(let pad) = nodes[id].operation, let input = nodes[id].inputs.first else {
        return nil
      }
      return (id, pad.placement(of: sizes[input]).photo)
    }
    if framed.isEmpty { return nil }
    func misfit(_ edge: Int) -> Double {
      let scales = scales(toLongEdge: edge, for: photo, as: .movement)
      return framed.reduce(0) { worst, framed in
        let place = framed.place
        let edges = [
          place.left, place.top, place.left + place.size.width, place.top + place.size.height,
          sizes[framed.id].width, sizes[framed.id].height,
        ]
        return edges.reduce(worst) { worst, edge in
          let reduced = Double(edge) * scales[framed.id]
          return max(worst, abs(reduced - reduced.rounded()))
        }
      }
    }
    return range.reversed().min { misfit($0) < misfit($1) }
  }

  /// True if a step is a warp, which interpolates between pixels.
  var warps: Bool {
    nodes.contains { if case .warp = $0.operation { true } else { false } }
  }

  /// The longest edge, up to `longest`, to which the loader can reduce the photo; `longest` itself
  /// if the loader's edge would be much shorter.
  ///
  /// If the loader delivers this edge, no resampling is needed; resampling would take a third of
  /// the time of a preview.
  private func loaderEdge(atMost longest: Int, for photo: PhotoShape) -> Int {
    let sizes = sizes(for: photo)
    guard let whole = outputs.map({ sizes[$0.node].longEdge }).max() else { return longest }
    if warps { return longest }
    let least = Preview.leastShare * Double(longest)
    return photo.shrinks.filter { $0 > 1 }.map { (whole + $0 - 1) / $0 }
      .first { $0 <= longest && Double($0) >= least } ?? longest
  }

  /// True if the photo has the noise of its sensor, or a step adds noise or removes much noise.
  private func showsNoise(_ photo: PhotoShape) -> Bool {
    photo.isMosaic
      || nodes.contains { node in
        switch node.operation {
        case .program(let program):
          program.instructions.contains { if case .grain = $0 { true } else { false } }
        case .area(let area): area.takesNoiseAway
        default: false
        }
      }
  }

  /// True if even a small difference before a step is visible after it: the step leaves few tones,
  /// spreads frequent tones by the photo's histogram, or is a median of sharpened pixels.
  private var hasSteepTones: Bool {
    let areas = nodes.compactMap { if case .area(let area) = $0.operation { area } else { nil } }
    if areas.contains(where: { $0.kernel == .deconvolve })
      && areas.contains(where: { $0.kernel == .median })
    {
      return true
    }
    return nodes.contains { node in
      guard case .program(let program) = node.operation else { return false }
      return program.instructions.contains {
        switch $0 {
        case .colour(.steps), .tiles: true
        default: false
        }
      }
    }
  }

  /// The longer edge at which an image with the longer edge `whole` is rendered before it is reduced
  /// to `edge`.
  ///
  /// The effect of a reduction on noise cannot be predicted, and averaging and tone curves do not
  /// commute. The edge is about twice `edge`, if possible one to which the loader can reduce the
  /// photo; it is `whole` if the image is small or not much larger, or if a step has steep tones.
  func finerEdge(
    than edge: Int, of whole: Int, for photo: PhotoShape, as purpose: Preview.Purpose
  ) -> Int {
    guard purpose != .movement, purpose == .view || showsNoise(photo) else { return edge }
    if purpose == .view && (hasSteepTones || whole <= Preview.smallEdge) { return whole }
    let least = (Double(edge) * Preview.leastFiner).rounded(.up)
    let most = min(Double(whole), (Double(edge) * Preview.mostFiner).rounded(.down))
    guard least <= most else { return purpose == .view ? whole : min(whole, 2 * edge) }
    let range = Int(least)...Int(most)
    // The light of a raw photo is averaged before its tone curve, if it is reduced first.
    if purpose == .view && photo.isMosaic && range.contains(whole) { return whole }
    return padEdge(in: range, for: photo)
      ?? photo.shrinks.map { (whole + $0 - 1) / $0 }.filter(range.contains).min()
      ?? min(whole, 2 * edge)
  }
}
