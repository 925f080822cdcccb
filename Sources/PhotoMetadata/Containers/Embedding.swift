public import FileStructure
import PhotoRecipes

extension Metadata {
  /// Reads the metadata of a file, or of a page of a TIFF file, counted from 1; empty if the format
  /// is unknown.
  public init(of source: ByteSource, page: Int = 1) {
    let raw = RawFile(of: source)
    let format = raw == nil ? ContainerFormat(of: source) : nil
    let blocks =
      raw?.blocks ?? format?.blocks(in: source, page: page) ?? JP2File(source)?.blocks ?? Blocks()
    self.init(blocks)
    let film = format.flatMap { EmbeddedFilm(in: source, $0, blocks.xmp) }
    if film == nil { attachments.remove(.video) } else { attachments.insert(.video) }
  }

  /// This metadata, adapted to a format: facts from blocks that the format cannot store are moved
  /// to XMP.
  func adapted(to format: ContainerFormat) -> Metadata {
    var result = self
    if !format.holdsEXIF, let exif {
      var xmp = result.xmp ?? XMP()
      xmp.add(exif)
      result.exif = nil
      result.xmp = xmp
    }
    if !format.holdsIPTC, let iptc {
      var xmp = result.xmp ?? XMP()
      xmp.add(iptc)
      result.iptc = nil
      result.xmp = xmp
    }
    if !format.holdsComments, let comment = comments.first(where: { !$0.trimmed.isEmpty }) {
      var xmp = result.xmp ?? XMP()
      if xmp[.exif("UserComment")] == nil {
        xmp.set(.exif("UserComment"), "Alt", [comment.trimmed])
      }
      result.comments = []
      result.xmp = xmp
    }
    if result.xmp?.isEmpty == true { result.xmp = nil }
    return result
  }

  /// A warning about texts that neither the format nor XMP can store.
  private func losses(in format: ContainerFormat) -> [String] {
    let fields = (format.holdsIPTC ? nil : iptc)?.dataSets.filter { set in
      // The programs that wrote the original did not write the rendition.
      guard case .group(let group) = IPTC.kind(of: set), group != .software else { return false }
      return set.record == 2 && IPTC.property(of: set) == nil
    }
    let names =
      Set((fields ?? []).map(\.number)).sorted().map { "IPTC 2:\($0)" }
      + Set((format == .png ? [] : texts).map(\.keyword)).sorted().map { "PNG \($0)" }
    if names.isEmpty { return [] }
    let list = names.joined(separator: ", ")
    return ["metadata was left out because the format cannot store it: \(list)"]
  }

  /// The number of bytes by which a finished file grows if this metadata replaces its own.
  public func growth(of descriptor: Int32) throws(MetadataError) -> Int {
    let source = ByteSource.descriptor(descriptor)
    guard let format = ContainerFormat(of: source) else { return 0 }
    var warnings: [String] = []
    let growth = try format.edits(embedding: adapted(to: format), in: source, &warnings).growth
    guard let film else { return growth }
    return growth + film.length + (format == .heif ? film.boxHead.count : 0)
  }

  /// Replaces the metadata of a finished file, which must be open for reading and writing.
  ///
  /// If there is a film, the new metadata announces it, but the caller must append the film's
  /// bytes; in a HEIC file, the header of the film's box comes first.
  ///
  /// - Returns: Warnings about omitted blocks and tags.
  public func embed(in descriptor: Int32) throws(MetadataError) -> [String] {
    let source = ByteSource.descriptor(descriptor)
    guard let format = ContainerFormat(of: source) else { return [] }
    var warnings = losses(in: format)
    let edits = try format.edits(embedding: adapted(to: format), in: source, &warnings)
    try edits.apply(to: descriptor)
    return warnings
  }

  /// The bytes of a finished file, with this metadata in place of the file's own.
  public func embedded(in file: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard let format = ContainerFormat(of: .bytes(file)) else { return file }
    var warnings: [String] = []
    let edits = try format.edits(embedding: adapted(to: format), in: .bytes(file), &warnings)
    guard let result = edits.applied(to: file) else { throw .overlappingEdits }
    return result
  }
}
