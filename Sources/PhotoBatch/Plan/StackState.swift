import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// One stack of a photo as it lies on disk.
struct StackState: Sendable {
  let original: FilePath
  let sidecar: Sidecar?
  let sidecarIdentity: FileIdentity?
  /// The adjustments of the recipe's stack, oldest first, with their places in the sidecar.
  let stack: [(index: Int, adjustment: Adjustment)]
  /// Where the recipe's base lies, if that is a rendition.
  let baseFiles: RealFileSystem
  private let recipe: Recipe
  private let context: BatchContext

  init(
    _ original: FilePath, _ found: (Sidecar, FileIdentity)?, _ recipe: Recipe,
    _ context: BatchContext
  ) {
    self.original = original
    sidecar = found?.0
    sidecarIdentity = found?.1
    stack = found?.0.stack(recipe.variant) ?? []
    self.recipe = recipe
    self.context = context
    baseFiles =
      recipe.start == .current && context.root.isMirror ? context.root.library : context.root.files
  }

  /// What the decision looks at, but for the settings digest.
  func facts(original digest: Digest) -> EditFacts {
    let others = sidecar?.adjustments.filter { $0.variant != recipe.variant } ?? []
    return EditFacts(
      stack: stack.map { entry($0.adjustment) },
      isHandledElsewhere: others.contains(where: handles),
      settings: "", mainCurrent: mainCurrent, isVariant: recipe.variant != nil,
      originalIsSame: sidecar.map { $0.original.sha256 == "\(digest)" } ?? true,
      policy: EditFacts.Policy(
        previous: context.options.previous,
        overwritesModified: context.options.onModified == .overwrite,
        acceptsChanged: context.options.acceptsChanged))
  }

  /// Whether starting the stack afresh would drop what this recipe did not make, or what a person
  /// set by hand.
  var losesPersonalEdits: Bool {
    stack.contains { !handles($0.adjustment) || !$0.adjustment.overrides.members.isEmpty }
  }

  private func handles(_ adjustment: Adjustment) -> Bool {
    adjustment.version.map { recipe.canHandle(adjustment.formatIdentifier, $0) } ?? false
  }

  private func entry(_ adjustment: Adjustment) -> EditFacts.Entry {
    let states = adjustment.renditions.map { state(of: $0, adjustment) }
    return EditFacts.Entry(
      isHandled: handles(adjustment), isForeign: adjustment.isForeign,
      settings: adjustment.settings, base: adjustment.base,
      hasOverrides: !adjustment.overrides.members.isEmpty, current: adjustment.currentBase,
      renditions: states.max() ?? .present)
  }

  /// What a variant that follows the main stack starts from today.
  private var mainCurrent: Adjustment.Base? {
    guard recipe.start == .current else { return nil }
    let main =
      context.root.isMirror ? context.contents.librarySidecars[original]?.sidecar : sidecar
    return main?.stack(nil).last?.adjustment.currentBase
  }

  private func state(
    of rendition: RenditionRecord, _ adjustment: Adjustment
  ) -> EditFacts.Renditions {
    switch context.root.disk(rendition, adjustment, original, sidecar) {
    case .absent: .missing
    case .ours: .present
    case .others: .modified
    }
  }
}

extension Adjustment {
  /// The current rendition as a base.
  var currentBase: Base? { current.map { .rendition($0.file, sha256: $0.sha256) } }
}

/// What lies at the path of a recorded rendition.
enum RenditionOnDisk: Sendable {
  case absent
  /// The bytes that phbatch wrote.
  case ours(FilePath, FileIdentity)
  case others(FilePath)
}

extension OutputRoot {
  /// Looks whether a recorded rendition is as it was written.
  func disk(
    _ rendition: RenditionRecord, _ adjustment: Adjustment, _ original: FilePath,
    _ sidecar: Sidecar?
  ) -> RenditionOnDisk {
    guard let sidecar,
      let path = adjustment.path(of: rendition, original: original, sidecar.original),
      let status = try? files.status(at: path)
    else { return .absent }
    guard status.kind == .regular, Int(status.identity.size) == rendition.bytes,
      let file = try? files.open(path), let digest = try? Digest(of: file, in: files),
      "\(digest)" == rendition.sha256
    else { return .others(path) }
    return .ours(path, status.identity)
  }
}

extension BatchContext {
  /// The settings digest of SPEC's section 4: what decides how renditions look.
  func settingsDigest(of recipe: Recipe) -> String {
    "\(Digest(of: recipe.fingerprint(files: files.digests).compactText.utf8))"
  }
}
