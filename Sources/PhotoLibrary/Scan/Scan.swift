public import Notation
import PhotoRecipes
public import SystemPackage

/// A walk through a library that lists each folder once and reads the status of each regular file
/// once.
///
/// A folder precedes those in it, which are in the order of their names: paths are sorted as if `/`
/// preceded every other byte. The walk does not follow symbolic links. It does not enter hidden
/// folders, `@eaDir`, folders that `.phbatchignore` excludes, and folders that contain another
/// `.phbatch`. A folder that cannot be read is an element with its error, and the walk continues. A
/// folder with a file whose status cannot be read is one too; otherwise that file would be reported
/// as missing. The folders in it are scanned.
public struct Scan: Sequence, Sendable {
  let files: RealFileSystem

  public init(_ files: RealFileSystem) { self.files = files }

  public func makeIterator() -> Iterator { Iterator(files) }

  /// True if the scan never enters this folder, or one above it, because of its name.
  ///
  /// The path is relative to the root; the folder need not exist.
  public func excludes(_ folder: FilePath) throws(ScanError) -> Bool {
    var place = FolderToScan()
    for component in folder.components {
      try Self.addRules(files, to: &place)
      if Self.reasonToSkip(folder: FileName(component), in: place.path, place.rules) != nil {
        return true
      }
      place = place.entering(component)
    }
    return false
  }

  public struct Iterator: IteratorProtocol {
    private let files: RealFileSystem
    /// The folders still to list; the next one is last.
    private var waiting = [FolderToScan()]

    fileprivate init(_ files: RealFileSystem) { self.files = files }

    public mutating func next() -> Result<ScannedFolder, ScanError>? {
      guard let place = waiting.popLast() else { return nil }
      do throws(ScanError) {
        let (folder, below) = try Scan.list(place, files)
        waiting += below.reversed()
        return folder.obstacle.map { .failure($0) } ?? .success(folder.scanned())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Lists a folder, and returns the subfolders that the walk enters, sorted by name.
  static func list(
    _ place: FolderToScan, _ files: RealFileSystem
  ) throws(ScanError) -> (ListedFolder, below: [FolderToScan]) {
    var listed = ListedFolder(place: place, listing: try listing(of: place.path, files))
    if !place.path.isEmpty, listed.listing.holds(stateFolder, kind: .directory) {
      listed.isAnotherLibrary = true
      return (listed, [])
    }
    if listed.listing.holds(rulesFile) { try addRules(files, to: &listed.place) }
    let place = listed.place
    var below: [FolderToScan] = []
    for entry in listed.listing.entries where entry.kind == .directory {
      let name = listed.listing.name(of: entry)
      if name == stateFolder || name == rulesFile { continue }
      let reason = reasonToSkip(folder: name, in: place.path, place.rules)
      guard reason == nil || reason == .folderNamedLikePhoto, let component = name.component else {
        continue
      }
      below.append(place.entering(component))
    }
    below.sort { $0.name < $1.name }
    return (listed, below)
  }

  private static func listing(
    of path: FilePath, _ files: RealFileSystem
  ) throws(ScanError) -> FolderListing {
    do throws(FileSystemError) {
      let folder = try files.openFolder(path)
      do throws(Errno) { return try folder.listing() } catch {
        throw FileSystemError(.list, path, error)
      }
    } catch { throw .folder(error) }
  }

  static let stateFolder = FileName(".phbatch")
  static let rulesFile = FileName(IgnoreRules.fileName)
  private static let thumbnails = FileName("@eaDir")
  /// The maximum number of bytes of a `.phbatchignore`.
  static let rulesLimit = 1 << 20

  static func addRules(
    _ files: RealFileSystem, to place: inout FolderToScan
  ) throws(ScanError) {
    let text: [UInt8]
    do throws(FileSystemError) {
      text = try files.read(place.path.appending(IgnoreRules.fileName), limit: rulesLimit)
    } catch {
      guard error.errno != .noSuchFileOrDirectory else { return }
      throw .folder(error)
    }
    do throws(IgnoreRulesError) { try place.rules.add(text, in: place.path) } catch {
      throw .rules(error, folder: place.path)
    }
    place.rulesDigest = Digest(of: place.rulesDigest + Digest(of: text).bytes).bytes
  }

  static func reasonToSkip(
    folder name: FileName, in parent: FilePath, _ rules: IgnoreRules
  ) -> SkippedEntry.Reason? {
    if name.isHidden { return .hidden }
    if name == thumbnails { return .thumbnails }
    if rules.excludes(name, in: parent, isFolder: true) { return .ignored }
    guard case .photo = FileClaim(name) else { return nil }
    return .folderNamedLikePhoto
  }
}

/// The reason why a folder, with all below it, is missing from a scan.
public enum ScanError: UserError, Hashable {
  /// The folder, its `.phbatchignore`, or the status of one of its files could not be read.
  case folder(FileSystemError)
  /// The ignore rules of the folder are invalid, so none of its files is scanned.
  case rules(IgnoreRulesError, folder: FilePath)

  /// The folder or file that could not be read.
  public var path: FilePath {
    switch self {
    case .folder(let error): error.path
    case .rules(_, let folder): folder
    }
  }

  /// True if the scan may lack the photo at this path, or photos in the folder at this path, because
  /// of the error.
  public func affects(_ path: FilePath) -> Bool {
    var folder = self.path
    if case .folder(let error) = self, error.call == .describe {
      // The folders beside the file were scanned.
      folder.removeLastComponent()
      return path.removingLastComponent() == folder || folder.starts(with: path)
    }
    if folder.lastComponent == IgnoreRules.fileName { folder.removeLastComponent() }
    return path.starts(with: folder) || folder.starts(with: path)
  }

  public var message: String {
    switch self {
    case .folder(let error): error.message
    case .rules(let error, _): error.message
    }
  }

  public var hint: String {
    switch self {
    case .folder(let error) where error.call == .describe:
      error.hint + ", or exclude the file by .phbatchignore"
    case .folder(let error): error.hint
    case .rules(let error, _): error.hint
    }
  }
}
