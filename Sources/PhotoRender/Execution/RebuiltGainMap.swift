import Glibc
import PhotoMetadata
import PhotoRecipes
import Vips

/// Makes gain maps of renditions: of the edited photo as it is shown on standard displays, and of
/// the same edit with light above white.
///
/// Both are computed at a quarter of the rendition's size. The map has a channel for each colour;
/// its gains apply to the colours of the rendition.
struct RebuiltGainMap {
  /// The recipe's graph without placeholders, with the outputs that have the light of renditions.
  let graph: Graph
  let context: ExecutionContext
  let returned: [ReturnedPhoto]

  /// The offset of both pictures, relative to white.
  private static let offset = 1.0 / 64
  /// The least headroom, in stops, with which a map is made; less can come from edges that are
  /// resampled.
  private static let leastHeadroom = 0.15
  /// A space wide enough for the vivid colours of photos up to white.
  private static let wide = Gamut(
    fromSRGB: (Primaries.rec2020.xyzFromRGB.inverse ?? .identity).after(SRGB.xyzFromRGB))

  /// Returns the map of a rendition of `size` in the colours of `gamut`; nil if no light is above
  /// white.
  ///
  /// If the rendition's space has only greys (`isGrey`), the gains are those of the luminance.
  func made(
    for output: Output, _ size: Size, _ gamut: Gamut, isGrey: Bool
  ) throws(RenderError) -> GainMap? {
    guard let coding = MapCoding(output.format) else { return nil }
    let edge = GainMapMemory.edge(ofNewMapFor: size)
    let bright = try light(Output.lightName(output.name), edge, isHDR: true)
    let most = bright.headroom(in: Self.wide, isGrey: isGrey)
    if most < Self.leastHeadroom { return nil }
    let standard = try light(output.name, edge, isHDR: false)
    guard standard.size == bright.size else { return nil }
    let headroom = max(most, bright.headroom(in: gamut, isGrey: isGrey))
    let gains = zip(
      standard.colours(in: gamut, isGrey: isGrey), bright.colours(in: gamut, isGrey: isGrey)
    ).map { shown, light in
      let base = shown.clamped(lowerBound: .zero, upperBound: .one) + Float(Self.offset)
      let alternate = pointwiseMax(light, .zero) + Float(Self.offset)
      let ratio = alternate / base
      return SIMD3(log2(ratio.x), log2(ratio.y), log2(ratio.z))
    }
    let frame = coding.size(for: standard.size)
    var channels: [GainMapDescription.Channel] = []
    var samples = [UInt8](repeating: 0, count: 3 * frame.pixels)
    for band in 0..<3 {
      let values = gains.map { $0[band] }
      let sorted = values.sorted()
      let least = min(0, sorted[Self.place(0.0001, of: sorted.count)])
      let greatest = max(least + 0.01, sorted[Self.place(0.9999, of: sorted.count)])
      let plane = Plane(size: standard.size) { values[$0] }
      for (pixel, value) in plane.seen(at: frame, through: .identity).enumerated() {
        let level = (value - least) / (greatest - least)
        samples[3 * pixel + band] = UInt8((255 * min(max(level, 0), 1)).rounded())
      }
      channels.append(
        GainMapDescription.Channel(
          minimum: Double(least), maximum: Double(greatest), gamma: 1, baseOffset: Self.offset,
          alternateOffset: Self.offset))
    }
    do throws(VipsError) {
      let picture = try Image(samples: samples, width: frame.width, height: frame.height, bands: 3)
      return GainMap(
        picture: try coding.encoded(picture),
        description: GainMapDescription(
          channels: channels, baseHeadroom: 0, alternateHeadroom: headroom))
    } catch {
      throw RenderError(error)
    }
  }

  /// The linear light of a small picture, with sRGB's primaries.
  private struct Light {
    let size: Size
    let pixels: [SIMD3<Float>]

    /// The pixels in the channels of a space, or, if `isGrey`, their luminance in each channel.
    func colours(in gamut: Gamut, isGrey: Bool) -> [SIMD3<Float>] {
      if isGrey {
        let luminance = SIMD3<Float>(SRGB.xyzFromRGB.rows[1])
        return pixels.map { SIMD3(repeating: ($0 * luminance).sum()) }
      }
      return pixels.map { SIMD3<Float>(gamut.fromSRGB(ColourMatrix.Vector($0))) }
    }

    /// The stops by which the brightest channels of a space are above white.
    func headroom(in gamut: Gamut, isGrey: Bool) -> Double {
      let most = colours(in: gamut, isGrey: isGrey).map { $0.max() }.sorted()
      return log2(max(1, Double(most[RebuiltGainMap.place(0.9999, of: most.count)])))
    }
  }

  /// The light of an output of the graph, at a small size.
  private func light(
    _ name: String, _ edge: Int, isHDR: Bool
  ) throws(RenderError) -> Light {
    let header = context.header
    let planned = graph.previewed(
      name, longEdge: edge, for: header.shape, as: isHDR ? .light : .page
    ).making([0])
    let pipeline = Pipeline(
      view: planned, header, .balanced, returned: returned.map(\.header), isHDR: isHDR)
    var execution = try Execution(pipeline, context, returned: returned)
    do throws(RenderError) {
      let image = try execution.image(execution.lastCall)
      let samples: [Float]
      do throws(VipsError) { samples = try image.samples(as: Float.self) } catch {
        throw RenderError(error)
      }
      let (bands, decode) = (image.bands, Curve.decode)
      let pixels = stride(from: 0, to: samples.count, by: bands).map { start in
        let light = (0..<3).map { decode(Double(samples[start + $0])) }
        return SIMD3<Float>(ColourMatrix.Vector(light[0], light[1], light[2]))
      }
      return Light(size: Size(image.width, image.height), pixels: pixels)
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
  }

  /// The index of a quantile among sorted values.
  private static func place(_ quantile: Double, of count: Int) -> Int {
    min(count - 1, Int(quantile * Double(count)))
  }
}
