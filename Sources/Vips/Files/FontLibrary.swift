import CFontconfig
import Glibc
import Synchronization

/// The fonts that texts are drawn with: those of the system, and those of files.
public enum FontLibrary {
  /// A font of a file: its family, and where libvips finds it as long as this process lives.
  public struct Font: Sendable, Hashable {
    public let family: String
    public let path: String
  }

  /// Fonts of files by their bytes; fontconfig is not to be asked from two threads at a time.
  ///
  /// The files live as long as this process, for they may be read at any time.
  private static let added = Mutex<[[UInt8]: (font: Font, file: MemoryFile)]>([:])

  /// Whether the system, or a file that was added, has fonts of a family, under any of its names.
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

  /// Makes a font of a file's bytes known; nil where they are no font.
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
  /// Every file and folder that drawing texts may read: the configuration of fontconfig, its caches,
  /// the fonts.
  ///
  /// Reads the configuration, which texts then use.
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
