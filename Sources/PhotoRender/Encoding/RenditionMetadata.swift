import FileStructure
import PhotoMetadata
import PhotoRecipes

/// Writes the photo's metadata that an output keeps into its finished file.
struct RenditionMetadata {
  let original: Metadata
  /// The values of the placeholders of texts.
  let values: [String: String]
  /// The recipe's identifier and version; empty where no recipe stands behind the file.
  var recipe = ""
  /// The steps that all outputs share.
  var steps: [Step] = []

  /// The metadata of pictures that get none.
  static let nothing = RenditionMetadata(original: Metadata(), values: [:])

  /// The metadata of an output of a size.
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

    /// The bytes by which a finished file grows; 0 for one that cannot be read, which fails later.
    func growth(of descriptor: Int32) -> Int { (try? metadata.growth(of: descriptor)) ?? 0 }
  }

  /// Writes the metadata of an output, and checks that nothing denied is in the file.
  ///
  /// - Returns: The metadata that had to be left out, in words.
  /// - Throws: `deniedMetadata` for a file that holds denied metadata.
  func write(
    _ said: Curated, _ output: Output, _ colour: OutputColour, to descriptor: Int32
  ) throws(RenderError) -> [String] {
    // The tiles of a pyramid have no metadata.
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

  /// True if the rendition's frame differs from the photo's only in size.
  private func keepsFrame(_ output: Output) -> Bool {
    (steps + output.steps).allSatisfy { $0.filter.keepsFrame || $0.filter is ResizeFilter }
  }
}
