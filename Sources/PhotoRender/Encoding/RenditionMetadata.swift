import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

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
  /// For each output by its name, the part of the photo that is visible in the rendition; there is
  /// no entry for an output if the part is unknown.
  var visibleParts: [String: VisiblePart] = [:]
  /// The names of the outputs whose steps make every pixel grey.
  var greys: Set<String> = []
  /// The new gain maps of renditions, by the name of the output.
  var rebuilt: [String: GainMap] = [:]
  /// The photo's gain map; nil if the file does not say that it has one.
  var gainMap: PhotoGainMap?
  /// The mattes and depth maps of renditions, by the name of the output.
  var auxiliaries: [String: KeptAuxiliaries] = [:]
  /// The films of the renditions.
  var films = RenditionFilms()

  /// An empty value, for renditions that get no metadata from a photo.
  static let nothing = RenditionMetadata(original: Metadata(), values: [:])

  /// Returns the metadata that an output of this size gets, with the rules that selected the
  /// metadata.
  func curated(for output: Output, _ colour: OutputColour, size: Size) -> Curated {
    let facts = RenditionFacts(
      width: size.width, height: size.height, isSRGB: colour.isSRGB, dpi: output.dpi,
      keepsFrame: output.keepsFrame(after: steps), frame: frames[output.name],
      orientation: original.orientation ?? 1,
      software: "phbatch \(Engine.version)", recipe: recipe, original: values["name"],
      originalDigest: digest)
    let curation = Curation(output.metadata, for: facts, values: values)
    var original = self.original
    var (rendered, reason): (GainMap?, String?) = (nil, nil)
    if output.gainMap == .drop { original.attachments.remove(.gainMap) }
    // The picture for HDR displays contains the gains.
    if output.hdr != nil && gainMap?.isReadable == true { original.attachments.remove(.gainMap) }
    if output.rebuildsGainMap {
      original.attachments.remove(.gainMap)
      rendered = rebuilt[output.name]
      if rendered == nil && gainMap != nil { reason = "no light of the rendition is above white" }
    } else if let gainMap, output.gainMap != .drop, original.attachments.contains(.gainMap) {
      let isGrey = colour.hasOnlyGreys || greys.contains(output.name)
      do throws(Obstacle) {
        rendered = try self.rendered(gainMap, for: output, facts, isGrey: isGrey)
      } catch {
        reason = error.reason
      }
      if rendered != nil || reason != nil { original.attachments.remove(.gainMap) }
    }
    original.attachments.remove(.video)
    let kept = auxiliaries[output.name] ?? KeptAuxiliaries()
    original.attachments.subtract(kept.handled)
    if output.auxiliary == .drop { original.attachments.subtract([.matte, .depth]) }
    var metadata = curation.curated(original)
    metadata.gainMap = rendered
    metadata.auxiliaries = kept.made.map(curation.curated)
    metadata.warnings += kept.warnings
    metadata.film = films.made[output.name]?.facts
    // A rendition without a film must not name that of the photo.
    metadata.setPairIdentifier(films.made[output.name]?.pairIdentifier)
    if let obstacle = films.obstacles[output.name] {
      metadata.warnings.append("the film is not in '\(output.name)': \(obstacle)")
    }
    if let reason {
      metadata.warnings.append("the gain map is not in '\(output.name)': \(reason)")
    }
    return Curated(
      metadata: metadata, curation: curation,
      lost: type(of: output.format).isPhoto ? original.attachments : [])
  }

  /// The reason why a rendition gets no gain map, matte or depth map.
  struct Obstacle: Error { let reason: String }

  /// The gain map of a rendition; nil if the photo has none that can be kept.
  private func rendered(
    _ map: PhotoGainMap, for output: Output, _ facts: RenditionFacts, isGrey: Bool
  ) throws(Obstacle) -> GainMap? {
    let format = type(of: output.format)
    guard format.holdsGainMap, let coding = MapCoding(output.format) else {
      throw Obstacle(reason: "phbatch writes none to \(format.name)")
    }
    if !map.isReadable {
      throw Obstacle(reason: "its description states no gains in a form that phbatch reads")
    }
    if !output.keepsGainMap {
      throw Obstacle(reason: #""metadata": "none" leaves it out"#)
    }
    if let step = (steps + output.steps).first(where: \.endsGains) {
      let name = type(of: step.filter).name
      throw Obstacle(reason: "after the step '\(name)' it would not fit the picture")
    }
    let visible = try visiblePart(in: output)
    let size = Size(facts.width, facts.height)
    do throws(RenderError) {
      return try map.rendered(for: output, size, visible, coding, isGrey: isGrey)
    } catch {
      let detail = if case .unreadable(let detail) = error { detail } else { error.message }
      throw Obstacle(reason: "the map cannot be read: \(detail)")
    }
  }

  /// The part of the photo that is visible in a rendition.
  func visiblePart(in output: Output) throws(Obstacle) -> VisiblePart {
    guard let part = visibleParts[output.name] else {
      throw Obstacle(reason: "the part of the photo that the rendition shows is unknown")
    }
    return part
  }

  /// The metadata for one output, and the rules that selected the metadata.
  struct Curated {
    let metadata: Metadata
    let curation: Curation
    /// The further pictures and records of the photo's file that the rendition does not contain
    /// and about which `metadata` has no warning.
    let lost: Set<Metadata.Attachment>

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
      let audit = Audit(
        original, said.curation, profile: colour.profile,
        pictures: said.metadata.pictures, hasFilm: said.metadata.film != nil)
      try audit.check(.descriptor(descriptor))
      try append(films.made[output.name], output, to: descriptor)
      return said.metadata.warnings + warnings
    } catch {
      if case .denied(let what) = error {
        throw .deniedMetadata(output: output.name, what)
      }
      throw .encodeFailed(output: output.name, error.message)
    }
  }

  /// Appends the film of an output, and checks that it is found in the finished file.
  private func append(
    _ film: RenderedFilm?, _ output: Output, to descriptor: Int32
  ) throws(MetadataError) {
    guard let film, let facts = film.facts else { return }
    let file = FinishedFile(descriptor: descriptor)
    guard film.append(to: file, inBox: type(of: output.format).name == HEICFormat.name) else {
      throw .cannotWrite("the film could not be appended")
    }
    guard EmbeddedFilm(in: .descriptor(descriptor))?.range.count == facts.length else {
      throw .malformed("the film is not found in it")
    }
  }
}
