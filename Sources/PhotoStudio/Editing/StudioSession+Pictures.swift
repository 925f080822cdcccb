import Notation
import PhotoBatch
import PhotoRecipes
import Synchronization

/// The image that the recipe starts from for a photo.
struct OpenedPhoto {
  let opened: LiveLibrary.Opened
  /// True if the recipe had no unsaved changes when the photo was opened.
  let isSaved: Bool
}

/// The pictures of an edit: their images and their recipes.
extension StudioSession {
  /// The image that the recipe starts from for a photo.
  func opened(_ photo: Int) throws(LivePictureFailure) -> LiveLibrary.Opened {
    let (known, now, onDisk, reloads) = state.withLock {
      ($0.opened[photo], $0.history.now, $0.onDisk, $0.reloads)
    }
    if let known { return known.opened }
    let opened = try library.open(photo, now.document)
    state.withLock { state in
      // If the library was read again meanwhile, the photo may have another sidecar.
      if state.reloads != reloads { return }
      if state.opened.count >= 64 { state.opened = [:] }
      state.opened[photo] = OpenedPhoto(opened: opened, isSaved: now.text.bytes == onDisk)
    }
    return opened
  }

  /// The outcome of a photo in a run of the saved recipe; nil if it is not known.
  func savedOutcome(_ photo: Int) -> AssetOutcome? {
    let known = state.withLock { $0.opened[photo] }
    return known.flatMap { $0.isSaved ? $0.opened.outcome : nil }
  }

  /// Keeps the present state of a photo's edit, so that pictures of it can be compared with later
  /// ones.
  ///
  /// - Returns: The number of the state; the latest eight are kept.
  func pin(_ photo: Int) -> Int {
    let pinned = present([photo])
    return state.withLock { state in
      let number = (state.pins.keys.max() ?? 0) + 1
      state.pins[number] = pinned
      state.pins[number - 8] = nil
      return number
    }
  }

  /// The recipe of a picture: the present state of the edit, with the settings of sliders that the
  /// user is moving.
  ///
  /// - Throws: `InvalidDocument`, or `Refusal` if a moving setting would run another program or read
  ///   another file, or if the pinned state is no longer kept.
  func recipe(
    of photo: Int, isFilm: Bool, moving: [Assignment] = [], isPhotosOwn: Bool = false,
    view: LiveView = LiveView()
  ) throws -> Recipe {
    let (pinned, present) = state.withLock { state in
      (view.pin.flatMap { state.pins[$0] }, state.history.now)
    }
    if view.pin != nil && pinned == nil {
      throw Refusal(409, "the pinned picture is no longer kept", hint: "pin it again")
    }
    let now = pinned ?? present
    let edges = WholeEdges(now.document)
    let moving = moving.map { Assignment(key: $0.key, value: edges.meant($0.value, for: $0.key)) }
    let own = own(photo, in: now).assignments
    // A photo's own setting takes precedence over the recipe's setting, even while the user moves
    // the slider of the recipe's setting.
    let overrides = isPhotosOwn ? own + moving : moving + own
    let assignments = options.batch.assignments
    let recipe = try now.document.recipe(overrides: overrides, assignments: assignments).recipe
    if !moving.isEmpty {
      let files = Set(now.recipe.namedFiles.map(\.path))
      let programs = now.recipe.externalSteps.map(\.step)
      let uses = recipe.uses(beyond: files, programs)
      if !uses.isEmpty {
        let still = try now.document.recipe(overrides: own, assignments: assignments).recipe
        let known = still.uses(beyond: files, programs)
        guard uses.allSatisfy(known.contains) else { throw Refusal.otherPrograms }
      }
    }
    return recipe.narrowed(toFilm: isFilm, output: view.output).showing(view)
  }

  /// Reads the library again, after a run or another change of it; only the sidecars of the given
  /// photos if only their own settings were saved.
  func reload(only photos: [Int]? = nil) throws {
    try reloading.withLock { _ in
      try library.refresh(now.document, only: photos)
      changing.withLock { _ in
        change { state in
          state.opened = [:]
          state.reloads += 1
          let unsaved = Array(state.history.now.own.keys)
          state.history.settle(library.own(unsaved, for: state.history.now.recipe))
          state.undrafted.photos.formUnion(unsaved.filter { state.history.now.own[$0] == nil })
        }
      }
    }
    keepDraft()
  }
}

extension Recipe {
  /// Checks that a recipe of the page runs only the programs, and reads only the files, of an older
  /// one.
  func checkPrograms(areThoseOf old: Recipe) throws(Refusal) {
    if Set(namedFiles).isSubset(of: old.namedFiles),
      externalSteps.map(\.step) == old.externalSteps.map(\.step)
    {
      return
    }
    throw Refusal.otherPrograms
  }
}

extension Refusal {
  fileprivate static let otherPrograms = Refusal(
    422, "the studio cannot add files to a recipe or change its programs",
    hint: "edit the recipe with a text editor, and open the studio again")
}
