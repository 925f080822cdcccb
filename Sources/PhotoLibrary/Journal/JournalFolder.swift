import SystemPackage

/// The journals of an output root: one file for each commit that is under way.
struct JournalFolder<Files: FileSystem>: Sendable {
  let files: Files
  let saver: Saver<Files>

  /// The progress of a commit.
  enum Mark: String {
    /// It is to happen.
    case committed = "commit"
    /// It has happened; what was displaced is being put away.
    case published = "done"
  }

  init(_ saver: Saver<Files>) {
    files = saver.files
    self.saver = saver
  }

  /// Holds locks, journals, index and trash of an output root.
  static var stateFolder: FilePath { ".phbatch" }
  static var path: FilePath { ".phbatch/txn" }

  /// The extension of a journal that could not be read.
  static var damaged: String { "damaged" }

  static func path(_ id: String, _ mark: Mark) -> FilePath {
    path.appending("\(id).\(mark.rawValue)")
  }

  /// The mark that a name in the folder has.
  static func mark(of name: FileName) -> Mark? {
    Mark(rawValue: String(decoding: name.extension, as: UTF8.self))
  }

  /// Commits, or takes units out of what was committed.
  func write(_ journal: Journal) throws(FileSystemError) {
    try files.createFolders(Self.path, permissions: .newStateFolder)
    let text = journal.text(try seal())
    let temporary = Self.path.appending("\(journal.id).tmp")
    // A journal that no recovery would read protects nothing.
    guard text.count <= Self.sizeLimit else {
      throw FileSystemError(.write, temporary, .fileTooLarge)
    }
    let file = try files.create(temporary)
    do throws(FileSystemError) {
      try files.write(text, to: file)
      try saver.save(file)
      try files.rename(temporary, to: Self.path(journal.id, .committed), .replacing)
    } catch {
      // The first failure counts, and a recovery removes it too.
      try? files.remove(temporary)
      throw error
    }
    try saver.save(folder: Self.path)
  }

  func holds(_ journal: Journal) -> Bool {
    // One that cannot be looked at may be there.
    ((try? files.status(at: Self.path(journal.id, .committed))) ?? nil) != nil
  }

  func markPublished(_ journal: Journal) throws(FileSystemError) {
    let published = Self.path(journal.id, .published)
    try files.rename(Self.path(journal.id, .committed), to: published, .replacing)
    try saver.save(folder: Self.path)
  }

  func read(_ path: FilePath) throws -> Journal {
    try Journal(try files.read(path, limit: Self.sizeLimit), try seal())
  }

  /// In bytes: some 700,000 files in one commit.
  private static var sizeLimit: Int { 1 << 28 }

  func seal() throws(FileSystemError) -> JournalSeal {
    guard let status = try files.status(at: Self.path) else {
      throw FileSystemError(.describe, Self.path, .noSuchFileOrDirectory)
    }
    return JournalSeal(folder: status)
  }
}
