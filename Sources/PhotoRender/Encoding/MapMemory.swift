import FileStructure
import PhotoMetadata
import PhotoRecipes

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
    guard !keeping.isEmpty, let outline = PictureOutline.gainMap(of: source) else { return 0 }
    // A map with more than 0.6 times the photo's resolution may get the rendition's resolution.
    let isFine = 3 * (outline.pixels ?? MapMemory.mostPixels) > photo.pixels
    return MapMemory.decoding(outline)
      + MapMemory.making(outline, keeping, isFine: isFine, drawings)
  }

  /// The longer edge, in pixels, of a new map for a rendition of `size`: a quarter of the
  /// rendition's.
  static func edge(ofNewMapFor size: Size) -> Int {
    max(1, min(Int(MapGeometry.longestEdge), (size.longEdge + 3) / 4))
  }

  /// The bytes for the new maps of outputs, which are made one after another.
  static func bytes(ofNewMapsFor outputs: [(output: Output, size: Size)]) -> Int {
    let most = outputs.filter(\.output.rebuildsGainMap).map { item in
      let part = Double(edge(ofNewMapFor: item.size)) / Double(max(1, item.size.longEdge))
      let pixels = Int(Double(item.size.pixels) * part * part) + 1
      let coding = MapCoding(item.output.format)?.bytesPerSample ?? 0
      // Both pictures as samples, as light and as colours, the gains, and the values of one channel.
      return pixels * (2 * (16 + 16 + 16) + 16 + 3 * 4 + 3 * (1 + coding))
    }.max()
    return most ?? 0
  }
}

/// The memory in bytes for the mattes and the depth maps of a photo's renditions.
enum AuxiliaryMemory {
  /// The bytes for all outputs that keep them.
  ///
  /// All finished maps exist at the same time; they are made one after another. Maps that are too
  /// large are left out.
  static func bytes(
    _ source: ByteSource, _ outputs: [(output: Output, size: Size)],
    _ drawings: [String: [Graph.LaidDrawing]]
  ) -> Int {
    let keeping = outputs.filter { $0.output.keepsAuxiliaries }
    if keeping.isEmpty { return 0 }
    let outlines = PictureOutline.auxiliaries(of: source).filter {
      $0.pixels ?? 0 <= MapMemory.mostPixels && $0.bytes <= AuxiliaryData.mostBytes
    }
    let files = outlines.reduce(0) { $0 + 2 * $1.bytes * (1 + keeping.count) }
    let making = outlines.map { outline in
      let most = keeping.map { MapMemory.making(outline, [$0], isFine: true, drawings) }.max() ?? 0
      return MapMemory.decoding(outline) - 2 * outline.bytes + most
    }
    return files + (making.max() ?? 0)
  }
}

/// The memory in bytes for a map of a photo's file and for the maps of renditions that are made of
/// it.
enum MapMemory {
  private static let edge = Int(MapGeometry.longestEdge)
  /// The number of pixels that is assumed if the file does not state the map's size.
  static let mostPixels = edge * edge

  /// The bytes for the file of a map and for decoding it.
  static func decoding(_ outline: PictureOutline) -> Int {
    let pixels = outline.pixels ?? mostPixels
    let decoding: Int
    switch (outline.isJPEG, outline.isInterlaced) {
    // The coefficients of the whole picture, of 16 bits.
    case (true, true): decoding = 2 * pixels * outline.bands
    case (true, false): decoding = 0
    // As for photos in these formats; see `DecodingMemory`.
    case (false, _): decoding = pixels * 16
    }
    return 2 * outline.bytes + decoding
  }

  /// The bytes for the maps of renditions; `isFine` is true if a map may get the resolution of its
  /// rendition, and not only half of it.
  static func making(
    _ outline: PictureOutline, _ keeping: [(output: Output, size: Size)], isFine: Bool,
    _ drawings: [String: [Graph.LaidDrawing]]
  ) -> Int {
    let pixels = outline.pixels ?? mostPixels
    return keeping.reduce(0) { sum, item in
      let frame = min(mostPixels, pixels, max(1, item.size.pixels / (isFine ? 1 : 4)))
      let coding = MapCoding(item.output.format)?.bytesPerSample ?? 0
      let covering = (drawings[item.output.name] ?? []).reduce(0) { sum, laid in
        let coverage = 4 * min(laid.frame.pixels, mostPixels)
        return sum + coverage + 4 * frame + DrawingMemory.bytes(laid.drawing, in: laid.frame)
      }
      // The part of the map that a rendition shows has less than twice the rendition's resolution;
      // each sample is stored twice.
      let part = 2 * min(pixels * outline.bands, 4 * frame * outline.bands)
      return sum + part + frame * (8 + outline.bands * (1 + coding)) + covering
    }
  }
}
