import Glibc

/// The amount of haze in front of each part of a photo, and the colour of the haze.
///
/// In any small area of a clear photo, one channel is close to black in some pixel; a higher
/// minimum indicates haze.
///
/// - Minimum: K. He, J. Sun, X. Tang, "Single Image Haze Removal Using Dark Channel Prior", IEEE
///   TPAMI 33 (2011), here on display-encoded values.
/// - Opening: the minimum over squares is followed by the maximum over the same squares. Dark areas
///   are thus not widened, which would leave a seam of haze along poles and trees.
/// - Reconstruction: beside an object, the squares hide that the haze of a sky increases towards the
///   object. Up to `reconstructed`, the haze therefore rises to the mean of the minima of the pixel
///   and its neighbours, as far as that is connected with denser haze. Source: S. Salazar-Colores et
///   al., "A Fast Image Dehazing Algorithm Using Morphological Reconstruction", IEEE TIP 28 (2019).
/// - Refinement: a joint bilateral filter replaces the soft matting of He et al. Source: G.
///   Petschnigg et al., "Digital Photography with Flash and No-Flash Image Pairs", ACM TOG 23
///   (2004). Its guide is the luma, reduced in warm colours, so that trees in autumn are separated from
///   a hazy mountain of the same luma; a guide from the least channel would draw dark borders between
///   blurred colours. Its means are local lines over the guide, so that beside an object, where only
///   one side of a sky is visible, the haze is not that of the sky further away. A pixel that is much
///   brighter than the haze found around it, as in the holes of a fence, counts little.
/// - Light of the air: the mean of the haziest pixels, not the brightest of them.
/// - Grey areas: areas as bright and as grey as the air may be white objects or haze, and get less
///   haze, as in J. Jiang, T. Hou, M. Qi, "Improved algorithm on image haze removal using dark
///   channel prior", Journal of Circuits and Systems 16 (2011).
/// - Warm areas: haze mostly hides darker objects, and is not warmer than the light of the air. An
///   area that would be bright and vivid everywhere without haze is therefore a pale object in warm
///   light, such as paper in the sun, and gets almost no haze.
struct DarkChannel {
  /// The radius of the squares, as a fraction of the view's longer edge: squares of 15 pixels in a
  /// view of 512.
  private static let patch = 7.0 / 512
  /// The smoothing of the haze: the radius of the box means, as a fraction of the longer edge, and
  /// the standard deviation of the guide.
  private static let smoothRadius = 3.0 / 128
  private static let smoothRange = 0.1
  /// The difference between a pixel's minimum and the haze from which the pixel counts little in the
  /// means, and the least weight.
  private static let unsure: Float = 0.1
  private static let leastWeight: Float = 0.02
  /// The fraction of the excess of red over blue by which the guide is below the luma.
  private static let warmPart: Float = 0.6
  /// The weight of the surroundings with any guide.
  private static let anyGuide: Float = 1e-3
  /// The variance of the guide below which a line over the guide becomes flat.
  private static let leastVariance: Float = 1e-4
  /// The greatest difference between the haze before and after reconstruction.
  private static let reconstructed: Float = 0.05
  /// The haze from which on an area may be a white object.
  ///
  /// Above this limit, an increasing fraction of the haze is ignored, up to `whitePart` for the
  /// densest haze.
  private static let whiteFrom: Float = 0.7
  private static let whitePart: Float = 0.8
  /// The radius over which colours are averaged to find pale areas, as a fraction of the longer
  /// edge.
  private static let smoothing = 2.0 / 512
  /// The limits for pale objects, from possible to certain: their brightness as a fraction of the
  /// air's light, their excess of red over blue, and the fraction of their haze that is ignored.
  private static let paleBrightness: (Float, Float) = (0.14, 0.42)
  private static let paleWarmth: (Float, Float) = (0.03, 0.12)
  private static let palePart: Float = 0.9
  /// The fraction of the pixels that are treated as the haziest.
  private static let airPart = 0.001
  fileprivate static let unseen = Float.greatestFiniteMagnitude

  /// The colour of the air's light, display-encoded.
  let air: ColourMatrix.Vector
  /// A map with curves of the guide whose values are the haze, as a fraction of the air's light.
  let map: MapValues

  /// The colour of the air's light in a photo, display-encoded.
  static func air(in view: PhotoView) -> ColourMatrix.Vector {
    let squares = SquareExtreme(size: view.size, radius: view.radius(patch))
    return air(view, squares.least(darkest(view, air: SIMD3(1, 1, 1))))
  }

  init(_ view: PhotoView, air: ColourMatrix.Vector) {
    let squares = SquareExtreme(size: view.size, radius: view.radius(Self.patch))
    self.air = air
    let light = SIMD3(Float(air.x), Float(air.y), Float(air.z))
    let darkest = Self.darkest(view, air: light)
    let dark = squares.opened(darkest)
    let pale = Self.pale(view, air: light, squares, dark)
    let own = Self.own(darkest, view)
    let found = Self.reconstructed(dark, darkest, below: own, view, squares)
    let haze = zip(found, pale).map { Self.haze($0) * (1 - Self.palePart * $1) }
    let certainty = zip(found, own).map(Self.certainty)
    map = Self.smoothed(haze, certainty, by: Self.guide(view), view)
  }

  /// The mean of the minima of each pixel and its neighbours.
  private static func own(_ darkest: [Float], _ view: PhotoView) -> [Float] {
    let visible = darkest.map { $0 < unseen ? $0 : 0 }
    return BoxMean(size: view.size, radius: 1, weights: view.alpha)(visible)
  }

  /// The weight of a pixel with the minimum `own`, in an area with the haze `found`.
  private static func certainty(_ found: Float, _ own: Float) -> Float {
    let excess = max(0, own - found) / unsure
    return leastWeight + (1 - leastWeight) / (1 + excess * excess * excess * excess)
  }

  /// The opened minima, raised towards the smoothed minima of the pixels themselves.
  private static func reconstructed(
    _ opened: [Float], _ darkest: [Float], below own: [Float], _ view: PhotoView,
    _ squares: SquareExtreme
  ) -> [Float] {
    let hazy = squares.least(darkest).map { $0 < unseen ? $0 : 0 }
    let raised = Reconstruction(size: view.size)(hazy, below: own)
    return zip(opened, raised).map { max($0, min($1, $0 + reconstructed)) }
  }

  /// The luma of each pixel less a part of the excess of red over blue, 0…1; the instruction `dehaze`
  /// computes the same.
  private static func guide(_ view: PhotoView) -> [Float] {
    zip(view.unclippedLuma, view.pixels).map { luma, pixel in
      min(1, max(0, luma - warmPart * max(0, pixel.x - pixel.z)))
    }
  }

  /// The haze, smoothed among pixels of nearly the same guide by local lines over the guide; each
  /// pixel counts by its part of `certainty`.
  private static func smoothed(
    _ haze: [Float], _ certainty: [Float], by guide: [Float], _ view: PhotoView
  ) -> MapValues {
    let grid = BilateralGrid(view, radius: smoothRadius)
    func near(_ difference: Double) -> Double {
      exp(-difference * difference / (2 * smoothRange * smoothRange))
    }
    let certain = zip(haze, certainty).map { $0 * $1 }
    let weights = grid.means(guide, times: certainty, near)
    let guides = grid.means(guide, times: certainty) { $0 * near($0) }
    let squares = grid.means(guide, times: certainty) { $0 * $0 * near($0) }
    let sums = grid.means(guide, times: certain, near)
    let products = grid.means(guide, times: certain) { $0 * near($0) }
    let means = grid.means(haze)
    let curves = sums.indices.map { place in
      // Guides are relative to the knot, so that the line's value at the knot is its constant.
      let weight = weights[place] + anyGuide
      let guide = guides[place] / weight
      let haze = (sums[place] + anyGuide * means[place / BilateralGrid.groups]) / weight
      let variance = squares[place] / weight - guide * guide + leastVariance
      let slope = (products[place] / weight - guide * haze) / variance
      return (haze - slope * guide).clamped(lowerBound: .zero, upperBound: .one)
    }
    return MapValues(grid, curves)
  }

  /// The haze, 0…1, of an area whose darkest channel is `light`, a fraction of the air's light.
  private static func haze(_ light: Float) -> Float {
    let haze = min(1, max(0, light))
    return haze * (1 - whitePart * step(haze, (whiteFrom, 1)))
  }

  /// For each pixel, the confidence, 0…1, that its area is a pale object in warm light, and not
  /// haze.
  private static func pale(
    _ view: PhotoView, air: SIMD3<Float>, _ squares: SquareExtreme, _ dark: [Float]
  ) -> [Float] {
    let mean = BoxMean(
      size: view.size, radius: view.radius(smoothing), weights: view.alpha)
    let channels = (0..<3).map { channel in
      mean(view.pixels.map { $0[channel] / air[channel] })
    }
    func opened(_ value: (Int) -> Float) -> [Float] {
      squares.opened(dark.indices.map { (view.alpha?[$0] ?? 1) >= 0.5 ? value($0) : unseen })
    }
    let top = opened { max(channels[0][$0], channels[1][$0], channels[2][$0]) }
    let warmth = opened { channels[0][$0] - channels[2][$0] }
    return dark.indices.map { index in
      // The brightness that the darkest pixel of the area would have without haze.
      let brightness = (top[index] - dark[index]) / max(0.05, 1 - dark[index])
      return step(brightness, paleBrightness) * step(warmth[index], paleWarmth)
    }
  }

  /// A smooth step from 0 to 1.
  private static func step(_ value: Float, _ range: (from: Float, to: Float)) -> Float {
    ((value - range.from) / (range.to - range.from)).smoothstep
  }

  /// The minimum of the channels of each pixel, as a fraction of the air's light; transparent
  /// pixels are ignored.
  private static func darkest(_ view: PhotoView, air: SIMD3<Float>) -> [Float] {
    let plane = view.pixels.map { ($0 / air).min() }
    guard let alpha = view.alpha else { return plane }
    return zip(plane, alpha).map { $1 >= 0.5 ? $0 : unseen }
  }

  /// The air's light, with a luma of at least 0.6: otherwise a photo without haze would be
  /// brightened.
  private static func air(_ view: PhotoView, _ dark: [Float]) -> ColourMatrix.Vector {
    let seen = dark.indices.filter { (view.alpha?[$0] ?? 1) >= 0.5 }
    let most = ToneCounts(seen.lazy.map { dark[$0] }).quantile(1 - airPart) ?? 1
    let hazy = seen.filter { Double(dark[$0]) >= most - 1e-4 }
    var sum = ColourMatrix.Vector.zero
    for index in hazy {
      let pixel = view.pixels[index]
      sum += ColourMatrix.Vector(Double(pixel.x), Double(pixel.y), Double(pixel.z))
    }
    if hazy.isEmpty { return ColourMatrix.Vector(1, 1, 1) }
    let mean = (sum / Double(hazy.count)).clamped(lowerBound: .zero, upperBound: .one)
    let luma = (mean * Grade.luma).sum()
    return luma >= 0.6 ? mean : mean + (0.6 - luma)
  }
}

extension SquareExtreme {
  /// The maximum over squares of the minimum over squares; 0 if no visible pixel is in a square, so
  /// that transparent areas are not widened.
  fileprivate func opened(_ plane: [Float]) -> [Float] {
    greatest(least(plane).map { $0 < DarkChannel.unseen ? $0 : 0 })
  }
}
