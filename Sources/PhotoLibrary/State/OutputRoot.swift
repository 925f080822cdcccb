import Glibc
public import SystemPackage

/// Where sidecars and renditions are written: the library itself, or a folder that mirrors it.
public struct OutputRoot: Sendable {
  /// Holds locks, journal, index and trash of an output root.
  public static let stateFolder = JournalFolder<RealFileSystem>.stateFolder
  /// In that folder: files that a commit met where it expected none, for a person to look at.
  public static let conflictFolder: FilePath = ".phbatch/conflicts"
  /// In that folder of a mirror: the absolute path of its library, and a newline.
  static let nameFile: FilePath = ".phbatch/library"

  /// The originals; written to only if it is the output root as well.
  public let library: RealFileSystem
  /// The root of the files that are written: sidecars, renditions and the state folder.
  public let files: RealFileSystem
  public let isMirror: Bool
  /// The changes of unfinished commits, if a command that writes nothing has read them.
  public private(set) var pending = PendingChanges()

  /// Opens a library with its output root, and writes nothing.
  ///
  /// - Throws: `OutputRootError`; `FileSystemError` if either folder is missing or is none.
  public init(library: FilePath, output: FilePath? = nil) throws {
    let opened = try RealFileSystem(root: library)
    let place = try library.canonical()
    let outputPlace = try output?.canonical() ?? place
    self.library = opened
    isMirror = outputPlace != place
    guard let output, isMirror else {
      files = opened
      if let named = try Self.libraryNamed(in: files) {
        throw OutputRootError.mirror(library, of: named)
      }
      return
    }
    files = try RealFileSystem(root: output)
    guard !place.starts(with: outputPlace) else {
      throw OutputRootError.holdsLibrary(output, library: library)
    }
    switch try Self.libraryNamed(in: files) {
    case place?: break
    case let other?: throw OutputRootError.mirror(output, of: other)
    case nil:
      guard try files.status(at: LibraryLock.file) == nil else {
        throw OutputRootError.isLibrary(output)
      }
      try Self.checkUnclaimed(files, at: output, outputPlace, in: place, of: opened)
    }
  }

  /// Opens whatever a folder is: a mirror with the library it names, or a library.
  public init(recognizing folder: FilePath) throws {
    if let library = try Self.libraryNamed(in: RealFileSystem(root: folder)) {
      try self.init(library: library, output: folder)
    } else {
      try self.init(library: folder)
    }
  }

  /// The same for a command that writes nothing, with what commits change that were not ended.
  public init(reading folder: FilePath) throws {
    try self.init(recognizing: folder)
    readPendingChanges()
  }

  /// Opens an output root to write to it, and makes its folder (not those above) and state folder.
  public static func create(library: FilePath, output: FilePath? = nil) throws -> OutputRoot {
    if let output { try RealFileSystem.createRoot(output) }
    let root = try OutputRoot(library: library, output: output)
    try root.prepare()
    return root
  }

  /// Takes into account what commits change that were not ended: for commands that end none.
  public mutating func readPendingChanges() { pending = pendingChanges() }

  /// Makes the state folder, as far as it is missing, and names the library in that of a mirror.
  public func prepare() throws {
    try files.createFolders(Self.stateFolder, permissions: .newStateFolder)
    try closeStateFolder()
    let gitignore = Self.stateFolder.appending(".gitignore")
    try make(gitignore, Array("*\n".utf8))
    if isMirror, try Self.libraryNamed(in: files) == nil {
      try make(Self.nameFile, library.path.canonical().bytes + [UInt8(ascii: "\n")])
    }
  }

  /// Makes a file of the state folder, if it is missing, before anything is locked: the recovery of
  /// another command may take the temporary file away, and then it is done again.
  private func make(_ path: FilePath, _ bytes: [UInt8]) throws {
    while try files.status(at: path) == nil {
      do throws(FileSystemError) { try files.replace(path, with: bytes) } catch {
        guard error.call == .rename, error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
  }

  /// Takes the right to write there from others: a recovery acts upon what it finds there.
  private func closeStateFolder() throws {
    guard let status = try files.status(at: Self.stateFolder), !status.isPrivate,
      status.owner == geteuid()
    else { return }
    let folder = try files.openFolder(Self.stateFolder)
    try files.setPermissions(
      status.permissions.subtracting([.groupWrite, .otherWrite]), of: folder)
  }

  private static func libraryNamed(in files: RealFileSystem) throws -> FilePath? {
    guard try files.status(at: nameFile) != nil else { return nil }
    var bytes = try files.read(nameFile, limit: 1 << 16)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard let path = FilePath(bytes: bytes), path.isAbsolute else {
      throw OutputRootError.illegibleName(files.path.appending(nameFile.components))
    }
    return path
  }

  /// A folder in the library that is about to become a mirror must not take photos out of it.
  private static func checkUnclaimed(
    _ files: RealFileSystem, at output: FilePath, _ outputPlace: FilePath, in place: FilePath,
    of library: RealFileSystem
  ) throws {
    var folder = outputPlace
    guard folder.removePrefix(place) else { return }
    guard try files.status(at: stateFolder) == nil, try !files.names(in: "").isEmpty,
      try !Scan(library).excludes(folder)
    else { return }
    throw OutputRootError.holdsFiles(output)
  }
}
