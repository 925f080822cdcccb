import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// An open library with the result of its scan.
///
/// A command that changes the library also holds its lock, and has completed interrupted commits.
struct LibrarySession {
  let root: OutputRoot
  let publisher: Publisher<RealFileSystem>
  var contents: LibraryContents
  /// The survey; nil if all folders were scanned without the index, or if the contents were given.
  private(set) var survey: Survey?
  let digests: KnownDigests
  private let lock: LibraryLock?
  /// The lock of the shard that this command does; nil for other commands.
  private let shard: ShardLock?

  /// True if another command waits for the library.
  var isWanted: @Sendable () -> Bool { { [lock] in lock?.isWanted ?? false } }

  /// Releases the lock.
  ///
  /// Commands call this function explicitly, because threads that are ending may keep the session
  /// alive a little longer.
  func close() {
    shard?.release()
    lock?.release()
  }

  /// Opens a library for reading; with `filesAtATime`, in parts, and the caller reads the first.
  init(
    reading root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView?,
    filesAtATime: Int? = nil
  ) {
    self.root = root
    (lock, shard) = (nil, nil)
    publisher = Publisher(root.files, durability: options.durability)
    let (survey, digests) = Self.survey(root, options, view, filesAtATime: filesAtATime)
    contents = survey.contents
    self.survey = survey
    self.digests = digests
  }

  /// Opens a library for reading, with contents that the caller has read completely or in part.
  init(
    reading root: OutputRoot, _ options: BatchOptions, _ contents: LibraryContents,
    _ digests: KnownDigests
  ) {
    (self.root, self.contents, self.digests) = (root, contents, digests)
    (lock, shard) = (nil, nil)
    survey = nil
    publisher = Publisher(root.files, durability: options.durability)
  }

  /// Opens a library for changes: takes the lock, completes an interrupted commit, and removes
  /// leftover temporary files.
  ///
  /// With `usesIndex` and the `view` of a recipe, only folders without valid results in the index
  /// are read; those of a large library in parts, and the caller reads the first. `whileWaiting` is called repeatedly while another command holds the lock.
  init(
    changing root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView? = nil,
    usesIndex: Bool = false, whileWaiting: () -> Void = {}
  ) async throws {
    self.root = root
    lock = try await LibraryLock.acquire(
      root, command: options.command, wait: options.wait, givesWay: options.givesWay,
      whileWaiting: whileWaiting)
    shard = nil
    try ShardFolders.check(root, needsUndoData: options.needsUndoData)
    publisher = Publisher(
      root.files, durability: options.durability, keepsTrash: options.keepsUndoData,
      command: options.command)
    try publisher.recover()
    if usesIndex {
      let (survey, digests) = Self.survey(root, options, view, filesAtATime: options.filesAtATime)
      contents = survey.contents
      self.survey = survey
      self.digests = digests
    } else {
      contents = LibraryContents(scanning: root)
      survey = nil
      digests = KnownDigests(in: root)
    }
    removeLeftovers()
    FilmRecords.removeOld(in: root.files)
  }

  /// The number of photos that a run reports, if it found these in the folders that were read; an
  /// estimate if the library is read in parts.
  func reportedCount(among found: Int) -> Int {
    guard let survey else { return found }
    return survey.reported.values.reduce(
      survey.isDivided ? survey.expected.photos : found, +)
  }

  private func removeLeftovers() {
    for (folder, names) in contents.leftovers where !root.isShared(folder) {
      // Errors are ignored: a leftover file does no harm, and the next run tries to remove it
      // again.
      _ = try? publisher.removeLeftovers(names, in: folder)
    }
  }

  var hasMoreParts: Bool { survey?.hasMoreParts ?? false }

  /// Reads the next part of a library that is read in parts.
  mutating func readNextPart() {
    contents = LibraryContents(root)
    survey?.readNextPart()
    contents = survey?.contents ?? contents
    removeLeftovers()
  }

  /// Opens a library for one shard: takes the shard's lock and a shared lock of the library,
  /// completes the shard's interrupted commit, and removes the shard's leftover temporary files.
  ///
  /// With `places`, the path templates of all recipes, reads only what matters for the photos in
  /// `folders`; otherwise the whole library.
  init(
    shard place: ShardPlace, of root: OutputRoot, _ options: BatchOptions, _ recipe: Recipe,
    around folders: Set<FilePath>, places: [RenditionPlace]?
  ) async throws {
    self.root = root
    survey = nil
    lock = try await LibraryLock.acquire(
      root, command: options.command, wait: options.wait, isShared: true)
    shard = try await ShardLock.acquire(place, in: root, command: options.command)
    publisher = Publisher(
      root.files, durability: options.durability, keepsTrash: place.isPlanned,
      command: options.command, state: place.state)
    try publisher.recover()
    let digests = KnownDigests(
      LibraryIndex(of: root, place.state) ?? LibraryIndex(of: root), in: root)
    self.digests = digests
    let part = places.flatMap {
      LibraryContents(around: folders, of: root, digests, recipe: recipe, places: $0)
    }
    contents = part ?? LibraryContents(scanning: root)
    for (folder, names) in contents.leftovers {
      _ = try? publisher.removeLeftovers(names, in: folder)
    }
  }

  private static func survey(
    _ root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView?, filesAtATime: Int?
  ) -> (Survey, KnownDigests) {
    let index = options.verifies ? nil : LibraryIndex(of: root)
    let digests = KnownDigests(index, in: root)
    return (Survey(of: root, index, view, digests, filesAtATime: filesAtATime), digests)
  }

  /// The context for edits of this library.
  ///
  /// `originals` contains all photos, even if the command works on fewer. `planned` contains the
  /// paths of renditions that this command will write, as far as they are known in advance.
  func context(
    _ options: BatchOptions, originals: [FilePath], registry: FileRegistry,
    planned: [(path: FilePath, original: FilePath)] = []
  ) -> EditContext {
    let ledger = PathLedger(
      originals: root.isMirror ? [] : Set(originals), claims: contents.claims, planned: planned)
    return EditContext(
      root: root, options: options, contents: contents, registry: registry, publisher: publisher,
      ledger: ledger,
      failures: FailureCache(
        in: root.files, forgets: options.refreshes, publisher.place),
      digests: digests, films: PairedFilms(in: root.library),
      rendersFilms: FilmProgram.path(besides: options.workerExecutable) != nil,
      date: options.date ?? SourceDate.text)
  }
}
