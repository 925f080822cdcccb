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

  /// Whether the bytes show what the rendition shows, and nothing more.
  ///
  /// `node` is the operation that makes the output in the planned graph.
  func canStand(for output: Output, _ node: Operation, _ colour: OutputColour, depth: Int) -> Bool {
    guard node == .original(shrink: 1), header.orientation == .upright, header.pages == 1,
      Self.loaders[type(of: output.format).name] == header.loader, depth == header.depth,
      output.dpi == nil, type(of: output.format).hasAlpha || !header.hasAlpha
    else { return false }
    return keepsColours(output, colour) && hasNothingElse(output.metadata)
  }

  private static let loaders = [
    JPEGFormat.name: "jpegload_source", PNGFormat.name: "pngload_source",
    WebPFormat.name: "webpload_source", TIFFFormat.name: "tiffload_source",
  ]

  private func keepsColours(_ output: Output, _ colour: OutputColour) -> Bool {
    let source = SourceColour(header)
    guard source.normalization.isEmpty, source.warning == nil, colour.warning == nil else {
      return false
    }
    if output.profile == .preserve { return true }
    return source.toSRGB.isEmpty && colour.fromSRGB.isEmpty
  }

  private func hasNothingElse(_ policy: MetadataPolicy) -> Bool {
    if policy == .all { return true }
    return PlainContainer(photo, size: count).isPlain(header.loader)
  }

  /// Compares a finished rendition with the photo, and puts the photo's bytes in its place where the
  /// output's budget says so.
  ///
  /// - Returns: Whether it did.
  /// - Throws: `overBudget` where less is saved than must be.
  func replaceIfSmaller(
    _ descriptor: Int32, _ output: Output, canStand: @autoclosure () -> Bool
  ) throws(RenderError) -> Bool {
    let budget = output.budget
    if !budget.keepIfSmaller && budget.minSaving == nil { return false }
    let size = FinishedFile.size(descriptor)
    let asked = budget.minSaving ?? 0
    if size < count && Double(size) <= Double(count) * (1 - asked) { return false }
    guard budget.keepIfSmaller else {
      throw .overBudget(output: output.name, .saving(size, original: count, asked: asked))
    }
    guard count <= budget.maxBytes ?? .max, canStand() else { return false }
    try write(to: descriptor, for: output)
    return true
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
