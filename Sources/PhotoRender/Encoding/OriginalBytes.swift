import PhotoMetadata
import PhotoRecipes
import Vips

/// A photo's own bytes, which can stand for a rendition where the recipe leaves the pixels, the
/// colours and the format as they are, and the file holds nothing that the output would not keep.
struct OriginalBytes {
  let photo: PhotoFile
  let header: PhotoHeader
  /// The number of bytes; found before the photo is read, because that moves the file's position.
  let count: Int

  /// The reason why the bytes would show something else than the rendition, or tell more; nil if
  /// they can stand for it.
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
    if !format.encoded.isFormat(of: header) || depth != header.depth
      || ![.uchar, .ushort].contains(header.format)
      || header.hasAlpha && !output.format.keepsAlpha
    {
      return "it is of another format"
    }
    if output.dpi != nil { return "the recipe changes its resolution" }
    if !keepsColours(output, files) { return "its colours are converted" }
    return hasNothingElse(output.metadata, format)
      ? nil : "it says more than \"metadata\": \"\(output.metadata.preset.rawValue)\" keeps"
  }

  /// True if the rendition has as many pictures as the file.
  private func isWhole(in format: any OutputFormat.Type) -> Bool {
    if header.pages == 1 { return !header.isStill }
    return header.inputs.frames == .all && header.animation != nil && format.holdsFrames
  }

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

  private func hasNothingElse(
    _ policy: MetadataPolicy, _ format: any OutputFormat.Type
  ) -> Bool {
    // The output's own texts are not in the original.
    if !policy.texts.isEmpty { return false }
    if policy == .archive { return true }
    return header.loader != DecoderInput.manyChannels && Metadata.isAbsent(in: photo.byteSource)
  }

  /// The result of comparing a finished rendition with the photo.
  enum Comparison {
    /// The rendition stays.
    case rendered
    /// The photo's bytes have replaced the rendition.
    case copied
    /// The rendition stays although it saves nothing, for this reason.
    case larger(String)
  }

  /// Compares a finished rendition with the photo, and puts the photo's bytes in its place where
  /// the output's budget says so, or it is to be saved as the photo was, and nothing is in the way.
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
    let size = FinishedFile(descriptor: descriptor).size
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

  /// Replaces the content of a file by the bytes.
  private func write(to descriptor: Int32, for output: Output) throws(RenderError) {
    let file = FinishedFile(descriptor: descriptor)
    guard file.replace(with: []) else { throw Self.failure(output) }
    var offset = 0
    while true {
      let bytes = photo.part(offset, 1 << 20)
      if bytes.isEmpty { break }
      guard file.append(bytes) else { throw Self.failure(output) }
      offset += bytes.count
    }
  }

  private static func failure(_ output: Output) -> RenderError {
    .encodeFailed(output: output.name, "the original's bytes could not be written")
  }
}
