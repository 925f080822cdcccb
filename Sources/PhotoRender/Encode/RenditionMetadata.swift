import FileStructure
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

  /// What an output of a size may say.
  func curated(for output: Output, _ colour: OutputColour, size: Size) -> Curated {
    let facts = RenditionFacts(
      width: size.width, height: size.height, isSRGB: colour.isSRGB, dpi: output.dpi,
      keepsFrame: keepsFrame(output), software: "phbatch \(Engine.version)", recipe: recipe,
      original: values["name"])
    let curation = Curation(output.metadata, for: facts, values: values)
    return Curated(metadata: curation.curated(original), curation: curation)
  }

  /// Metadata for one output, and the rules that made them.
  struct Curated {
    let metadata: Metadata
    let curation: Curation

    /// How many bytes a finished file grows by; one that cannot be read fails later.
    func growth(of descriptor: Int32) -> Int { (try? metadata.growth(of: descriptor)) ?? 0 }
  }

  /// Writes the metadata of an output, and looks for what is denied.
  ///
  /// - Returns: What had to be left out.
  /// - Throws: `deniedMetadata` for a file that says what it must not.
  func write(
    _ said: Curated, _ output: Output, _ colour: OutputColour, to descriptor: Int32
  ) throws(RenderError) -> [String] {
    // The tiles of a pyramid say nothing.
    guard type(of: output.format).isPhoto else { return [] }
    do throws(MetadataError) {
      let warnings = try said.metadata.embed(in: descriptor)
      let audit = Audit(original, said.curation, profile: colour.profile)
      try audit.check(.descriptor(descriptor))
      return said.metadata.warnings + warnings
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
