import Notation

/// Turns other programs' settings into recipes.
public enum Import {
  /// More than any file that can be read; a caller need not read further.
  public static let sizeLimit = 1 << 20

  /// Makes a recipe of what a foreign file says.
  ///
  /// - Parameters:
  ///   - bytes: An AAE of Photos, an XMP file with Camera Raw's settings, or a `.pp3` profile; the
  ///     first bytes tell which.
  ///   - name: What the file is called in the recipe's title.
  ///   - identifier: The recipe's.
  /// - Returns: The recipe, as far as our filters can, and what became of each setting.
  /// - Throws: Why the file cannot be read, or holds no settings.
  public static func recipe(
    from bytes: [UInt8], named name: String, identifier: String
  ) throws(ForeignFileError) -> ImportedRecipe {
    guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    let draft: RecipeDraft
    switch Self.format(of: bytes) {
    case .aae: draft = try PhotosImport.draft(of: AdjustmentFile(bytes))
    case .xmp: draft = try CameraRawImport.draft(of: XMPPacket(bytes))
    case .pp3: draft = try RawTherapeeImport.draft(of: ProcessingProfile(bytes))
    case nil: throw .unknownFormat
    }
    return ImportedRecipe(
      identifier: identifier, source: name, filters: draft.steps, notes: draft.notes)
  }

  private enum Format {
    case aae, xmp, pp3
  }

  private static func format(of bytes: [UInt8]) -> Format? {
    if BinaryPropertyList.begins(bytes) { return .aae }
    let start = bytes.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    switch start.first {
    case UInt8(ascii: "<"):
      let head = String(decoding: start.prefix(512), as: UTF8.self)
      return head.contains("<plist") || head.contains("<!DOCTYPE plist") ? .aae : .xmp
    case UInt8(ascii: "["), UInt8(ascii: "#"): return .pp3
    default: return nil
    }
  }
}
