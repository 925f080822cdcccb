import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// One stack of a photo as found on disk.
struct StackState: Sendable {
  let original: FilePath
  let sidecar: Sidecar?
  let sidecarIdentity: FileIdentity?
  /// The name of the variant; nil for the main stack.
  let variant: String?
  /// The adjustments of the stack, oldest first, with their indices in the sidecar.
  let stack: [(index: Int, adjustment: Adjustment)]
  /// Other programs' edits beside the photo; nil if they were not searched.
  private let foreign: ForeignEdits?
  /// The indices in `sidecar.adjustments` of the adjustments in other stacks that this recipe can
  /// render again as its own.
  let handledElsewhere: [Int]
  private let recipe: Recipe?
  var context: EditContext

  /// Reads the stack of a recipe.
  init(
    _ original: FilePath, _ found: (Sidecar, FileIdentity)?, _ recipe: Recipe,
    foreign: ForeignEdits? = nil, _ context: EditContext
  ) {
    self.init(original, found, variant: recipe.variant, foreign: foreign, recipe, context)
  }

  /// Reads a stack for a command without a recipe.
  init(
    _ original: FilePath, _ found: (Sidecar, FileIdentity)?, variant: String?,
    foreign: ForeignEdits? = nil, _ context: EditContext
  ) {
    self.init(original, found, variant: variant, foreign: foreign, nil, context)
  }

  private init(
    _ original: FilePath, _ found: (Sidecar, FileIdentity)?, variant: String?,
    foreign: ForeignEdits?, _ recipe: Recipe?, _ context: EditContext
  ) {
    self.original = original
    sidecar = found?.0
    sidecarIdentity = found?.1
    self.variant = variant
    stack = found?.0.stack(variant) ?? []
    self.foreign = foreign
    self.recipe = recipe
    self.context = context
    handledElsewhere = (found?.0.adjustments ?? []).enumerated().filter { _, adjustment in
      adjustment.variant != variant && (recipe?.handles(adjustment) ?? false)
    }.map(\.offset)
  }

  /// Collects the facts for the decision; the recipe's settings digest is left empty.
  func facts(original digest: Digest) -> EditFacts {
    facts(original: digest) { state(of: $0, $1) }
  }

  /// Collects the facts for the decision; `inspect` returns the state of a rendition.
  func facts(
    original digest: Digest, inspect: (RenditionRecord, Adjustment) -> EditFacts.Renditions
  ) -> EditFacts {
    let original = "\(digest)"
    return EditFacts(
      stack: stack.map { place in
        var entry = entry(place.adjustment, original, inspect)
        entry.file = foreignFile(of: place.adjustment)
        entry.foreignName = place.adjustment.foreign?.file.displayed ?? ""
        return entry
      }, elsewhere: elsewhere, settings: "",
      mainCurrent: mainCurrent, isVariant: variant != nil,
      newForeign: newForeign.map {
        EditFacts.Foreign(current: $0.currentBase, file: $0.foreign?.file.text ?? "")
      },
      policy: EditFacts.Policy(
        previous: context.options.previous, foreign: context.options.onForeign,
        overwritesModified: context.options.onModified == .overwrite,
        acceptsChanged: context.options.acceptsChanged, redoes: context.options.redoes,
        refreshes: context.options.refreshes))
  }

  /// Makes the decision for this stack, and returns it with the facts, which then contain the
  /// obstacles to rendering recorded edits again.
  func decision(_ facts: EditFacts) -> (EditFacts, EditDecision) {
    let decision = EditDecision(facts)
    guard case .render(let planned) = decision else { return (facts, decision) }
    var facts = facts
    // Only the records of edits that will be rendered again are checked.
    for case .replayed(let depth) in planned.layers {
      do throws(EditFacts.Obstacle) {
        _ = try RecordedEdit(stack[depth].adjustment, context.registry)
      } catch { facts.stack[depth].obstacle = error }
    }
    return (facts, EditDecision(facts))
  }

  /// Describes the edits of other recipes, adopted renditions and own settings that an edit would
  /// remove.
  ///
  /// Other programs' edits are not losses, because their files stay.
  func losses(in edit: Edit) -> [String] {
    let dropped = edit.dropped(of: stack.count).map { stack[$0].adjustment }
    let moved = edit.moves ? handledElsewhere.compactMap { sidecar?.adjustments[$0] } : []
    let others = dropped.filter { !$0.isForeign && !(recipe?.handles($0) ?? false) }
    let adopted = dropped.compactMap(\.foreign).filter { $0.kind == ForeignRecord.adopted }
    let settings = (dropped + moved).flatMap(\.overrides.members)
    return others.map { "the edit by \($0.formatIdentifier)" }
      + adopted.map { "the changes made by hand to '\($0.file.text)'" }
      + settings.map { "its own setting \($0.key) = \($0.value.compactText)" }
  }

  /// The edits by other programs beside the photo, oldest first.
  var foundForeign: [Adjustment] { foreign?.edits ?? [] }

  /// Other programs' edits beside the photo that the stack does not record in their current state.
  var newForeign: [Adjustment] {
    variant == nil ? foreign?.unrecorded(in: stack.map(\.adjustment)) ?? [] : []
  }

  /// The state of the file that contains another program's recorded edit.
  func foreignFile(of adjustment: Adjustment) -> ForeignFileState {
    guard variant == nil, adjustment.isForeign, let foreign else { return .recorded }
    return foreign.state(of: adjustment, in: stack.map(\.adjustment))
  }

  /// Returns the record of another program's edit with the current digests of its files.
  func refreshed(_ adjustment: Adjustment) -> Adjustment {
    guard var record = adjustment.foreign else { return adjustment }
    if let found = foundForeign.first(where: { $0.foreign?.file == record.file }) {
      record = found.foreign.map(record.updated) ?? record
    } else if let path = record.current?.file.path(besides: original),
      let digest = digest(of: path, record)
    {
      record.sha256 = "\(digest)"
      record.current?.sha256 = "\(digest)"
      record.current?.bytes = Int(digest.count)
    }
    var refreshed = adjustment
    refreshed.foreign = record
    return refreshed
  }

  /// True if the recorded renditions are on disk, and rendering the adjustment again from `base`
  /// would give the same files.
  func isPresent(_ adjustment: Adjustment, on base: Adjustment.Base, _ digest: Digest) -> Bool {
    let entry = entry(adjustment, "\(digest)") { state(of: $0, $1) }
    return entry.base == base && entry.renditions == .present && entry.originalIsSame
      && !(context.options.refreshes && entry.olderRevision != nil)
  }

  private var elsewhere: EditFacts.Elsewhere? {
    guard let sidecar, !handledElsewhere.isEmpty else { return nil }
    let isNewest = handledElsewhere.allSatisfy { index in
      sidecar.stack(sidecar.adjustments[index].variant).last?.index == index
    }
    return isNewest ? .newest : .belowOthers
  }

  /// The facts of an adjustment; `digest` is the original's SHA-256 in hexadecimal.
  private func entry(
    _ adjustment: Adjustment, _ digest: String,
    _ inspect: (RenditionRecord, Adjustment) -> EditFacts.Renditions
  ) -> EditFacts.Entry {
    var outputs: [String: EditFacts.Renditions] = [:]
    if !adjustment.isForeign {
      for rendition in adjustment.renditions {
        let state = inspect(rendition, adjustment)
        if state != .present { outputs[rendition.output] = state }
      }
    }
    let renditions =
      adjustment.isForeign ? state(of: adjustment.foreign) : outputs.values.max() ?? .present
    let seen = adjustment.originalSHA256 ?? sidecar?.original.sha256 ?? ""
    return EditFacts.Entry(
      isHandled: recipe?.handles(adjustment) ?? false, isForeign: adjustment.isForeign,
      settings: adjustment.settings, base: adjustment.base,
      hasOverrides: !adjustment.overrides.members.isEmpty,
      isPending: !adjustment.isForeign
        && (adjustment.settings.isEmpty || adjustment.renderedOverrides != nil),
      current: adjustment.currentBase, renditions: renditions, outputs: outputs,
      originalIsSame: seen == digest, olderRevision: adjustment.olderRevision)
  }

  /// The sidecar in the library, if the output root is separate.
  var librarySidecar: Sidecar? {
    context.root.isMirror ? context.contents.librarySidecars[original]?.sidecar : nil
  }

  /// The image from which the variant's lowest edit starts, by the recipe.
  ///
  /// Sidecars do not record it. Without a recipe, it follows from the image from which that edit
  /// was rendered.
  private var start: Recipe.Start {
    if let recipe { return recipe.start }
    return variant == nil || stack.first?.adjustment.base.file == nil ? .original : .current
  }

  /// The current image of the main stack, if the variant starts from it; nil if the variant starts
  /// from the original.
  ///
  /// With a separate output root, its main stack counts only if the library has none.
  private var mainCurrent: Adjustment.Base? {
    guard start == .current else { return nil }
    let main = [librarySidecar, sidecar].compactMap { $0?.stack(nil).last?.adjustment }
    guard let newest = main.first else {
      return foundForeign.last?.currentBase
    }
    if let file = newest.foreign?.file,
      let found = foundForeign.first(where: { $0.foreign?.file == file })
    {
      return found.currentBase
    }
    return newest.currentBase
  }

  /// Opens the file that an edit starts from; throws if its bytes are not those recorded.
  func open(_ base: Adjustment.Base, photo: OpenFile) throws(PhotoFailure) -> OpenFile {
    guard case .rendition(let name, let sha256) = base else { return photo }
    let (tree, files) = (tree(of: base), files(of: base))
    guard let path = name.path(besides: original),
      let status = try PhotoFailure.attempt({ try files.status(at: path) }),
      status.kind == .regular
    else {
      throw PhotoFailure(
        .baseMissing, "the edit starts from '\(name.text)', which is missing",
        hint: "run the recipe of that rendition again")
    }
    let file = try PhotoFailure.attempt { try files.open(path) }
    let digest = try PhotoFailure.attempt {
      try context.digests.digest(of: file, at: path, tree, in: files)
    }
    if "\(digest)" != sha256 {
      if let sidecar,
        context.root.isPublished(digest, of: original, sidecar, known: context.digests)
      {
        throw PhotoFailure(
          .baseMissing, "the edit starts from '\(name.text)', which is not the recorded rendition",
          hint: "run the recipe of that rendition again")
      }
      throw PhotoFailure(
        .modified, "the edit starts from '\(name.text)', which was changed by hand",
        hint: "restore it, or run its recipe with --on-modified overwrite or adopt")
    }
    return file
  }

  /// The file system of the image that an edit starts from.
  func files(of base: Adjustment.Base) -> RealFileSystem { files(in: tree(of: base)) }

  /// The tree of the image that an edit starts from; images of other programs are in the library.
  private func tree(of base: Adjustment.Base) -> LibraryTree {
    let foreign = (stack.map(\.adjustment) + foundForeign).last { $0.currentBase == base }?.foreign
    if let foreign { return context.root.tree(of: foreign) }
    let isOfLibrary = sidecar?.maker(of: base) == nil && librarySidecar?.maker(of: base) != nil
    return isOfLibrary ? .library : context.root.renditionTree
  }

  /// The film of an image that an edit starts from.
  enum BaseFilm {
    case none
    case recorded(RenditionRecord)
    /// No recipe made the image, so that its film is not recorded.
    case unknown
  }

  /// The adjustment by a recipe that made an image that an edit starts from, with the image's
  /// record; nil if there is none.
  func maker(
    of base: Adjustment.Base
  ) -> (adjustment: Adjustment, rendition: RenditionRecord)? {
    [sidecar, librarySidecar].compactMap { $0?.maker(of: base) }.first
  }

  /// The film of the image that an edit starts from.
  func film(of base: Adjustment.Base) -> BaseFilm {
    guard let (adjustment, rendition) = maker(of: base) else { return .unknown }
    let name = PairedFilm.name(of: rendition.output)
    return adjustment.renditions.first { $0.output == name }.map { .recorded($0) } ?? .none
  }

  private func files(in tree: LibraryTree) -> RealFileSystem {
    tree == .library ? context.root.library : context.root.files
  }

  private func state(
    of rendition: RenditionRecord, _ adjustment: Adjustment
  ) -> EditFacts.Renditions {
    switch context.root.disk(
      rendition, adjustment, original, sidecar, known: context.digests)
    {
    case .absent: .missing
    case .ours: .present
    case .superseded: .superseded
    case .others: .modified
    }
  }

  /// Throws if a link or folder is in place of a rendition of one of these adjustments, or if the
  /// file cannot be read; a user has not necessarily changed such a rendition.
  ///
  /// `indices` are those in the sidecar. Only renditions that are modified by the `facts` are
  /// checked.
  func checkReadable(_ indices: [Int], _ facts: EditFacts) throws(PhotoFailure) {
    for path in modified(indices, facts) { try checkReadable(path) }
  }

  /// The renditions of the adjustments at `indices` in the sidecar that are modified by the `facts`.
  func modified(_ indices: [Int], _ facts: EditFacts) -> [FilePath] {
    guard let sidecar else { return [] }
    let entries = zip(stack, facts.stack).filter { indices.contains($0.0.index) }
    let paths = entries.flatMap { place, entry in
      place.adjustment.renditions.filter { entry.outputs[$0.output] == .modified }.compactMap {
        place.adjustment.path(of: $0, original: original, sidecar.original)
      }
    }
    var known: Set<FilePath> = []
    return paths.filter { known.insert($0).inserted }
  }

  func checkReadable(_ path: FilePath) throws(PhotoFailure) {
    let root = context.root
    let status = try PhotoFailure.attempt { try root.files.status(at: path) }
    if let status, status.kind != .regular {
      throw PhotoFailure(
        .occupied,
        "a link or a folder is in place of the rendition '\(path.displayed)', and was kept",
        hint: "remove it or move it away, then run again")
    }
    _ = try PhotoFailure.attempt {
      try context.digests.digest(at: path, root.renditionTree, in: root.files)
    }
  }

  /// The state of another program's image.
  func state(of foreign: ForeignRecord?) -> EditFacts.Renditions {
    guard let foreign, let current = foreign.current else { return .present }
    guard let path = current.file.path(besides: original),
      let status = try? context.root.files(of: foreign).status(at: path), status.kind == .regular
    else { return .missing }
    guard Int(status.identity.size) == current.bytes,
      let digest = digest(of: path, foreign), "\(digest)" == current.sha256
    else { return .modified }
    return .present
  }

  /// The digest of another program's image; nil if it cannot be read.
  private func digest(of path: FilePath, _ foreign: ForeignRecord) -> Digest? {
    let root = context.root
    return try? context.digests.digest(
      at: path, root.tree(of: foreign), in: root.files(of: foreign))
  }
}

extension Recipe {
  /// True if the recipe may render an adjustment again as its own: its key `handles` includes the
  /// adjustment's identifier and version.
  func handles(_ adjustment: Adjustment) -> Bool {
    guard !adjustment.isForeign, let version = adjustment.version else { return false }
    return canHandle(adjustment.formatIdentifier, version)
  }
}

extension Sidecar {
  /// The newest adjustment by a recipe, of any stack, that made an image, with the image's record; nil
  /// if there is none.
  fileprivate func maker(
    of base: Adjustment.Base
  ) -> (adjustment: Adjustment, rendition: RenditionRecord)? {
    for adjustment in adjustments.reversed() where !adjustment.isForeign {
      let rendition = adjustment.renditions.first {
        Adjustment.Base.rendition($0.file, sha256: $0.sha256) == base
      }
      if let rendition { return (adjustment, rendition) }
    }
    return nil
  }

  /// Returns the newest reversion of an adjustment that the recipe may render again as its own.
  func reversion(handledBy recipe: Recipe) -> Reversion? {
    reversions.last { reversion in
      reversion.variant == recipe.variant
        && (reversion.version.map { recipe.canHandle(reversion.formatIdentifier, $0) } ?? false)
    }
  }
}
