import PhotoMetadata
import PhotoRecipes
import Vips

/// A photo's own bytes as what a rendition could be: they are, where the recipe leaves the pixels,
/// the colours and the format as they are, and nothing stands in the file that the output would not
/// keep.
struct OriginalBytes {
  let photo: PhotoFile
  let header: PhotoHeader
  /// How many there are; asked for before the photo is read, for that moves the file's position.
  let count: Int

  /// Why the bytes would show something else than the rendition, or tell more; nil: they can stand
  /// for it.
  ///
  /// `node` is the operation that makes the output in the planned graph, `files` the content of the
  /// files that the recipe names.
  func obstacle(
    to output: Output, _ node: Operation, _ files: [String: [UInt8]], depth: Int
  ) -> String? {
    let format = type(of: output.format)
    if header.orientation != .upright { return "it is turned by its tag" }
    if node != .original(shrink: 1) || !isWhole(in: format) {
      return "the recipe changes the picture"
    }
    if Self.loaders[format.name] != header.loader
      || Self.compressions[format.name] != header.compression || depth != header.depth
      || ![.uchar, .ushort].contains(header.format)
      || header.hasAlpha && !output.format.keepsAlpha
    {
      return "it is of another format"
    }
    if output.dpi != nil { return "the recipe changes its resolution" }
    if !keepsColours(output, files) { return "its colours are converted" }
    return hasNothingElse(output.metadata)
      ? nil : "it says more than \"metadata\": \"\(output.metadata.preset.rawValue)\" keeps"
  }

  /// Whether the rendition has as many pictures as the file.
  private func isWhole(in format: any OutputFormat.Type) -> Bool {
    if header.pages == 1 { return !header.isStill }
    return header.inputs.frames == .all && header.animation != nil && format.holdsFrames
  }

  private static let loaders = [
    JPEGFormat.name: "jpegload_source", PNGFormat.name: "pngload_source",
    WebPFormat.name: "webpload_source", TIFFFormat.name: "tiffload_source",
    AVIFFormat.name: "heifload_source", HEICFormat.name: "heifload_source",
    JXLFormat.name: "jxlload_source", GIFFormat.name: "gifload_source",
  ]
  private static let compressions = [AVIFFormat.name: "av1", HEICFormat.name: "hevc"]

  private func keepsColours(_ output: Output, _ files: [String: [UInt8]]) -> Bool {
    let source = SourceColour(header)
    // A profile that cannot be used has failed the rendition before.
    guard
      let colour = try? OutputColour(output, source, header, files: files, isGrey: source.isGrey),
      source.keepsSamples, source.warning == nil, colour.warning == nil
    else {
      return false
    }
    if output.profile == .preserve { return true }
    return source.toSRGB.isEmpty && colour.fromSRGB.isEmpty
  }

  private func hasNothingElse(_ policy: MetadataPolicy) -> Bool {
    // What the output writes of its own is not in the original.
    if !policy.texts.isEmpty { return false }
    if policy == .archive { return true }
    return header.loader != DecoderInput.manyChannels && Metadata.isAbsent(in: photo.byteSource)
  }

  /// What became of a finished rendition that was compared with the photo.
  enum Comparison {
    /// It stays.
    case rendered
    /// It has the photo's bytes now.
    case copied
    /// It stays though it saves nothing, for this reason.
    case larger(String)
  }

  /// Compares a finished rendition with the photo, and puts the photo's bytes in its place where the
  /// output's budget says so, or it is to be saved as the photo was, and nothing is in the way.
  ///
  /// - Throws: `overBudget` where less is saved than must be.
  func compare(
    _ descriptor: Int32, _ output: Output, isSavedAsPhoto: Bool,
    obstacle: @autoclosure () -> String?
  ) throws(RenderError) -> Comparison {
    let budget = output.budget
    if isSavedAsPhoto, budget.minSaving == nil, count <= budget.maxBytes ?? .max, obstacle() == nil
    {
      try write(to: descriptor, for: output)
      return .copied
    }
    if !budget.keepIfSmaller && budget.minSaving == nil { return .rendered }
    let size = FinishedFile.size(descriptor)
    let asked = budget.minSaving ?? 0
    if size < count && Double(size) <= Double(count) * (1 - asked) { return .rendered }
    guard budget.keepIfSmaller else {
      throw .overBudget(output: output.name, .saving(size, original: count, asked: asked))
    }
    if count > budget.maxBytes ?? .max { return .rendered }
    if let obstacle = obstacle() { return .larger(obstacle) }
    try write(to: descriptor, for: output)
    return .copied
  }

  /// Puts the bytes in place of what is in a file.
  private func write(to descriptor: Int32, for output: Output) throws(RenderError) {
    guard FinishedFile.replace(descriptor, []) else { throw Self.failure(output) }
    var offset = 0
    while true {
      let bytes = photo.part(offset, 1 << 20)
      if bytes.isEmpty { break }
      guard FinishedFile.append(bytes, to: descriptor) else { throw Self.failure(output) }
      offset += bytes.count
    }
  }

  private static func failure(_ output: Output) -> RenderError {
    .encodeFailed(output: output.name, "the original's bytes could not be written")
  }
}
