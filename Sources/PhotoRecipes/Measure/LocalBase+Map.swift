extension LocalBase {
  /// The map with curves of the luma whose values are the base; computed once for each view.
  func map(of view: PhotoView) -> MapValues {
    view.maps.map(self) {
      switch method {
      case .differences(let differences): map(of: view, differences)
      case .lines(let lines): map(of: view, lines)
      }
    }
  }

  private func map(of view: PhotoView, _ differences: ToneDifferences) -> MapValues {
    let luma = view.luma
    let found = ToneDifferences.windows.variances(of: luma, in: view)
    let grid = BilateralGrid(view, radius: ToneDifferences.radius)
    let textures = grid.means(found.spreads.map { Float(differences.spread.step($0)) })
    let details = grid.means(found.smallVariances.map { Float(detail(Double($0))) })
    let atEdges = grid.means(luma) { ToneDifferences.removed($0, differences.edges) }
    let inTexture = grid.means(luma) { ToneDifferences.removed($0, differences.textures) }
    let curves = atEdges.indices.map { place in
      let (cell, group) = place.quotientAndRemainder(dividingBy: BilateralGrid.groups)
      let removed = atEdges[place] + textures[cell] * (inTexture[place] - atEdges[place])
      return (BilateralGrid.guides[group] + details[cell] * removed)
        .clamped(lowerBound: .zero, upperBound: .one)
    }
    return MapValues(grid, curves)
  }

  private func map(of view: PhotoView, _ lines: GuidedLines) -> MapValues {
    let found = lines.windows.variances(of: view.luma, in: view)
    var (slopes, offsets) = (found.means, found.means)
    for i in found.means.indices {
      let variance = Double(found.variances[i])
      let way = lines.spread.step(found.spreads[i])
      let tolerance = lines.step + (lines.texture - lines.step) * way
      let slope = variance * variance / (variance * variance + tolerance * tolerance)
      slopes[i] = Float(slope)
      offsets[i] = Float((1 - slope) * Double(found.means[i]))
    }
    (slopes, offsets) = (found.mean(slopes), found.mean(offsets))
    // A line is a curve of two values: the base for black, and the base for white.
    var values = [Float](repeating: 0, count: 2 * slopes.count)
    for i in slopes.indices {
      let part = Float(detail(Double(found.smallVariances[i])))
      values[2 * i] = part * offsets[i]
      values[2 * i + 1] = 1 - part * (1 - slopes[i]) + part * offsets[i]
    }
    return MapValues(size: view.size, bands: 2, values: values)
  }
}
