import CFontconfig
import CVips
import Synchronization

/// The fonts for drawing text: the fonts of the system, and fonts added from files.
public enum FontLibrary {
  /// A font from a file: its family, and a path that stays valid until this process ends.
  public struct Font: Sendable, Hashable {
    public let family: String
    public let path: String
  }

  /// The added fonts, by the bytes of their files.
  ///
  /// The lock also serializes calls of fontconfig. The files in memory exist until this process
  /// ends, because fontconfig and Pango may read them at any time.
  private static let added = Mutex<[[UInt8]: (font: Font, file: MemoryFile)]>([:])

  /// Calls `body` while no other thread calls fontconfig.
  static func serialized<Result: Sendable>(_ body: () -> Result) -> Result {
    added.withLock { _ in body() }
  }

  /// A text in three equivalent forms: unchanged, and with accents composed and decomposed
  /// (Unicode's normalization forms C and D).
  ///
  /// A font can draw a letter with an accent if it contains the characters of one of these forms.
  public static func equivalents(of text: String) -> [String] {
    [text]
      + [G_NORMALIZE_NFC, G_NORMALIZE_NFD].compactMap { form in
        guard let characters = g_utf8_normalize(text, -1, form) else { return nil }
        defer { g_free(characters) }
        return String(cString: characters)
      }
  }

  /// True if the system's fonts or the added fonts include a family.
  ///
  /// `family` may be any of the family's names.
  public static func has(family: String) -> Bool {
    added.withLock { _ in
      guard let pattern = FcPatternCreate(), let set = FcObjectSetCreate() else { return false }
      defer {
        FcPatternDestroy(pattern)
        FcObjectSetDestroy(set)
      }
      FcPatternAddString(pattern, FC_FAMILY, family)
      FcObjectSetAdd(set, FC_FAMILY)
      guard let found = FcFontList(nil, pattern, set) else { return false }
      defer { FcFontSetDestroy(found) }
      return found.pointee.nfont > 0
    }
  }

  /// Registers the font in a file's bytes; returns nil if they are not a font.
  public static func add(_ bytes: [UInt8]) throws(VipsError) -> Font? {
    let result = added.withLock { added -> Result<Font?, VipsError> in
      if let known = added[bytes] { return .success(known.font) }
      return Result { () throws(VipsError) in
        let file = try MemoryFile(bytes)
        guard let family = family(ofFile: file.path) else { return nil }
        let font = Font(family: family, path: file.path)
        added[bytes] = (font, file)
        return font
      }
    }
    return try result.get()
  }

  private static func family(ofFile path: String) -> String? {
    var count: Int32 = 0
    guard let pattern = FcFreeTypeQuery(path, 0, nil, &count) else { return nil }
    defer { FcPatternDestroy(pattern) }
    var name: UnsafeMutablePointer<FcChar8>?
    guard FcPatternGetString(pattern, FC_FAMILY, 0, &name) == FcResultMatch, let name else {
      return nil
    }
    return String(cString: name)
  }
}

extension FontLibrary {
  /// The paths of all files and folders that may be read to draw text: the configuration of
  /// fontconfig, its caches, and the fonts.
  ///
  /// This call also loads the configuration, which drawing uses afterwards.
  public static func places() -> [String] {
    guard FcInit() == FcTrue else { return [] }
    let lists = [
      FcConfigGetConfigFiles(nil), FcConfigGetFontDirs(nil), FcConfigGetCacheDirs(nil),
    ]
    var places: [String] = []
    for list in lists {
      guard let list else { continue }
      defer { FcStrListDone(list) }
      while let place = FcStrListNext(list) { places.append(String(cString: place)) }
    }
    return places
  }
}
