import SystemPackage

/// Completes the changes of a journal, or takes them back, regardless of how many have been made.
///
/// Every decision is based only on the bytes of the files, so that it can be repeated after a crash
/// at any point.
struct Settlement<Files: FileSystem>: Sendable {
  let files: Files
  let saver: Saver<Files>
  let journals: JournalFolder<Files>
  private let state: CommitState

  init(_ saver: Saver<Files>, _ state: CommitState = .library) {
    files = saver.files
    self.saver = saver
    self.state = state
    journals = JournalFolder(saver, state)
  }

  /// The state of a name: no file, a file with its digest and inode, or another entry.
  private enum Content: Equatable {
    case absent
    case file(Digest, inode: UInt64)
    /// An entry that is not a regular file, or a file that is being written.
    case other

    func has(_ digest: Digest?) -> Bool {
      guard let digest, case .file(digest, _) = self else { return false }
      return true
    }
  }

  /// The progress of one entry of a journal.
  private enum State: Equatable {
    case pending
    case applied
    /// The change displaced an unexpected file.
    case intruded
    /// The change is impossible: another program's file has the name, or the new file is lost.
    case blocked
  }

  private func content(_ path: FilePath) throws(FileSystemError) -> Content {
    guard let status = try files.status(at: path) else { return .absent }
    guard status.kind == .regular else { return .other }
    do {
      return .file(try Digest(of: files.open(path), in: files), inode: status.identity.inode)
    } catch let error as FileSystemError { throw error } catch { return .other }
  }

  private func state(_ entry: Journal.Entry) throws(FileSystemError) -> State {
    let temporary = try content(entry.temporary)
    let final = try content(entry.path)
    switch (entry.new, entry.old) {
    case (let new?, let old?):
      if final.has(new) {
        return temporary == .absent || temporary.has(old) || temporary.has(new)
          ? .applied : .intruded
      }
      if temporary.has(new) { return final.has(old) || final == .absent ? .pending : .blocked }
      // The new file is lost, so the change cannot be made.
      if final.has(old) && temporary == .absent { return .blocked }
      // If the old bytes are at the temporary path or gone, the change was made, and another
      // program then replaced the new file.
      return temporary == .absent || temporary.has(old) ? .applied : .blocked
    case (let new?, nil):
      if final.has(new) { return .applied }
      if temporary.has(new) { return final == .absent ? .pending : .blocked }
      return temporary == .absent ? .applied : .blocked
    case (nil, _):
      if temporary.has(entry.old) { return temporary == final ? .pending : .applied }
      if temporary != .absent { return final == .absent ? .intruded : .blocked }
      return final == .absent ? .applied : final.has(entry.old) ? .pending : .blocked
    }
  }
}

extension Settlement {
  /// Completes the changes that must succeed or fail together, or takes back those already made.
  ///
  /// - Returns: True if the changes are complete.
  func settle(_ units: [Journal.Unit]) throws(FileSystemError) -> Bool {
    let entries = units.flatMap(\.entries)
    var states: [State] = []
    for entry in entries {
      try clearAside(entry)
      if try state(entry) == .intruded { try takeBack(entry) }
      states.append(try state(entry))
    }
    guard !states.contains(.blocked) else {
      try undo(units)
      return false
    }
    for (entry, state) in zip(entries, states) where state == .pending {
      do throws(FileSystemError) { try apply(entry) } catch {
        guard error.isConflict else { throw error }
        try undo(units)
        return false
      }
    }
    // A file system that has only the plain rename gives a new file both names for a moment. A
    // crash may leave both, so the temporary name is removed here.
    for entry in entries where entry.old == nil {
      if try content(entry.temporary).has(entry.new), try content(entry.path).has(entry.new) {
        try files.remove(entry.temporary)
      }
    }
    return true
  }

  /// Gives the new file its final name, and the displaced file the temporary name.
  func apply(_ entry: Journal.Entry) throws(FileSystemError) {
    switch (entry.new, entry.old) {
    case (_?, _?):
      do throws(FileSystemError) {
        try files.exchange(entry.temporary, with: entry.path)
      } catch {
        guard error.errno == .noSuchFileOrDirectory else { throw error }
        try files.move(entry.temporary, to: entry.path)
      }
    case (_?, nil): try files.move(entry.temporary, to: entry.path)
    case (nil, _):
      let other = try files.status(at: entry.temporary)
      if let other, try files.status(at: entry.path)?.identity.inode == other.identity.inode {
        try files.remove(entry.path)
      } else {
        try files.move(entry.path, to: entry.temporary)
      }
    }
  }

  /// Puts all displaced files back, in the reverse order; the new files get their temporary names
  /// again.
  func undo(_ units: [Journal.Unit]) throws(FileSystemError) {
    for entry in units.flatMap(\.entries).reversed() {
      try clearAside(entry)
      try takeBack(entry)
    }
  }

  private func takeBack(_ entry: Journal.Entry) throws(FileSystemError) {
    let temporary = try content(entry.temporary)
    let final = try content(entry.path)
    switch (entry.new, entry.old) {
    case (let new?, _?):
      if final.has(new), temporary != .absent, !temporary.has(new) {
        try files.exchange(entry.temporary, with: entry.path)
      }
    case (let new?, nil):
      guard final.has(new) else { return }
      if temporary == .absent {
        try files.move(entry.path, to: entry.temporary)
      } else if temporary == final {
        try files.remove(entry.path)
      }
    case (nil, _):
      if temporary != .absent, final == .absent {
        try files.move(entry.temporary, to: entry.path)
      } else if temporary == final, temporary.has(entry.old) {
        try files.remove(entry.temporary)
      }
    }
  }

  /// Completes or takes back an exchange in several calls that a crash has interrupted.
  private func clearAside(_ entry: Journal.Entry) throws(FileSystemError) {
    guard entry.new != nil, let old = entry.old else { return }
    let aside = try content(entry.temporary.aside)
    if aside == .absent { return }
    let final = try content(entry.path)
    if try content(entry.temporary) == .absent {
      try files.move(entry.temporary.aside, to: entry.temporary)
    } else if aside.has(old) || aside == final {
      try files.remove(entry.temporary.aside)
    } else {
      try park(entry.temporary.aside, of: entry.path)
    }
  }
}

extension Settlement {
  /// Ends a commit: removes the undone units from the journal, moves the files that the other units
  /// displaced to the trash or removes them, and moves the journal to the trash.
  ///
  /// `isOld` returns true if the file at an entry's temporary path is the displaced file that the
  /// journal records.
  func conclude(
    _ journal: Journal, undone: [Journal.Unit],
    isOld: (Journal.Entry) throws(FileSystemError) -> Bool
  ) throws(FileSystemError) {
    var rest = journal
    if !undone.isEmpty {
      let undone = Set(undone)
      rest.units.removeAll(where: undone.contains)
      if rest.units.isEmpty {
        try files.remove(journals.path(journal.id, .committed))
        try saver.save(folder: journals.path)
      } else {
        try journals.write(rest)
      }
      for entry in undone.flatMap(\.entries) { try discard(entry) }
    }
    if rest.units.isEmpty { return }
    if rest.units.contains(where: { $0.entries.contains { $0.old != nil } }) {
      try journals.markPublished(rest)
      try putAway(rest, isOld)
      try file(rest, .published)
    } else {
      try file(rest, .committed)
    }
  }

  /// Moves displaced files to the trash, or removes them.
  func putAway(
    _ journal: Journal, _ isOld: (Journal.Entry) throws(FileSystemError) -> Bool
  ) throws(FileSystemError) {
    let trash = Trash.folder(of: journal.run, state)
    try files.createFolders(trash, permissions: .newStateFolder)
    var folders: Set<FilePath> = []
    for entry in journal.units.flatMap(\.entries) where entry.old != nil {
      guard try files.status(at: entry.temporary) != nil else { continue }
      let folder = entry.temporary.removingLastComponent()
      guard try isOld(entry) else {
        // Another program wrote to the file after it was displaced.
        try park(entry.temporary, of: entry.path)
        continue
      }
      if let name = entry.trashName {
        try moveAway(entry.temporary, to: trash.appending(name))
        folders.formUnion([trash, folder])
      } else {
        try files.remove(entry.temporary)
        if saver.durability == .full { folders.insert(folder) }
      }
    }
    try saver.save(folders: folders)
  }

  /// Moves the journal of a completed commit to the trash, where `undo` reads it.
  func file(_ journal: Journal, _ mark: JournalFolder<Files>.Mark) throws(FileSystemError) {
    let trash = Trash.folder(of: journal.run, state)
    try files.createFolders(trash, permissions: .newStateFolder)
    try files.rename(
      journals.path(journal.id, mark), to: trash.appending("\(journal.id).json"),
      .replacing)
    if saver.durability == .full { try saver.save(folders: [journals.path, trash]) }
  }

  /// True if the file with an entry's temporary name has the displaced bytes; reads the file.
  func isOld(_ entry: Journal.Entry) throws(FileSystemError) -> Bool {
    try content(entry.temporary).has(entry.old)
  }

  /// Removes the new file of an entry that was undone.
  ///
  /// The file is moved to `.phbatch/conflicts` instead if it has other bytes, or if an unexpected
  /// file has the final name.
  private func discard(_ entry: Journal.Entry) throws(FileSystemError) {
    let temporary = try content(entry.temporary)
    if temporary == .absent { return }
    let final = try content(entry.path)
    let isAsBefore = entry.old == nil ? final == .absent : final.has(entry.old)
    if temporary.has(entry.new), isAsBefore {
      try files.remove(entry.temporary)
    } else {
      try park(entry.temporary, of: entry.path)
    }
  }

  private func moveAway(_ from: FilePath, to path: FilePath) throws(FileSystemError) {
    do throws(FileSystemError) { try files.move(from, to: path) } catch {
      // After a crash, the file may already have the name `path`, and `from` as a second name.
      guard error.errno == .fileExists, try content(path) == content(from) else { throw error }
      try files.remove(from)
    }
  }

  /// Moves an unexpected file to `.phbatch/conflicts`, where a user can find it, under its former
  /// or planned path; under its temporary name if that path is taken or too long.
  private func park(_ temporary: FilePath, of path: FilePath) throws(FileSystemError) {
    let folder = OutputRoot.conflictFolder
    let place = folder.appending(path.components)
    var target = place
    do throws(FileSystemError) {
      try files.createFolders(place.removingLastComponent(), permissions: .newStateFolder)
      try files.move(temporary, to: place)
    } catch {
      let isBlocked = [.fileExists, .fileNameTooLong, .notDirectory, .tooManySymbolicLinkLevels]
        .contains(error.errno)
      guard isBlocked, let name = temporary.lastComponent else { throw error }
      target = folder.appending(name)
      try files.move(temporary, to: target)
    }
    try saver.save(folders: [
      target.removingLastComponent(), temporary.removingLastComponent(),
    ])
  }
}

extension FileSystemError {
  /// True if a rename failed because another program had added or removed a file at the path.
  var isConflict: Bool {
    call == .rename && (errno == .fileExists || errno == .noSuchFileOrDirectory)
  }
}
