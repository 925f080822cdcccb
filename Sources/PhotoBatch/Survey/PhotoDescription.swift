import PhotoImport
import PhotoLibrary
import PhotoMetadata
import SystemPackage

extension EditContext {
  /// The description of a photo in the XMP files beside it, for an edit that starts from `base`; nil if
  /// there is none.
  ///
  /// An edit that starts from a rendition gets the rendition's texts, which the edit below may have set
  /// or dropped.
  func description(of asset: Asset, on base: Adjustment.Base) -> XMP? {
    if base != .original { return nil }
    let description = xmp(beside: asset)?.describing
    return description?.isEmpty == true ? nil : description
  }

  /// The SHA-256 of a description, as a sidecar records it.
  static func digest(of description: XMP) -> String { "\(Digest(of: description.packet))" }

  /// The properties in the XMP files beside a photo; a file named after the full name, such as
  /// `a.jpg.xmp`, takes precedence over `a.xmp`.
  ///
  /// Unreadable files are ignored here; `ForeignEdits` reports files that may be edits.
  func xmp(beside asset: Asset) -> XMP? {
    let library = root.library
    let paths = contents.foreignFiles(of: asset, library).compactMap { file -> FilePath? in
      switch file {
      case .edit(let edit) where edit.kind == .darktable || edit.kind == .cameraRaw: edit.file
      case .companion(let path, .description), .companion(let path, .alreadyApplied): path
      default: nil
      }
    }
    return paths.sorted { $0.string.count > $1.string.count }.reduce(nil) { known, path in
      guard let bytes = try? library.read(path, limit: XMPPacket.sizeLimit),
        let found = try? XMP(bytes)
      else { return known }
      return known.map { $0.merged(with: found) } ?? found
    }
  }
}
