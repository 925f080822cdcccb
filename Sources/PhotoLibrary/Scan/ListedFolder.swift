import SystemCalls
public import SystemPackage

/// A folder that a walk will enter, with the ignore rules that it inherits.
struct FolderToScan: Sendable {
  private(set) var path: FilePath = ""
  private(set) var name = FileName(bytes: [])
  var rules = IgnoreRules()
  /// The digest of the texts of the ignore rules; empty if there are none.
  var rulesDigest: [UInt8] = []

  func entering(_ component: FilePath.Component) -> FolderToScan {
    var below = self
    below.path.append(component)
    below.name = FileName(component)
    return below
  }
}

/// A folder that a walk has listed, before its files are sorted by kind.
public struct ListedFolder: Sendable {
  var place: FolderToScan
  var listing: FolderListing
  /// True if the folder is another output root; the walk leaves out this folder and everything
  /// below it.
  public internal(set) var isAnotherLibrary = false

  init(place: FolderToScan, listing: FolderListing) {
    self.place = place
    self.listing = listing
  }

  /// The path relative to the root; empty for the root.
  public var path: FilePath { place.path }

  /// A SHA-256 of all facts that identify the folder's files and their state: names, identities,
  /// and the ignore rules.
  ///
  /// If `trustsInodes` is false, the inode numbers are left out, because they are not stable.
  public func fingerprint(trustsInodes: Bool) -> [UInt8] {
    listing.fingerprint(place.rulesDigest, trustsInodes: trustsInodes)
  }

  /// The latest time at which any file of the folder was changed, in nanoseconds since 1970.
  public var newest: Int64 { listing.newest }

  /// The number of files and folders in the folder.
  public var count: Int { listing.entries.count }

  /// True if the folder contains files with the names of sidecars.
  public var hasSidecars: Bool {
    listing.entries.contains { listing.name(of: $0).isSidecarName }
  }

  /// The names of the regular files that are not hidden, and the sidecars with their sizes in bytes,
  /// both in no particular order.
  ///
  /// Files that `.phbatchignore` excludes are included.
  public func names() -> (files: [FileName], sidecars: [(name: FileName, bytes: Int64)]) {
    var (files, sidecars) = ([FileName](), [(name: FileName, bytes: Int64)]())
    for entry in listing.entries where entry.kind == .regular && !isAnotherLibrary {
      let name = listing.name(of: entry)
      if name.isSidecarName {
        sidecars.append((name, entry.status.size))
      } else if !name.isHidden {
        files.append(name)
      }
    }
    return (files, sidecars)
  }

  /// True if the folder contains temporary files.
  public var hasLeftovers: Bool {
    listing.entries.contains { entry in
      listing.names[Int(entry.start)] == UInt8(ascii: ".")
        && TemporaryName.describes(listing.name(of: entry))
    }
  }

  /// The error for the first entry, by name, whose status cannot be read; nil if there is none.
  ///
  /// Hidden entries, and those that `.phbatchignore` excludes as a file or as a folder, do not
  /// count.
  var obstacle: ScanError? {
    guard listing.entries.contains(where: { $0.failure != 0 }) else { return nil }
    let (path, rules) = (path, place.rules)
    for entry in listing.sorted() {
      guard let failure = entry.failure, let name = entry.name.component,
        ![false, true].contains(where: { rules.excludes(entry.name, in: path, isFolder: $0) })
      else { continue }
      return .folder(FileSystemError(.describe, path.appending(name), failure))
    }
    return nil
  }

  /// Sorts the entries by kind.
  public func scanned() -> ScannedFolder {
    var folder = ScannedFolder(path: path)
    if isAnotherLibrary {
      folder.skipped = [SkippedEntry(name: Scan.stateFolder, reason: .anotherLibrary)]
      return folder
    }
    for entry in listing.sorted()
    where entry.name != Scan.rulesFile && entry.name != Scan.stateFolder {
      if entry.kind != .regular, entry.name.isSidecarName,
        !place.rules.excludes(entry.name, in: path, isFolder: entry.kind == .directory)
      {
        folder.irregularSidecars.append(entry.name)
      }
      if entry.kind == .directory {
        let reason = Scan.reasonToSkip(folder: entry.name, in: path, place.rules)
        if let reason { folder.skipped.append(SkippedEntry(name: entry.name, reason: reason)) }
      } else {
        folder.add(entry, place.rules)
      }
    }
    folder.separateCompanions()
    return folder
  }
}

extension FileName {
  fileprivate var isSidecarName: Bool { !isHidden && hasSuffix(".phbatch.json") }
}

extension ScannedFolder {
  /// Adds an entry that is not a folder to the list of its kind.
  fileprivate mutating func add(_ entry: FolderEntry, _ rules: IgnoreRules) {
    if let reason = reasonToSkip(entry, rules) {
      skipped.append(SkippedEntry(name: entry.name, reason: reason))
    } else if TemporaryName.describes(entry.name) {
      leftovers.append(entry.name)
    } else if let status = entry.status {
      let file = ScannedFile(name: entry.name, status: status, claim: FileClaim(entry.name))
      if entry.name.isSidecarName {
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
    case .other: return .notFile
    case .regular, .directory: break
    }
    if entry.name.isHidden { return TemporaryName.describes(entry.name) ? nil : .hidden }
    return rules.excludes(entry.name, in: path, isFolder: false) ? .ignored : nil
  }
}
