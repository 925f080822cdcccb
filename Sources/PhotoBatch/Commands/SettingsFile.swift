import FileStructure
public import PhotoImport
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
public import SystemPackage

/// Another program's settings, from a file of their own or from the metadata of a photo.
public struct SettingsFile {
  /// The bytes of the file, or the photo's XMP packet.
  public let bytes: [UInt8]
  /// The photo to which the settings belong, as far as it is known.
  public let photo: SettingsPhoto

  /// Reads the settings in the file at a path, which may be a photo.
  ///
  /// The photo of a sidecar is looked for beside it.
  ///
  /// - Throws: `FileSystemError` if the file cannot be read.
  public init(_ path: FilePath) throws {
    guard let name = path.lastComponent, name.kind == .regular else {
      throw FileSystemError(.open, path, .isDirectory)
    }
    let folder = path.removingLastComponent()
    let files = try RealFileSystem(root: folder.isEmpty ? "." : folder)
    let file = try files.open(FilePath(root: nil, [name]))
    switch try FileKind(of: file, named: FileName(name), in: files) {
    case .photo(let format), .unsupported(let format):
      bytes = (file.withSource { Metadata(of: $0) }.xmp ?? XMP()).packet
      photo = file.withSource { SettingsPhoto($0, format) }
      return
    case .notPhoto, .unreadable: break
    }
    // Reads one byte more than the limit, so that a file that is too large is recognized by its
    // size.
    bytes = try files.read(file, at: 0, count: PhotoImport.Import.sizeLimit + 1)
    let scanned = (try? Scan(files).list(""))?.scanned()
    let owners = scanned.map { Self.photos(of: FileName(name), in: $0) } ?? []
    // Nothing is known of a photo that cannot be read.
    var photo = owners.first.flatMap { try? Self.photo($0, in: files) } ?? SettingsPhoto()
    if let scanned, let owner = owners.first {
      photo.editedImage = Self.editedImage(by: name, of: FileName(owner), in: scanned, files)
    }
    self.photo = photo
  }

  /// The name of the image that the program of a sidecar left beside a photo; nil if there is none.
  private static func editedImage(
    by sidecar: FilePath.Component, of photo: FileName, in folder: ScannedFolder,
    _ files: RealFileSystem
  ) -> String? {
    for case .edit(let edit) in ForeignFile.find(for: photo, in: folder, files: files)
    where edit.file.lastComponent == sidecar {
      return edit.current?.lastComponent?.string
    }
    return nil
  }

  private static func photo(
    _ name: FilePath.Component, in files: RealFileSystem
  ) throws -> SettingsPhoto {
    let file = try files.open(FilePath(root: nil, [name]))
    let format = try FileKind(of: file, named: FileName(name), in: files).format
    return file.withSource { SettingsPhoto($0, format) }
  }

  /// The photos to which a sidecar belongs, raw photos first.
  private static func photos(
    of sidecar: FileName, in folder: ScannedFolder
  ) -> [FilePath.Component] {
    let photos = folder.files.filter { photo in
      folder.companions(of: photo.name).contains { $0.file.name == sidecar }
    }
    let isRaw = { (photo: ScannedFile) in photo.claim.family == .raw }
    return (photos.filter(isRaw) + photos.filter { !isRaw($0) }).compactMap(\.name.component)
  }
}

extension SettingsPhoto {
  fileprivate init(_ source: ByteSource, _ format: InputFormat?) {
    let metadata = Metadata(of: source)
    let pictures = TIFFPictures(source)
    let described = pictures?.pixels.map { Size($0.width, $0.height) }
    // A program that changes the size of a picture may leave its EXIF as it was.
    let stated =
      format.flatMap { Size(headerOf: source, $0) }
      ?? metadata.exif?.pixels.map { Size($0.width, $0.height) }
    let size = pictures?.isDNG == true ? described ?? stated : stated ?? described
    self.init(
      isRaw: format.map { $0.family == .raw },
      orientation: metadata.orientation.flatMap { Orientation(rawValue: $0) } ?? .upright,
      aspect: size.map { Double($0.width) / Double($0.height) }, size: size,
      exposureBias: metadata.exif?.exposureBias ?? 0)
  }
}

extension Size {
  /// The size of the stored picture that the header of a JPEG, PNG or TIFF file states; nil for
  /// other formats, and if the header is damaged.
  fileprivate init?(headerOf source: ByteSource, _ format: InputFormat) {
    let stated: PixelSize? =
      switch format {
      case .jpeg: PixelSize(jpeg: source)
      case .png: PixelSize(png: source)
      case .tiff: PixelSize(tiff: source)
      default: nil
      }
    guard let stated else { return nil }
    self.init(stated.width, stated.height)
  }
}

extension OpenFile {
  fileprivate func withSource<Result>(_ body: (ByteSource) -> Result) -> Result {
    withDescriptor { body(.descriptor($0.rawValue)) }
  }
}
