import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A library as a command works on it: locked and recovered if it is to be changed, and scanned.
struct LibrarySession {
  let root: OutputRoot
  let publisher: Publisher<RealFileSystem>
  var contents: LibraryContents
  /// Of the run of a recipe.
  let survey: Survey?
  let digests: KnownDigests
  private let lock: LibraryLock?

  /// Whether somebody waits for the library.
  var isWanted: Bool { lock?.isWanted ?? false }

  /// Lets others have the library; to be called when all is done, as threads that end may refer to
  /// the session a little longer.
  func close() { lock?.release() }

  /// Opens a library to look at it.
  init(reading root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView?) {
    self.root = root
    lock = nil
    publisher = Publisher(root.files, durability: options.durability)
    let (survey, digests) = Self.survey(root, options, view)
    contents = survey.contents
    self.survey = survey
    self.digests = digests
  }

  /// Opens a library to change it: takes the lock, completes what an earlier command was cut off
  /// in, and removes what it left.
  ///
  /// With the `view` of a recipe, only what the index does not answer for is read. `whileWaiting`
  /// is called now and then while others have the lock.
  init(
    changing root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView? = nil,
    usesIndex: Bool = false, whileWaiting: () -> Void = {}
  ) async throws {
    self.root = root
    lock = try await LibraryLock.acquire(
      root, command: options.command, wait: options.wait, givesWay: options.givesWay,
      whileWaiting: whileWaiting)
    publisher = Publisher(root.files, durability: options.durability)
    try publisher.recover()
    if usesIndex {
      let (survey, digests) = Self.survey(root, options, view)
      contents = survey.contents
      self.survey = survey
      self.digests = digests
    } else {
      contents = LibraryContents(scanning: root)
      survey = nil
      digests = KnownDigests(in: root)
    }
    for (folder, names) in contents.leftovers where !root.isShared(folder) {
      // One that cannot be removed is invisible to everybody, and there is another run.
      _ = try? publisher.removeLeftovers(names, in: folder)
    }
  }

  private static func survey(
    _ root: OutputRoot, _ options: BatchOptions, _ view: Survey.RecipeView?
  ) -> (Survey, KnownDigests) {
    let index = options.verifies ? nil : LibraryIndex(of: root)
    return (Survey(of: root, index, view), KnownDigests(index, in: root))
  }

  /// What edits of this library need.
  ///
  /// `originals` are all photos, of which the command may work on fewer; `planned` the paths that
  /// photos will have, as far as they are known.
  func context(
    _ options: BatchOptions, originals: [FilePath], registry: FileRegistry,
    planned: [(path: FilePath, original: FilePath)] = []
  ) -> EditContext {
    let ledger = PathLedger(
      originals: root.isMirror ? [] : Set(originals), claims: contents.claims, planned: planned)
    return EditContext(
      root: root, options: options, contents: contents, registry: registry, publisher: publisher,
      ledger: ledger, failures: FailureCache(in: root.files, forgets: options.refreshes), digests: digests,
      date: SourceDate.text)
  }
}
