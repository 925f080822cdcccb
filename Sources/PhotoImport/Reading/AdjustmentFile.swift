public import Notation

/// An `.AAE` file: the record of an edit by Apple Photos.
///
/// The file is a property list with the identifier and the version of a program's settings format,
/// and with the settings in this format. All other keys, such as dates, may be missing.
/// - Source: PhotoKit, `PHAdjustmentData`; the files of Apple's Image Capture.
public struct AdjustmentFile: Sendable, Hashable {
  /// The maximum size of an `.AAE` file: 1 MiB.
  ///
  /// A real file has a few thousand bytes, and more if it contains brush strokes.
  public static let sizeLimit = 1 << 20
  /// The maximum size of the decompressed settings, in bytes.
  public static let payloadLimit = 16 << 20

  public let formatIdentifier: String
  public let formatVersion: String
  /// The version of the base image; 0 for an edit of the original.
  public let baseVersion: Int64
  /// The bundle identifier of the program that wrote the settings; often empty.
  public let editor: String
  public let data: [UInt8]

  public init(_ bytes: [UInt8]) throws(ForeignFileError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    let list: PropertyList
    do throws(PropertyListError) { list = try PropertyList(bytes) } catch {
      throw ForeignFileError(error)
    }
    guard let identifier = list["adjustmentFormatIdentifier"]?.string, !identifier.isEmpty else {
      throw .missing("adjustmentFormatIdentifier", in: "the AAE file")
    }
    guard let version = list["adjustmentFormatVersion"]?.string else {
      throw .missing("adjustmentFormatVersion", in: "the AAE file")
    }
    guard case .data(let data)? = list["adjustmentData"] else {
      throw .missing("adjustmentData", in: "the AAE file")
    }
    formatIdentifier = identifier
    formatVersion = version
    baseVersion = list["adjustmentBaseVersion"]?.integer ?? 0
    editor = list["adjustmentEditorBundleID"]?.string ?? ""
    self.data = data
  }

  /// The settings, decoded if phbatch knows their format.
  public enum Payload: Sendable {
    /// Settings as a JSON document, which may be compressed by DEFLATE, as Photos writes them.
    case json(JSON)
    /// Settings of videos, and settings by other programs, as a binary property list.
    case propertyList
    /// Settings in a format that only their program can read.
    case opaque
  }

  /// True if Photos itself wrote the settings of a photo.
  public var isPhotos: Bool { formatIdentifier == "com.apple.photo" }

  /// True if the settings belong to a video, such as slow motion.
  public var isFilm: Bool { formatIdentifier.hasPrefix("com.apple.video.") }

  /// Decodes the settings.
  ///
  /// - Throws: The defect of a damaged binary property list, or of settings by Photos. Other
  ///   settings that cannot be decoded are `opaque`.
  public func payload() throws(ForeignFileError) -> Payload {
    if BinaryPropertyList.begins(data) {
      do throws(PropertyListError) { _ = try BinaryPropertyList.parse(data) } catch {
        throw .propertyList(error)
      }
      return .propertyList
    }
    do throws(ForeignFileError) { return .json(try json()) } catch {
      if isPhotos { throw error }
      return .opaque
    }
  }

  private func json() throws(ForeignFileError) -> JSON {
    var text = data
    if data.first != UInt8(ascii: "{") {
      do throws(InflateError) { text = try data.inflated(limit: Self.payloadLimit) } catch {
        throw .compressed(error)
      }
    }
    let source = SourceText(name: "adjustmentData", bytes: text)
    let (json, diagnostics) = JSONParser.parse(source)
    if let json, diagnostics.isEmpty { return json }
    for diagnostic in diagnostics.all {
      if case .syntax(let syntax) = diagnostic.problem { throw .payload(syntax) }
      if case .duplicateKey(let key) = diagnostic.problem {
        throw .propertyList(.duplicateKey(key))
      }
    }
    throw .missing("adjustments", in: "the adjustment data")
  }
}
