import PhotoImport
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import SystemPackage

extension PhotoPlanner {
  /// What XMP files beside the photo say of it; those that name its extension count first.
  ///
  /// A file that cannot be read says nothing: where it may be an edit, that is reported elsewhere.
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
