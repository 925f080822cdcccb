import SystemPackage

/// The journals of an output root: one file for each unfinished commit.
struct JournalFolder<Files: FileSystem>: Sendable {
  let files: Files
  let saver: Saver<Files>
  private let state: CommitState

  /// The progress of a commit.
  enum Mark: String {
    /// The changes are decided, but not all made.
    case committed = "commit"
    /// The changes are made; the displaced files are being moved to the trash or removed.
    case published = "done"
  }

  init(_ saver: Saver<Files>, _ state: CommitState = .library) {
    files = saver.files
    self.saver = saver
    self.state = state
  }

  /// The folder for locks, journals, index and trash of an output root.
  static var stateFolder: FilePath { ".phbatch" }
  static var path: FilePath { CommitState.library.journals }
  /// The folder of the journals.
  var path: FilePath { state.journals }

  /// The extension that is given to a journal that could not be read.
  static var damaged: String { "damaged" }

  func path(_ id: String, _ mark: Mark) -> FilePath {
    path.appending("\(id).\(mark.rawValue)")
  }

  /// The progress that the extension of a journal's name states; nil if the name is not one of a
  /// journal.
  static func mark(of name: FileName) -> Mark? {
    Mark(rawValue: String(decoding: name.extension, as: UTF8.self))
  }

  /// Writes a journal to disk, which commits its changes.
  ///
  /// An existing journal of the same commit is replaced, for example after units were taken back.
  func write(_ journal: Journal) throws(FileSystemError) {
    try files.createFolders(path, permissions: .newStateFolder)
    let text = journal.text(try seal())
    let temporary = path.appending("\(journal.id).tmp")
    // A recovery rejects a journal above the limit, so the journal could not protect its files.
    guard text.count <= Self.sizeLimit else {
      throw FileSystemError(.write, temporary, .fileTooLarge)
    }
    let file = try files.create(temporary)
    do throws(FileSystemError) {
      try files.write(text, to: file)
      try saver.save(file)
      try files.rename(temporary, to: path(journal.id, .committed), .replacing)
    } catch {
      // An error of `remove` is ignored, because the first error is thrown. A recovery removes the
      // file if it remains.
      try? files.remove(temporary)
      throw error
    }
    try saver.save(folder: path)
  }

  /// True if the journal is in the folder as committed.
  ///
  /// True also if its status cannot be read: the journal may then exist, and its recovery needs the
  /// staged files.
  func holds(_ journal: Journal) -> Bool {
    do { return try files.status(at: path(journal.id, .committed)) != nil } catch {
      return true
    }
  }

  func markPublished(_ journal: Journal) throws(FileSystemError) {
    let published = path(journal.id, .published)
    try files.rename(path(journal.id, .committed), to: published, .replacing)
    try saver.save(folder: path)
  }

  func read(_ path: FilePath) throws -> Journal {
    try Journal(try files.read(path, limit: Self.sizeLimit), try seal())
  }

  /// The maximum size of a journal in bytes; enough for about 700,000 files in one commit.
  private static var sizeLimit: Int { 1 << 28 }

  func seal() throws(FileSystemError) -> JournalSeal {
    if let key = state.key { return JournalSeal(key: key) }
    return JournalSeal(folder: try files.status(at: path))
  }
}
