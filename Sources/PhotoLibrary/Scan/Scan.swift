public import SystemPackage

/// A walk through a library: each folder once, its entries asked for their status once.
///
/// A folder comes before those in it, and these in the order of their names: folder paths are in
/// order if `/` is taken to sort before every other byte. Symbolic links are not followed. Hidden
/// folders, `@eaDir`, what `.phbatchignore` leaves out, and folders that hold another `.phbatch` are
/// not entered. A folder that cannot be read is an element of its own, and the walk goes on.
public struct Scan: Sequence, Sendable {
  private let files: RealFileSystem

  public init(_ files: RealFileSystem) { self.files = files }

  public func makeIterator() -> Iterator { Iterator(files) }

  /// Whether the walk never enters this folder, or one above it, because of its name.
  ///
  /// The path is relative to the root; the folder need not exist.
  public func excludes(_ folder: FilePath) throws(ScanError) -> Bool {
    var rules = IgnoreRules()
    var place: FilePath = ""
    for component in folder.components {
      try Self.addRules(of: place, files, to: &rules)
      if Self.reasonToSkip(folder: FileName(component), in: place, rules) != nil { return true }
      place.append(component)
    }
    return false
  }

  public struct Iterator: IteratorProtocol {
    private let files: RealFileSystem
    /// Folders to come, the next one last, with the rules of those above.
    private var waiting: [(path: FilePath, rules: IgnoreRules)] = [("", IgnoreRules())]

    fileprivate init(_ files: RealFileSystem) { self.files = files }

    public mutating func next() -> Result<ScannedFolder, ScanError>? {
      guard let (path, rules) = waiting.popLast() else { return nil }
      do throws(ScanError) { return .success(try scan(path, rules)) } catch {
        return .failure(error)
      }
    }

    private mutating func scan(
      _ path: FilePath, _ inherited: IgnoreRules
    ) throws(ScanError) -> ScannedFolder {
      let entries = try Self.entries(of: path, files)
      var folder = ScannedFolder(path: path)
      var rules = inherited
      if !path.isEmpty, let state = entries.first(where: { $0.name == Scan.stateFolder }),
        state.kind == .directory
      {
        folder.skipped = [SkippedEntry(name: state.name, reason: .anotherLibrary)]
        return folder
      }
      if entries.contains(where: { $0.name == Scan.rulesFile }) {
        try Scan.addRules(of: path, files, to: &rules)
      }
      var below: [(path: FilePath, rules: IgnoreRules)] = []
      for entry in entries where entry.name != Scan.rulesFile && entry.name != Scan.stateFolder {
        if entry.kind == .directory {
          let reason = Scan.reasonToSkip(folder: entry.name, in: path, rules)
          if let reason { folder.skipped.append(SkippedEntry(name: entry.name, reason: reason)) }
          guard reason == nil || reason == .folderNamedLikePhoto,
            let component = entry.name.component
          else { continue }
          below.append((path.appending(component), rules))
        } else {
          folder.add(entry, rules)
        }
      }
      folder.separateCompanions()
      waiting += below.reversed()
      return folder
    }

    private static func entries(
      of path: FilePath, _ files: RealFileSystem
    ) throws(ScanError) -> [FolderEntry] {
      do throws(FileSystemError) {
        let folder = try files.openFolder(path)
        do throws(Errno) { return try folder.entries() } catch {
          throw FileSystemError(.list, path, error)
        }
      } catch { throw .folder(error) }
    }
  }

  private static let stateFolder = FileName(".phbatch")
  private static let rulesFile = FileName(IgnoreRules.fileName)
  private static let thumbnails = FileName("@eaDir")
  private static let rulesLimit = 1 << 20

  private static func addRules(
    of folder: FilePath, _ files: RealFileSystem, to rules: inout IgnoreRules
  ) throws(ScanError) {
    let path = folder.appending(IgnoreRules.fileName)
    let text: [UInt8]
    do throws(FileSystemError) {
      text = try files.read(path, limit: rulesLimit)
    } catch {
      guard error.errno != .noSuchFileOrDirectory else { return }
      throw .folder(error)
    }
    do throws(IgnoreRulesError) { try rules.add(text, in: folder) } catch {
      throw .rules(error, folder: folder)
    }
  }

  private static func reasonToSkip(
    folder name: FileName, in parent: FilePath, _ rules: IgnoreRules
  ) -> SkippedEntry.Reason? {
    if name.isHidden { return .hidden }
    if name == thumbnails { return .thumbnails }
    if rules.excludes(name, in: parent, isFolder: true) { return .ignored }
    guard case .photo = FileClaim(name) else { return nil }
    return .folderNamedLikePhoto
  }
}

extension ScannedFolder {
  /// Puts an entry that is no folder where it belongs.
  fileprivate mutating func add(_ entry: FolderEntry, _ rules: IgnoreRules) {
    if let reason = reasonToSkip(entry, rules) {
      skipped.append(SkippedEntry(name: entry.name, reason: reason))
    } else if TemporaryName.describes(entry.name) {
      leftovers.append(entry.name)
    } else if let status = entry.status {
      let file = ScannedFile(name: entry.name, status: status, claim: FileClaim(entry.name))
      if entry.name.hasSuffix(".phbatch.json") {
        sidecars.append(file)
      } else if file.claim == .none, let companion = Companion(byExtension: file) {
        companions.append(companion)
      } else {
        files.append(file)
      }
    }
  }

  private func reasonToSkip(_ entry: FolderEntry, _ rules: IgnoreRules) -> SkippedEntry.Reason? {
    switch entry.kind {
    case .symbolicLink: return .symbolicLink
    case .other where entry.failure == nil: return .notFile
    case .regular, .directory, .other: break
    }
    if let failure = entry.failure { return .unreadable(failure) }
    if entry.name.isHidden { return TemporaryName.describes(entry.name) ? nil : .hidden }
    return rules.excludes(entry.name, in: path, isFolder: false) ? .ignored : nil
  }
}
