import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A sidecar that a scan found.
enum FoundSidecar: Sendable {
  /// A valid sidecar, and the identity of its file; stored indirectly, so that large tables of
  /// sidecars stay small.
  indirect case usable(Sidecar, FileIdentity)
  case unusable(Reason, any UserError)

  var isUsable: Bool { sidecar != nil }

  var sidecar: Sidecar? {
    if case .usable(let sidecar, _) = self { sidecar } else { nil }
  }
}

/// Reads sidecars on all cores, and keeps them so that each sidecar is read only once.
struct SidecarReader {
  private let root: OutputRoot
  private var known: [FolderKey: [FilePath: FoundSidecar]] = [:]

  init(_ root: OutputRoot) { self.root = root }

  /// The sidecars in these folders, by the path of their originals.
  mutating func read(_ folders: [ScannedFolder], _ tree: LibraryTree) -> [FilePath: FoundSidecar] {
    let files = tree == .library ? root.library : root.files
    var waiting: [(original: FilePath, path: FilePath, identity: FileIdentity)] = []
    var all: [FilePath: FoundSidecar] = [:]
    for folder in folders {
      if let sidecars = known[FolderKey(tree, folder.path)] {
        all.merge(sidecars) { $1 }
        continue
      }
      known[FolderKey(tree, folder.path)] = [:]
      for file in folder.sidecars {
        guard let path = file.name.path(in: folder.path),
          let original = Sidecar.original(of: path)
        else { continue }
        waiting.append((original, path, file.status.identity))
      }
      for name in folder.irregularSidecars {
        guard let path = name.path(in: folder.path), let original = Sidecar.original(of: path)
        else { continue }
        let found = FoundSidecar.unusable(.corruptSidecar, SidecarError.notFile)
        known[FolderKey(tree, folder.path)]?[original] = found
        all[original] = found
      }
    }
    let found = waiting.mappedOnAllCores {
      ($0.original, Self.read($0.path, of: $0.original, $0.identity, files))
    }
    for (original, sidecar) in found {
      known[FolderKey(tree, original.removingLastComponent())]?[original] = sidecar
      all[original] = sidecar
    }
    return all
  }

  /// Reads one sidecar.
  static func read(
    _ path: FilePath, of original: FilePath, _ identity: FileIdentity, _ files: RealFileSystem
  ) -> FoundSidecar {
    if identity.size > Int64(Sidecar.sizeLimit) {
      return .unusable(.oversizedSidecar, SidecarError.tooLarge(Int(identity.size)))
    }
    do throws(FileSystemError) {
      let bytes = try files.read(path, limit: Sidecar.sizeLimit + 1)
      do throws(SidecarError) {
        let sidecar = try Sidecar(SourceText(name: path.displayed, bytes: bytes))
        return .usable(try sidecar.checked(for: original), identity)
      } catch {
        return .unusable(Reason(error), error)
      }
    } catch {
      return .unusable(.corruptSidecar, error)
    }
  }
}

extension Reason {
  /// The reason why a sidecar cannot be used.
  init(_ error: SidecarError) {
    self =
      switch error {
      case .corrupt, .empty, .notFile, .stray: .corruptSidecar
      case .newer: .newerSidecar
      case .tooLarge: .oversizedSidecar
      case .wrongFocalPoint: .invalidSettings
      }
  }
}
