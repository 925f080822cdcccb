import FileStructure
import PhotoMetadata
import PhotoRecipes
import Synchronization
import Vips

/// The gain map in a photo's file, from which the gain maps of its renditions are made.
///
/// The map is read when the first output needs it.
final class PhotoGainMap: Sendable {
  private let source: ByteSource
  /// The size of the photo as stored.
  private let photo: Size
  private let files: [String: [UInt8]]
  private let values: [String: String]
  /// The drawings on each output, by the output's name.
  private let drawings: [String: [Graph.LaidDrawing]]
  private let map = Mutex<GainMap??>(nil)

  init(
    _ source: ByteSource, _ photo: Size, files: [String: [UInt8]], values: [String: String],
    drawings: [String: [Graph.LaidDrawing]]
  ) {
    self.source = source
    self.photo = photo
    self.files = files
    self.values = values
    self.drawings = drawings
  }

  /// The photo's gain map; nil if the file has none that can be kept.
  private var whole: GainMap? {
    map.withLock { map in
      if let map { return map }
      let read = GainMap(of: source)
      map = .some(read)
      return read
    }
  }

  /// True if the file has a gain map whose description can be read.
  var isReadable: Bool { whole != nil }

  /// Makes the gain map of a rendition; nil if the photo has none that can be kept.
  ///
  /// `place` maps positions in the rendition to positions in the photo as stored.
  func rendered(
    for output: Output, _ size: Size, _ place: Homography, _ coding: GainMapCoding
  ) throws(RenderError) -> GainMap? {
    guard let whole else { return nil }
    var rendered = RenderedGainMap(
      map: whole, place: place, photo: photo, rendition: size, coding: coding)
    for laid in drawings[output.name] ?? [] {
      let image = try DrawingImage(laid.drawing, files, values)
        .coverage(of: laid.frame, longestEdge: RenderedGainMap.longestEdge)
      do throws(VipsError) {
        let levels = try image.samples(as: Float.self)
        let plane = Plane(size: Size(image.width, image.height), beyond: 0) { levels[$0] }
        rendered.coverings.append((plane, laid.place))
      } catch {
        throw RenderError(error)
      }
    }
    do throws(VipsError) { return try rendered.made() } catch { throw .unreadable(error.reason) }
  }
}

/// The memory in bytes for the gain maps of a photo's renditions.
enum GainMapMemory {
  /// The bytes for all outputs that keep the map.
  ///
  /// If the file does not state the map's size, it is assumed to be the largest that is kept.
  static func bytes(
    _ source: ByteSource, _ photo: Size, _ outputs: [(output: Output, size: Size)],
    _ drawings: [String: [Graph.LaidDrawing]]
  ) -> Int {
    let keeping = outputs.filter { $0.output.keepsGainMap }
    guard !keeping.isEmpty, let outline = GainMap.Outline(of: source) else { return 0 }
    let edge = Int(RenderedGainMap.longestEdge)
    let pixels = outline.pixels ?? edge * edge
    let samples = pixels * outline.bands
    // A map with more than 0.6 times the photo's resolution may get the rendition's resolution.
    let isFine = 3 * pixels > photo.pixels
    let decoding: Int
    switch (outline.isJPEG, outline.isInterlaced) {
    // The coefficients of the whole picture, of 16 bits.
    case (true, true): decoding = 2 * samples
    case (true, false): decoding = 0
    // As for photos in these formats; see `DecodingMemory`.
    case (false, _): decoding = pixels * 16
    }
    let made = keeping.reduce(0) { sum, item in
      let frame = min(edge * edge, pixels, max(1, item.size.pixels / (isFine ? 1 : 4)))
      let coding = GainMapCoding(item.output.format)?.bytesPerSample ?? 0
      let covering = (drawings[item.output.name] ?? []).reduce(0) { sum, laid in
        let coverage = 4 * min(laid.frame.pixels, edge * edge)
        return sum + coverage + 4 * frame + DrawingMemory.bytes(laid.drawing, in: laid.frame)
      }
      // The part of the map that a rendition shows has less than twice the rendition's resolution;
      // each sample is stored twice.
      let part = 2 * min(samples, 4 * frame * outline.bands)
      return sum + part + frame * (8 + outline.bands * (1 + coding)) + covering
    }
    return 2 * outline.bytes + decoding + made
  }

  /// The longer edge, in pixels, of a new map for a rendition of `size`: a quarter of the
  /// rendition's.
  static func edge(ofNewMapFor size: Size) -> Int {
    max(1, min(Int(RenderedGainMap.longestEdge), (size.longEdge + 3) / 4))
  }

  /// The bytes for the new maps of outputs, which are made one after another.
  static func bytes(ofNewMapsFor outputs: [(output: Output, size: Size)]) -> Int {
    let most = outputs.filter(\.output.rebuildsGainMap).map { item in
      let part = Double(edge(ofNewMapFor: item.size)) / Double(max(1, item.size.longEdge))
      let pixels = Int(Double(item.size.pixels) * part * part) + 1
      let coding = GainMapCoding(item.output.format)?.bytesPerSample ?? 0
      // Both pictures as samples and as colours, the gains, and the values of one channel.
      return pixels * (2 * (16 + 16) + 16 + 3 * 4 + 3 * (1 + coding))
    }.max()
    return most ?? 0
  }
}
