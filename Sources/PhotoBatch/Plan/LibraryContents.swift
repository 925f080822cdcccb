import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A photo of the library, as far as a scan tells.
struct Asset: Sendable, Hashable {
  /// From the library's root.
  let path: FilePath
  let file: ScannedFile
}

/// A sidecar that was found.
enum FoundSidecar: Sendable {
  case usable(Sidecar, FileIdentity)
  case unusable(Reason, any UserError)

  var sidecar: Sidecar? {
    if case .usable(let sidecar, _) = self { sidecar } else { nil }
  }
}

/// What one scan found in a library and in the folder that mirrors it.
struct LibraryContents: Sendable {
  /// Every file that may be a photo and is no rendition, in the order of the scan.
  var assets: [Asset] = []
  /// The sidecars of the output root, by the path of their originals.
  var sidecars: [FilePath: FoundSidecar] = [:]
  /// The library's own, where the output root is another folder.
  var librarySidecars: [FilePath: FoundSidecar] = [:]
  /// The paths below the output root that sidecars claim, with the originals they claim them for.
  var claims: [FilePath: FilePath] = [:]
  /// The photos whose sidecars cannot be used, by folder: nobody knows what is theirs.
  private var silent: [FilePath: [FilePath]] = [:]
  /// Temporary files in the output root, by folder.
  var leftovers: [(folder: FilePath, names: [FileName])] = []
  /// The library's folders in which other programs left something beside photos.
  private var companioned: [FilePath: ScannedFolder] = [:]
  /// What could not be looked at.
  var problems: [any UserError] = []

  init(scanning root: OutputRoot) {
    var files: [Asset] = []
    let found = scan(root.library, into: &files)
    sidecars = found
    if root.isMirror {
      librarySidecars = found
      leftovers = []
      let libraryFolders = companioned
      var others: [Asset] = []
      sidecars = scan(root.files, into: &others)
      companioned = libraryFolders
    }
    claims = Self.claims(of: sidecars)
    for (original, sidecar) in found where sidecar.sidecar == nil {
      silent[original.removingLastComponent(), default: []].append(original)
    }
    let renditions = root.isMirror ? Self.claims(of: librarySidecars) : claims
    assets = files.filter { asset in
      if renditions[asset.path] != nil && found[asset.path] == nil { return false }
      return asset.file.claim != .none || holdsPhoto(asset, root.library)
    }
  }

  /// The sidecar of a photo, and what its file is known by; nil if there is none.
  func usableSidecar(of asset: Asset) throws(PhotoFailure) -> (Sidecar, FileIdentity)? {
    switch sidecars[asset.path] {
    case nil: return nil
    case .usable(let sidecar, let identity): return (sidecar, identity)
    case .unusable(let reason, let error):
      throw PhotoFailure(reason, error.message, hint: error.hint)
    }
  }

  /// What other programs left beside a photo.
  func foreignFiles(of asset: Asset, _ library: RealFileSystem) -> [ForeignFile] {
    guard let folder = companioned[asset.path.removingLastComponent()] else { return [] }
    return ForeignFile.find(for: asset.file.name, in: folder, files: library)
  }

  /// The focal point that the library's own sidecar gives, where the output root is another folder.
  func libraryFocalPoint(of asset: Asset) -> Sidecar.FocalPoint? {
    librarySidecars[asset.path]?.sidecar?.focalPoint
  }

  /// The photo that a file, by its name, may be a rendition of, where the sidecar that would tell
  /// cannot be used.
  func possibleOriginal(of asset: Asset) -> FilePath? {
    guard let beside = silent[asset.path.removingLastComponent()], sidecars[asset.path] == nil
    else {
      return nil
    }
    return beside.sorted { $0.string < $1.string }.first { original in
      guard let name = original.lastComponent, original != asset.path else { return false }
      return asset.file.name.bytes.starts(with: FileName(name).stem + [UInt8(ascii: ".")])
    }
  }

  private mutating func scan(
    _ files: RealFileSystem, into assets: inout [Asset]
  ) -> [FilePath: FoundSidecar] {
    var sidecars: [FilePath: FoundSidecar] = [:]
    for result in Scan(files) {
      switch result {
      case .failure(let error): problems.append(error)
      case .success(let folder):
        if !folder.companions.isEmpty { companioned[folder.path] = folder }
        if !folder.leftovers.isEmpty { leftovers.append((folder.path, folder.leftovers)) }
        for file in folder.files {
          if let original = Repairing.original(ofDamaged: file.name, in: folder.path) {
            silent[folder.path, default: []].append(original)
            continue
          }
          if let path = file.name.path(in: folder.path) {
            assets.append(Asset(path: path, file: file))
          }
        }
        for file in folder.sidecars {
          let name = FileName(bytes: file.name.bytes.dropLast(Sidecar.suffix.utf8.count))
          guard let path = file.name.path(in: folder.path),
            let original = name.path(in: folder.path)
          else { continue }
          sidecars[original] = Self.read(path, file.status.identity, files)
        }
      }
    }
    return sidecars
  }

  private static func read(
    _ path: FilePath, _ identity: FileIdentity, _ files: RealFileSystem
  ) -> FoundSidecar {
    do throws(FileSystemError) {
      let bytes = try files.read(path, limit: Sidecar.sizeLimit + 1)
      do throws(SidecarError) {
        return .usable(try Sidecar(SourceText(name: path.displayed, bytes: bytes)), identity)
      } catch .newer(let version) {
        return .unusable(.newerSidecar, SidecarError.newer(version))
      } catch {
        return .unusable(.corruptSidecar, error)
      }
    } catch {
      return .unusable(.corruptSidecar, error)
    }
  }

  private static func claims(of sidecars: [FilePath: FoundSidecar]) -> [FilePath: FilePath] {
    var claims: [FilePath: FilePath] = [:]
    // Of two that claim the same path the first keeps it, in every run the same.
    for (original, found) in sidecars.sorted(by: { $0.key.string < $1.key.string }) {
      guard let sidecar = found.sidecar else { continue }
      for adjustment in sidecar.adjustments {
        for rendition in adjustment.renditions {
          let path = adjustment.path(of: rendition, original: original, sidecar.original)
          if let path, path != original, claims[path] == nil { claims[path] = original }
        }
      }
    }
    return claims
  }

  /// Looks into a file whose name says nothing.
  private func holdsPhoto(_ asset: Asset, _ files: RealFileSystem) -> Bool {
    guard let file = try? files.open(asset.path),
      let kind = try? FileKind(of: file, named: asset.file.name, in: files)
    else { return false }
    return kind != .notPhoto
  }
}

extension FileName {
  func path(in folder: FilePath) -> FilePath? { component.map { folder.appending($0) } }
}
