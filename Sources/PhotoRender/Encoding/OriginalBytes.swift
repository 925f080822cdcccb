import PhotoMetadata
import PhotoRecipes
import Vips

/// A photo's original bytes.
///
/// The bytes can replace a rendition if the recipe does not change the pixels, the colours or the
/// format, and the file contains no metadata that the output would remove.
struct OriginalBytes {
  let photo: PhotoFile
  let header: PhotoHeader
  /// The number of bytes.
  ///
  /// The count is determined before the photo is read, because determining it changes the file's
  /// position.
  let count: Int
  /// True if files beside the photo describe it, so that renditions get other texts than the bytes have.
  let isDescribed: Bool

  /// The reason why the bytes cannot replace the rendition: they show another picture, or contain
  /// more metadata; nil if they can replace it.
  ///
  /// `node` is the operation that produces the output in the planned graph; `files` is the content
  /// of the files that the recipe names. `keepsFilm` is true if the output keeps the photo's film.
  func obstacle(
    to output: Output, _ node: Operation, _ files: [String: [UInt8]], depth: Int, keepsFilm: Bool
  ) -> String? {
    let format = type(of: output.format)
    if header.orientation != .upright { return "the orientation tag rotates the photo" }
    if node != .original(shrink: 1) || !isWhole(in: format) {
      return "the recipe changes the picture"
    }
    if !format.encoded.isFormat(of: header) || depth != header.depth
      || ![.uchar, .ushort].contains(header.format)
      || header.hasAlpha && !output.format.keepsAlpha
    {
      return "the photo has another format"
    }
    if !keepsFilm && EmbeddedFilm(in: photo.byteSource) != nil {
      return "the photo contains a film that the output leaves out"
    }
    let metadata = Metadata(of: photo.byteSource)
    if metadata.exif?.pairIdentifier != nil { return "the photo names the film of its Live Photo" }
    if let picture = metadata.pictureLeftOut(of: output) {
      return "the photo contains a \(picture.rawValue) that the output leaves out"
    }
    if output.dpi != nil { return "the recipe changes the resolution" }
    if isDescribed && output.metadata.preset != .none {
      return "an XMP file beside the photo has its texts"
    }
    if !keepsColours(output, files) { return "the colours are converted" }
    return hasNothingElse(output.metadata, format)
      ? nil
      : "the photo contains metadata that \"metadata\": \"\(output.metadata.preset.rawValue)\" removes"
  }

  /// True if the rendition has the same number of pictures as the file.
  private func isWhole(in format: any OutputFormat.Type) -> Bool {
    if header.pages == 1 { return !header.isStill }
    return header.inputs.frames == .all && header.animation != nil && format.holdsFrames
  }

  private func keepsColours(_ output: Output, _ files: [String: [UInt8]]) -> Bool {
    let source = SourceColour(header)
    // The rendition has no profile if the decoder rejected the file's.
    if !header.isProfileDecoded && Metadata.hasProfile(in: photo.byteSource) { return false }
    // If the output's profile is unusable, rendering has already failed, so no error is thrown
    // here.
    guard
      let colour = try? OutputColour(output, source, header, files: files, isGrey: source.isGrey),
      source.warning == nil, colour.warning == nil
    else {
      return false
    }
    // The bytes have the photo's own colours, also if rendering converts them, as with CMYK.
    if output.profile == .preserve { return true }
    return source.keepsSamples && source.toSRGB.isEmpty && colour.fromSRGB.isEmpty
  }

  private func hasNothingElse(
    _ policy: MetadataPolicy, _ format: any OutputFormat.Type
  ) -> Bool {
    // The original's bytes do not contain the texts that the output adds.
    if !policy.texts.isEmpty { return false }
    if policy == .archive { return true }
    return !header.hasOtherChannels && Metadata.isAbsent(in: photo.byteSource)
  }

  /// The result of comparing a finished rendition with the photo.
  enum Comparison {
    /// The rendition is kept.
    case rendered
    /// The photo's bytes replaced the rendition.
    case copied
    /// The rendition is kept although it is not smaller; the text is the reason why the photo's
    /// bytes cannot replace it.
    case larger(String)
  }

  /// Compares a finished rendition with the photo.
  ///
  /// Replaces the rendition by the photo's bytes if the output uses the photo's own encoder
  /// settings, or if the output's budget requires a file smaller than the photo and the rendition
  /// is not small enough. The photo's bytes must not exceed the budget, and there must be no
  /// obstacle. `miss` is the reason why the rendition exceeds `maxBytes`; nil if it does not.
  ///
  /// - Throws: `overBudget` if the rendition exceeds `maxBytes`, or saves less than `minSaving`
  ///   requires, and the photo's bytes do not replace it.
  func compare(
    _ descriptor: Int32, _ output: Output, _ miss: BudgetMiss?, isSavedAsPhoto: Bool,
    obstacle: @autoclosure () -> String?
  ) throws(RenderError) -> Comparison {
    let budget = output.budget
    let fits = count <= budget.maxBytes ?? .max
    if isSavedAsPhoto, budget.minSaving == nil, fits, obstacle() == nil {
      try write(to: descriptor, for: output)
      return .copied
    }
    let size = FinishedFile(descriptor: descriptor).size
    let isSmaller = size < count && Double(size) <= Double(count) * (1 - (budget.minSaving ?? 0))
    var reason: String?
    if budget.keepIfSmaller && !isSmaller {
      reason = fits ? obstacle() : "it exceeds 'maxBytes'"
      if reason == nil {
        try write(to: descriptor, for: output)
        return .copied
      }
    }
    if let miss { throw .overBudget(output: output.name, miss) }
    if isSmaller { return .rendered }
    if let asked = budget.minSaving {
      throw .overBudget(
        output: output.name, .saving(size, original: count, asked: asked, obstacle: reason))
    }
    return reason.map(Comparison.larger) ?? .rendered
  }

  /// Replaces the content of a file by the photo's bytes.
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
    .encodeFailed(output: output.name, "the copy of the original cannot be written")
  }
}

extension Metadata {
  /// A picture beside the photo that an output's settings drop or replace; nil if there is none.
  fileprivate func pictureLeftOut(of output: Output) -> Attachment? {
    let maps: [Attachment] = (output.gainMap ?? .keep) == .keep ? [] : [.gainMap]
    let others: [Attachment] = output.auxiliary == .drop ? [.depth, .matte] : []
    return (maps + others).first(where: attachments.contains)
  }
}
