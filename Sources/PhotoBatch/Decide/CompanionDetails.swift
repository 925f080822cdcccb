import PhotoImport
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import SystemPackage

extension PhotoPlanner {
  /// The photo's metadata from the XMP files beside it; a file named after the full name, such as
  /// `a.jpg.xmp`, takes precedence over `a.xmp`.
  ///
  /// Unreadable files are ignored here; `ForeignEdits` reports files that may be edits.
  var companionDetails: PhotoDetails {
    let library = context.root.library
    let paths = context.contents.foreignFiles(of: asset, library).compactMap { file -> FilePath? in
      switch file {
      case .edit(let edit) where edit.kind == .darktable || edit.kind == .cameraRaw: edit.file
      case .companion(let path, .description), .companion(let path, .alreadyApplied): path
      default: nil
      }
    }
    var details = PhotoDetails()
    for path in paths.sorted(by: { $0.string.count > $1.string.count }) {
      guard let bytes = try? library.read(path, limit: XMPPacket.sizeLimit),
        let xmp = try? XMP(bytes)
      else { continue }
      var metadata = Metadata()
      metadata.xmp = xmp
      details = details.merged(with: PhotoDetails(metadata))
    }
    return details
  }
}
