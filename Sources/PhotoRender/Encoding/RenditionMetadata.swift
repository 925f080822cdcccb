import FileStructure
import PhotoMetadata
import PhotoRecipes

/// Writes the photo's metadata, as far as the output keeps it, into the output's finished file.
struct RenditionMetadata {
  let original: Metadata
  /// The values of the placeholders of texts.
  let values: [String: String]
  /// The recipe's identifier and version; empty for a file without a recipe.
  var recipe = ""
  /// The digest of the original, as 64 hexadecimal digits; nil if it is not recorded.
  var digest: String?
  /// The steps that all outputs share.
  var steps: [Step] = []
  /// For each output by its name, the map from positions in the upright photo to positions in the
  /// rendition, both 0…1; there is no entry for an output if the map is unknown.
  var frames: [String: Homography] = [:]

  /// An empty value, for renditions that get no metadata from a photo.
  static let nothing = RenditionMetadata(original: Metadata(), values: [:])

  /// Returns the metadata that an output of this size gets, with the rules that selected the
  /// metadata.
  func curated(for output: Output, _ colour: OutputColour, size: Size) -> Curated {
    let facts = RenditionFacts(
      width: size.width, height: size.height, isSRGB: colour.isSRGB, dpi: output.dpi,
      keepsFrame: keepsFrame(output), frame: frames[output.name],
      orientation: original.orientation ?? 1,
      software: "phbatch \(Engine.version)", recipe: recipe, original: values["name"],
      originalDigest: digest)
    let curation = Curation(output.metadata, for: facts, values: values)
    return Curated(metadata: curation.curated(original), curation: curation)
  }

  /// The metadata for one output, and the rules that selected the metadata.
  struct Curated {
    let metadata: Metadata
    let curation: Curation

    /// The number of bytes that the metadata add to a finished file; 0 if the file cannot be read,
    /// which causes an error later.
    func growth(of descriptor: Int32) -> Int { (try? metadata.growth(of: descriptor)) ?? 0 }
  }

  /// Writes the metadata of an output, and checks that the file contains no denied metadata.
  ///
  /// - Returns: Warnings about metadata that could not be written.
  /// - Throws: `deniedMetadata` if the file contains denied metadata.
  func write(
    _ said: Curated, _ output: Output, _ colour: OutputColour, to descriptor: Int32
  ) throws(RenderError) -> [String] {
    // The tiles of a DeepZoom pyramid have no metadata.
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

  /// True if the rendition shows the same part of the upright photo in the same position, at any
  /// size.
  private func keepsFrame(_ output: Output) -> Bool {
    (steps + output.steps).allSatisfy { step in
      if let resize = step.filter as? ResizeFilter { return resize.fit != .cover }
      return step.filter.keepsFrame
    }
  }
}
