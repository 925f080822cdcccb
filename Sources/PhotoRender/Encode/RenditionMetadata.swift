import PhotoMetadata
import PhotoRecipes

/// Puts into finished files what outputs let through of a photo's metadata.
struct RenditionMetadata {
  let original: Metadata
  /// What the placeholders of texts stand for.
  let values: [String: String]
  /// The recipe's identifier and version; empty where no recipe stands behind the file.
  var recipe = ""
  /// The steps that all outputs share.
  var steps: [Step] = []

  /// For pictures that say nothing of the photo.
  static let nothing = RenditionMetadata(original: Metadata(), values: [:])

  /// Writes the metadata of an output, and looks for what is denied.
  ///
  /// - Returns: What had to be left out.
  /// - Throws: `deniedMetadata` for a file that says what it must not.
  func write(
    _ output: Output, _ colour: OutputColour, _ size: Size, to descriptor: Int32
  ) throws(RenderError) -> [String] {
    let facts = RenditionFacts(
      width: size.width, height: size.height, isSRGB: colour.isSRGB, dpi: output.dpi,
      keepsFrame: keepsFrame(output), software: "phbatch \(Engine.version)", recipe: recipe,
      original: values["name"])
    let curation = Curation(output.metadata, for: facts, values: values)
    let metadata = curation.curated(original)
    do throws(MetadataError) {
      let warnings = try metadata.embed(in: descriptor)
      try Audit(original, curation, profile: colour.profile).check(.descriptor(descriptor))
      return metadata.warnings + warnings
    } catch {
      if case .denied(let what) = error {
        throw .deniedMetadata(output: output.name, what)
      }
      throw .encodeFailed(output: output.name, error.message)
    }
  }

  /// Whether nothing but its size tells the rendition's frame from the photo's.
  private func keepsFrame(_ output: Output) -> Bool {
    (steps + output.steps).allSatisfy { $0.filter.keepsFrame || $0.filter is ResizeFilter }
  }
}

extension PhotoFile {
  /// The bytes for readers of metadata.
  var byteSource: ByteSource {
    switch self {
    case .descriptor(let descriptor): .descriptor(descriptor)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}
