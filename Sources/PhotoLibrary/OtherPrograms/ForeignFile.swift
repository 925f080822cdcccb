import PhotoImport
import PhotoRecipes
import SystemPackage

extension ForeignFile {
  /// The edits of other programs beside a photo, sorted by name.
  ///
  /// Reads only the companions of that photo, at most 1 MiB of each. For a photo without
  /// companions, the function only looks up the photo in a dictionary.
  public static func find(
    for original: FileName, in folder: ScannedFolder, files: RealFileSystem
  ) -> [ForeignFile] {
    let companions = folder.companions(of: original)
    let adjustments = companions.filter { $0.kind == .aae }
    let current = currentPhoto(of: original, among: companions)
    return companions.compactMap { companion in
      guard let path = folder.path(of: companion.file.name) else { return nil }
      switch companion.kind {
      case .film: return nil
      case .originalAAE: return .companion(path, .camera)
      case .edited:
        guard adjustments.isEmpty, companion.file.name == current else { return nil }
        return .companion(path, .editedWithoutAdjustment)
      case .aae, .xmp, .pp3:
        return find(
          companion, of: original, at: path, current.flatMap { folder.path(of: $0) }, files)
      }
    }
  }

  /// The name of the companion that Photos rendered as the edited photo; nil if there is none.
  ///
  /// If there are several, the one with the original's extension is chosen.
  private static func currentPhoto(
    of original: FileName, among companions: [Companion]
  ) -> FileName? {
    let edited = companions.filter {
      if case .photo = $0.file.claim { $0.kind == .edited } else { false }
    }
    let alike = edited.first {
      FileName(bytes: $0.file.name.extension)
        .isEqualIgnoringCase(to: FileName(bytes: original.extension))
    }
    return (alike ?? edited.first)?.file.name
  }

  private static func find(
    _ companion: Companion, of original: FileName, at path: FilePath, _ current: FilePath?,
    _ files: RealFileSystem
  ) -> ForeignFile {
    let bytes: [UInt8]
    do throws(FileSystemError) {
      bytes = try files.read(path, limit: AdjustmentFile.sizeLimit)
    } catch {
      let reason: ForeignReadError =
        error.errno == .fileTooLarge
        ? .content(.tooLarge(limit: AdjustmentFile.sizeLimit)) : .file(error)
      guard companion.kind == .aae, let current else { return .unreadable(path, reason) }
      return .unreadableAdjustment(path, reason, current: current)
    }
    let found: Result<Found, ForeignFileError>
    switch companion.kind {
    case .aae: found = Result { () throws(ForeignFileError) in try Found(aae: bytes) }
    case .pp3:
      found = Result { () throws(ForeignFileError) in try Found(pp3: bytes, companion) }
    default:
      found = Result { () throws(ForeignFileError) in try Found(xmp: bytes, companion, original) }
    }
    switch found {
    case .failure(let error):
      guard companion.kind == .aae, let current else { return .unreadable(path, .content(error)) }
      // If Photos' settings cannot be decoded, its rendered image is used instead, as in Photos.
      return .edit(
        ForeignEdit(
          kind: .aae, file: path, digest: Digest(of: bytes), formatIdentifier: "unknown",
          formatVersion: "", current: current, flaw: error))
    case .success(.companion(let reason)): return .companion(path, reason)
    case .success(.edit(let kind, let identifier, let version, let settings)):
      return .edit(
        ForeignEdit(
          kind: kind, file: path, digest: Digest(of: bytes), formatIdentifier: identifier,
          formatVersion: version, current: kind == .aae ? current : nil,
          settings: settings.map { Digest(of: Array($0.utf8)) }))
    }
  }
}

/// The result of parsing a companion.
private enum Found {
  /// An edit; `settings` is the part of the file that changes the photo's look.
  case edit(ForeignEdit.Kind, identifier: String, version: String, settings: String?)
  case companion(ForeignCompanionReason)

  init(aae bytes: [UInt8]) throws(ForeignFileError) {
    let file = try AdjustmentFile(bytes)
    self =
      file.isFilm
      ? .companion(.film)
      : .edit(
        .aae, identifier: file.formatIdentifier, version: file.formatVersion, settings: nil)
  }

  /// Reads a profile by RawTherapee.
  ///
  /// Only a profile that has the photo's whole name is an edit; others are presets for any photo.
  init(pp3 bytes: [UInt8], _ companion: Companion) throws(ForeignFileError) {
    let profile = try ProcessingProfile(bytes)
    if !companion.namesWholePhoto {
      self = .companion(.preset)
    } else if !profile.hasSettings {
      self = .companion(.description)
    } else {
      self = .edit(
        .rawTherapee, identifier: "com.rawtherapee", version: profile.version,
        settings: profile.settingsText)
    }
  }

  init(
    xmp bytes: [UInt8], _ companion: Companion, _ original: FileName
  ) throws(ForeignFileError) {
    let packet = try XMPPacket(bytes)
    if !companion.namesWholePhoto, companion.photos.count > 1,
      let owner = companion.owner(packet.sidecarExtension), owner != original
    {
      self = .companion(.ofAnother(owner))
      return
    }
    switch packet.editor {
    case .darktable:
      self = .edit(
        .darktable, identifier: "org.darktable", version: packet.darktableVersion,
        settings: packet.settingsText)
    case .cameraRaw:
      if packet.isPreset {
        self = .companion(.preset)
      } else if packet.isAlreadyApplied {
        self = .companion(.alreadyApplied)
      } else {
        self = .edit(
          .cameraRaw, identifier: "com.adobe.camera-raw", version: packet.cameraRawVersion,
          settings: packet.settingsText)
      }
    case nil: self = .companion(.description)
    }
  }
}

extension Companion {
  /// The photo, among those with the same stem, to which the sidecar `photo.xmp` belongs.
  ///
  /// Camera Raw may write the photo's extension into the sidecar; otherwise it writes such files
  /// only for raw photos.
  fileprivate func owner(_ extension: String?) -> FileName? {
    if let name = `extension` {
      let wanted = FileName(name)
      let named = photos.first {
        FileName(bytes: $0.extension).isEqualIgnoringCase(to: wanted)
      }
      if let named { return named }
    }
    return photos.first { FileClaim($0).family == .raw }
  }
}

extension ScannedFolder {
  /// The path of a name in the folder, from the library's root.
  fileprivate func path(of name: FileName) -> FilePath? { name.component.map(path.appending) }
}
