import Glibc
public import SystemPackage

/// The place for sidecars and renditions: the library itself, or a folder that mirrors the library.
public struct OutputRoot: Sendable {
  /// The folder for locks, journals, index and trash of an output root.
  public static let stateFolder = JournalFolder<RealFileSystem>.stateFolder
  /// The folder, in the state folder, for unexpected files that a commit found; a user has to
  /// check them.
  public static let conflictFolder: FilePath = ".phbatch/conflicts"
  /// The file in the state folder of a mirror that contains the absolute path of its library and a
  /// newline.
  static let nameFile: FilePath = ".phbatch/library"

  /// The root of the originals; written to only if it is also the output root.
  public let library: RealFileSystem
  /// The root of the files that are written: sidecars, renditions and the state folder.
  public let files: RealFileSystem
  public let isMirror: Bool
  /// The renditions that were published below the output root.
  public let published: PublishedRenditions
  /// The changes of unfinished commits.
  ///
  /// Only a command that writes no files reads them; otherwise empty.
  public private(set) var pending = PendingChanges()

  /// Opens a library with its output root, without writing.
  ///
  /// - Throws: `OutputRootError`; `FileSystemError` if either folder is missing or is not a folder.
  public init(library: FilePath, output: FilePath? = nil) throws {
    try self.init(library: library, output: output, isPlan: false)
  }

  /// Opens a library with its output root, and reads the changes of unfinished commits; for a plan
  /// of a run.
  ///
  /// An output root whose folder is missing is empty, because the run would create the folder.
  public init(planning library: FilePath, output: FilePath?) throws {
    try self.init(library: library, output: output, isPlan: true)
    readPendingChanges()
  }

  private init(library: FilePath, output: FilePath?, isPlan: Bool) throws {
    let opened = try RealFileSystem(root: library)
    let place = try library.canonical()
    let planned = isPlan ? try output.flatMap(Self.placeOfMissing) : nil
    let outputPlace = try planned ?? output?.canonical() ?? place
    for (named, place) in [(library, place), (output ?? library, outputPlace)]
    where place.components.contains(where: { $0.string == Self.stateFolder.string }) {
      throw OutputRootError.inStateFolder(named)
    }
    self.library = opened
    isMirror = outputPlace != place
    guard let output, isMirror else {
      files = opened
      published = PublishedRenditions(opened)
      if let named = try Self.libraryNamed(in: files) {
        throw OutputRootError.mirror(library, of: named)
      }
      return
    }
    files =
      try planned == nil ? RealFileSystem(root: output) : RealFileSystem(missingRoot: output)
    published = PublishedRenditions(files)
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

  /// The canonical path of a folder that is missing, but whose parent exists; nil for other paths.
  ///
  /// - Throws: Also for a symbolic link to a missing folder, because a run does not create that folder.
  private static func placeOfMissing(_ folder: FilePath) throws(FileSystemError) -> FilePath? {
    do throws(FileSystemError) {
      _ = try folder.canonical()
      return nil
    } catch {
      var status = stat()
      let isThere = unsafe folder.withPlatformString { unsafe lstat($0, &status) == 0 }
      guard error.errno == .noSuchFileOrDirectory, !isThere, let name = folder.lastComponent,
        name.kind == .regular
      else { throw error }
      let parent = folder.removingLastComponent()
      return try (parent.isEmpty ? "." : parent).canonical().appending(name)
    }
  }

  /// Opens a folder as a mirror if its state folder names a library, otherwise as a library.
  public init(recognizing folder: FilePath) throws {
    if let library = try Self.libraryNamed(in: RealFileSystem(root: folder)) {
      try self.init(library: library, output: folder)
    } else {
      try self.init(library: folder)
    }
  }

  /// Opens a folder like `init(recognizing:)`, and reads the changes of unfinished commits; for
  /// commands that write no files.
  public init(reading folder: FilePath) throws {
    try self.init(recognizing: folder)
    readPendingChanges()
  }

  /// Opens an output root for writing, and creates its state folder and, if missing, the root's
  /// folder, but not the folders above.
  public static func create(library: FilePath, output: FilePath? = nil) throws -> OutputRoot {
    if let output { try RealFileSystem.createRoot(output) }
    let root = try OutputRoot(library: library, output: output)
    try root.prepare()
    return root
  }

  /// Reads the changes of unfinished commits; for commands that do not complete these commits.
  public mutating func readPendingChanges() { pending = pendingChanges() }

  /// Creates the state folder if it is missing; in a mirror, also the file that names the library.
  public func prepare() throws {
    try files.createFolders(Self.stateFolder, permissions: .newStateFolder)
    try closeStateFolder()
    let gitignore = Self.stateFolder.appending(".gitignore")
    try make(gitignore, Array("*\n".utf8))
    if isMirror, try Self.libraryNamed(in: files) == nil {
      try make(Self.nameFile, library.path.canonical().bytes + [UInt8(ascii: "\n")])
    }
  }

  /// Creates a file in the state folder if it is missing.
  ///
  /// No lock is held yet, so the recovery of another command may remove the temporary file; the
  /// file is then written again.
  private func make(_ path: FilePath, _ bytes: [UInt8]) throws {
    while try files.status(at: path) == nil {
      do throws(FileSystemError) { try files.replace(path, with: bytes) } catch {
        guard error.call == .rename, error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
  }

  /// Removes the write permission of other users on the state folder, because a recovery acts upon
  /// the files in the folder.
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

  /// Checks a folder inside the library that is about to become a mirror.
  ///
  /// Its files would no longer be scanned as photos, so the folder must be empty or already
  /// excluded from scans.
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
