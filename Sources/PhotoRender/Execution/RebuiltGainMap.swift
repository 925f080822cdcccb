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
  /// The least headroom, in stops, with which a map is made.
  private static let leastHeadroom = 0.05

  /// Returns the map of a rendition of `size` in the colours of `gamut`; nil if no light is above
  /// white.
  func made(
    for output: Output, _ size: Size, _ gamut: Gamut
  ) throws(RenderError) -> GainMap? {
    guard let coding = MapCoding(output.format) else { return nil }
    let edge = GainMapMemory.edge(ofNewMapFor: size)
    let standard = try light(output.name, edge, gamut, isHDR: false)
    let bright = try light(Output.lightName(output.name), edge, gamut, isHDR: true)
    guard standard.size == bright.size else { return nil }
    let most = bright.colours.map { $0.max() }.sorted()
    let headroom = log2(max(1, Double(most[Self.place(0.9999, of: most.count)])))
    if headroom < Self.leastHeadroom { return nil }
    let gains = zip(standard.colours, bright.colours).map { shown, light in
      let base = shown.clamped(lowerBound: .zero, upperBound: .one) + Float(Self.offset)
      let alternate = pointwiseMax(light, .zero) + Float(Self.offset)
      let ratio = alternate / base
      return SIMD3(log2(ratio.x), log2(ratio.y), log2(ratio.z))
    }
    let frame = coding.size(nearest: standard.size)
    var channels: [GainMapDescription.Channel] = []
    var samples = [UInt8](repeating: 0, count: 3 * frame.pixels)
    for band in 0..<3 {
      let values = gains.map { $0[band] }
      let sorted = values.sorted()
      let least = min(0, sorted[Self.place(0.0001, of: sorted.count)])
      let greatest = max(least + 0.01, sorted[Self.place(0.9999, of: sorted.count)])
      let plane = Plane(size: standard.size, beyond: nil) { values[$0] }
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

  /// The linear light of an output of the graph in the colours of `gamut`, at a small size.
  private func light(
    _ name: String, _ edge: Int, _ gamut: Gamut, isHDR: Bool
  ) throws(RenderError) -> (size: Size, colours: [SIMD3<Float>]) {
    let header = context.header
    let planned = graph.previewed(name, longEdge: edge, for: header.shape).making([0])
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
      let colours = stride(from: 0, to: samples.count, by: bands).map { start in
        let light = (0..<3).map { decode(Double(samples[start + $0])) }
        return SIMD3<Float>(gamut.fromSRGB(ColourMatrix.Vector(light[0], light[1], light[2])))
      }
      return (Size(image.width, image.height), colours)
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
  }

  /// The index of a quantile among sorted values.
  private static func place(_ quantile: Double, of count: Int) -> Int {
    min(count - 1, Int(quantile * Double(count)))
  }
}
