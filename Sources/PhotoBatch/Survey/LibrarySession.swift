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
  /// The failures of photos that earlier runs recorded, and those of this command.
  private let failures: FailureCache
  /// The date of new records: ISO 8601, UTC.
  private let date: String
  private let lock: LibraryLock?
  /// The lock of the shard that this command does; nil for other commands.
  private let shard: ShardLock?

  /// Returns true if another command waits for the library.
  var isWanted: @Sendable () -> Bool { { [lock] in lock?.isWanted ?? false } }

  /// Releases the lock.
  ///
  /// Commands call this function explicitly, because threads that are ending may keep the session
  /// alive a little longer.
  func close() {
    shard?.release()
    lock?.release()
  }

  /// Opens a library for reading.
  init(reading root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView?) {
    let (survey, digests) = Self.survey(root, options, view)
    self.init(reading: root, options, survey, digests)
  }

  /// Opens a library for reading, with a survey that read what matters.
  init(
    reading root: OutputRoot, _ options: BatchOptions, _ survey: Survey, _ digests: KnownDigests
  ) {
    (self.root, self.survey, self.digests) = (root, survey, digests)
    (lock, shard) = (nil, nil)
    contents = survey.contents
    publisher = Publisher(root.files, durability: options.durability)
    (failures, date) = Self.records(root, options, publisher)
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
    (failures, date) = Self.records(root, options, publisher)
  }

  /// Opens a library for changes: takes the lock, completes an interrupted commit, and removes
  /// leftover temporary files.
  ///
  /// With `usesIndex` and the `view` of a recipe, only folders without valid results in the index
  /// are read; with `filesAtATime`, those of a large library in parts, of which the first is read.
  /// `whileWaiting` is called repeatedly while another command holds the lock.
  init(
    changing root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView? = nil,
    usesIndex: Bool = false, filesAtATime: Int? = nil, whileWaiting: () -> Void = {}
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
    (failures, date) = Self.records(root, options, publisher)
    if usesIndex {
      let (survey, digests) = Self.survey(
        root, options, view, filesAtATime.map { .parts(of: $0) } ?? .all)
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
    if survey?.isDivided ?? false { readNextPart() }
  }

  /// Removes the temporary files of ended commands in the folders that were read.
  ///
  /// Only a command that holds the library's lock for itself may do this: temporary files may be in
  /// use by the holder of the lock, or by any holder of a shared lock.
  private func removeLeftovers() {
    guard lock != nil, shard == nil else { return }
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

  /// Forgets everything that was read.
  mutating func forget() {
    contents = LibraryContents(root)
    survey = nil
  }

  /// Forgets the part that was read last; its results are in the index.
  mutating func forgetPart() {
    contents = LibraryContents(root)
    survey?.forgetPart()
    digests.forget()
  }

  /// The number of photos that a run reports, if it found this number in the folders that were read;
  /// an estimate if the library is read in parts.
  func reportedCount(among found: Int) -> Int {
    guard let survey else { return found }
    return survey.reported.values.reduce(
      survey.isDivided ? max(0, survey.expectedPhotos) : found, +)
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
    (failures, date) = Self.records(root, options, publisher)
    let digests = KnownDigests(
      LibraryIndex(of: root, place.state) ?? LibraryIndex(of: root), in: root)
    self.digests = digests
    contents = Self.contents(around: folders, places, of: root, digests, recipe)
    for (folder, names) in contents.leftovers {
      _ = try? publisher.removeLeftovers(names, in: folder)
    }
  }

  /// Reads again what matters for the photos in `folders`, as a shard does at first.
  ///
  /// The errors of folders that cannot be read are left out, because they were reported before.
  mutating func reread(
    _ recipe: Recipe, around folders: Set<FilePath>, _ places: [RenditionPlace]?
  ) {
    contents = Self.contents(around: folders, places, of: root, digests, recipe)
    contents.problems = []
  }

  private static func contents(
    around folders: Set<FilePath>, _ places: [RenditionPlace]?, of root: OutputRoot,
    _ digests: KnownDigests, _ recipe: Recipe
  ) -> LibraryContents {
    let part = places.flatMap {
      LibraryContents(around: folders, of: root, digests, recipe: recipe, places: $0)
    }
    return part ?? LibraryContents(scanning: root)
  }

  private static func survey(
    _ root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView?,
    _ reading: Survey.Reading = .all
  ) -> (Survey, KnownDigests) {
    let index = options.verifies ? nil : LibraryIndex(of: root)
    let digests = KnownDigests(index, in: root)
    return (Survey(of: root, index, view, digests, reading), digests)
  }

  /// The known failures, and the date of new records; one command uses the same for all parts of a
  /// library.
  private static func records(
    _ root: OutputRoot, _ options: BatchOptions, _ publisher: Publisher<RealFileSystem>
  ) -> (FailureCache, String) {
    let failures = FailureCache(in: root.files, forgets: options.refreshes, publisher.place)
    return (failures, options.date ?? SourceDate.text)
  }

  /// The context for edits of this library.
  ///
  /// `originals` contains all photos, even if the command works on fewer; `films` all films, or nil
  /// if it works on all. `planned` contains the photos for which this command may write renditions.
  func context(
    _ options: BatchOptions, originals: [FilePath], films: [Asset]? = nil,
    registry: FileRegistry, planned: (photos: [Asset], paths: RenditionPaths)? = nil
  ) -> EditContext {
    let ledger = PathLedger(
      originals: root.isMirror ? [] : Set(originals), claims: contents.claims, planned: planned)
    let filmProgram = FilmProgram.path(besides: options.workerExecutable)
    return EditContext(
      root: root, options: options, contents: contents, registry: registry, publisher: publisher,
      ledger: ledger, failures: failures, digests: digests,
      films: PairedFilms(in: root.library, among: films ?? contents.assets, contents.editedFilms),
      rendersFilms: filmProgram != nil,
      installation: Installation.digest(
        programs: [options.workerExecutable, filmProgram ?? FilmProgram.name]),
      date: date)
  }
}
