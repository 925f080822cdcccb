import Notation
import PhotoRecipes

/// Converts other programs' settings into recipes.
public enum Import {
  /// The maximum size of a file that can be imported, in bytes.
  ///
  /// A caller need not read more bytes than this, because a larger file is refused.
  public static let sizeLimit = 1 << 20

  /// Converts the settings in another program's file into a recipe.
  ///
  /// - Parameters:
  ///   - bytes: The content of an AAE of Photos, an XMP file with settings of Camera Raw or
  ///     darktable, a `.pp3` profile, or an ASC CDL; the format is detected from the first bytes.
  ///   - name: The name of the file, for the recipe's title.
  ///   - identifier: The identifier of the new recipe.
  ///   - photo: The photo to which the settings belong, as far as it is known.
  /// - Returns: The recipe, as far as phbatch's filters support the settings, and the outcome of
  ///   each setting.
  /// - Throws: `ForeignFileError` if the file cannot be read or contains no settings.
  public static func recipe(
    from bytes: [UInt8], named name: String, identifier: String,
    photo: SettingsPhoto = SettingsPhoto()
  ) throws(ForeignFileError) -> ImportedRecipe {
    guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    let isOfRawPhoto = photo.isRaw ?? RawFileName.isOfRawPhoto(name)
    let draft: RecipeDraft
    switch Self.format(of: bytes) {
    case .aae: draft = try PhotosImport.draft(of: AdjustmentFile(bytes), photo: photo)
    case .xmp:
      let packet = try XMPPacket(bytes)
      draft =
        try DarktableImport.applies(to: packet)
        ? DarktableImport.draft(of: packet, isOfRawPhoto: isOfRawPhoto, photo: photo)
        : CameraRawImport.draft(of: packet, isOfRawPhoto: isOfRawPhoto, photo: photo)
    case .pp3:
      draft = try RawTherapeeImport.draft(
        of: ProcessingProfile(bytes), isOfRawPhoto: isOfRawPhoto, photo: photo)
    case .cdl: draft = ColourDecisionImport.draft(of: try ColourDecision.all(in: bytes))
    case nil: throw .unknownFormat
    }
    return ImportedRecipe(
      identifier: identifier, source: name, members: draft.members, filters: draft.steps,
      notes: draft.notes)
  }

  private enum Format {
    case aae, xmp, pp3, cdl
  }

  private static func format(of bytes: [UInt8]) -> Format? {
    if BinaryPropertyList.begins(bytes) { return .aae }
    // UTF-16 text is converted to UTF-8. If the conversion fails, the format is detected from the
    // unchanged bytes.
    let text = (try? MarkupParser.utf8(bytes)) ?? bytes
    let start = text.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    switch start.first {
    case UInt8(ascii: "<"):
      let head = String(decoding: start.prefix(512), as: UTF8.self)
      if head.contains("<plist") || head.contains("<!DOCTYPE plist") { return .aae }
      guard let root = try? MarkupParser.parse(bytes) else {
        return head.contains("ColorCorrection") || head.contains("ColorDecision") ? .cdl : .xmp
      }
      if ColourDecision.isDocument(root) { return .cdl }
      return XMPPacket.isPacket(root) ? .xmp : nil
    case UInt8(ascii: "["), UInt8(ascii: "#"): return .pp3
    default: return nil
    }
  }
}
