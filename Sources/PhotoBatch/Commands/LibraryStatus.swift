public import Notation
public import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The edits of one photo as found on disk.
public struct PhotoStatus: Sendable {
  /// The path from the library's root.
  public let path: FilePath
  public internal(set) var stacks: [StackStatus]
  /// The problem with the sidecar, as a reason and its detail; nil if there is no problem.
  public let problem: (reason: Reason, detail: String)?
  /// The planned outcome of a run of the given recipe; nil without a recipe.
  public let decision: AssetOutcome?

  public var reasons: [Reason] {
    let own = stacks.flatMap { $0.adjustments.map(\.state) } + (problem.map { [$0.reason] } ?? [])
    return own + (decision.map { [$0.reason] } ?? [])
  }
}

/// One stack: the main one, or a variant's.
public struct StackStatus: Sendable {
  /// The name of the variant; nil for the main stack.
  public let variant: String?
  public let adjustments: [AdjustmentStatus]
  public let operations: [StackOperation]
  /// The stack's renditions that are not up to date, with reasons; nil unless `why` was given
  /// without a recipe.
  public internal(set) var plan: PhotoPlan?
}

public struct AdjustmentStatus: Sendable {
  public let identifier: String
  public let version: String
  public let date: String
  public let state: Reason
  /// The kind of the edit if another program made it; nil for an edit by phbatch.
  public let foreign: String?
  public let renditions: [RecordedName]
  /// The older rendering revision that made the renditions; nil if the current one made them.
  public let olderRevision: Int?
  /// True if no run has rendered the edit.
  let isNew: Bool
  /// The state of another program's file, compared with its record.
  let file: ForeignFileState
  /// True for another program's edit that is beside the photo but that no run has recorded yet.
  public let isFound: Bool
}

/// Reads a library's sidecars and compares them with the files on disk; writes nothing.
public enum LibraryStatus {
  /// Reads the status of every photo of a library; the folder is the library or its output folder.
  ///
  /// With a recipe, the status includes the planned outcome of a run of the recipe, within the
  /// limits of the options. Without a recipe, `why` adds the renditions that are not up to date.
  /// `warn` receives the errors of folders and files that cannot be read.
  public static func read(
    _ folder: FilePath, recipe: FilePath?, why: Bool = false,
    options: BatchOptions = BatchOptions(), warn: (any UserError) -> Void = { _ in }
  ) async throws -> [PhotoStatus] {
    let root = try opened(folder)
    let digests = KnownDigests(LibraryIndex(of: root), in: root)
    // If the options name single photos, only the folders of these photos are read.
    let folders = options.choice.flatMap { $0.folders(in: root) }
    let contents = LibraryContents(of: root, around: folders, digests)
    for error in contents.problems where options.choice?.isAffected(by: error) ?? true {
      warn(error)
    }
    let session = LibrarySession(reading: root, options, contents, digests)
    let decisions = try await decisions(recipe, root, options, around: folders)
    let photos = try read(session, recipe, options, decisions)
    return why && recipe == nil ? planned(photos, session, options) : photos
  }

  /// Adds to each stack the plan of its recorded edits.
  private static func planned(
    _ photos: [PhotoStatus], _ session: LibrarySession, _ options: BatchOptions
  ) -> [PhotoStatus] {
    let context = session.context(
      options, originals: session.contents.originals, registry: FileRegistry(of: session.root))
    let assets = Dictionary(session.contents.assets.map { ($0.path, $0) }) { first, _ in first }
    return photos.mappedOnAllCores { photo in
      guard let asset = assets[photo.path] else { return photo }
      var photo = photo
      for index in photo.stacks.indices {
        let plan = RecordedPlan(context: context, asset: asset)
        photo.stacks[index].plan = try? plan.plan(photo.stacks[index].variant)
      }
      return photo
    }
  }

  private static func read(
    _ session: LibrarySession, _ recipe: FilePath?, _ options: BatchOptions,
    _ decisions: [FilePath: AssetOutcome]
  ) throws -> [PhotoStatus] {
    let (root, digests) = (session.root, session.digests)
    var contents = session.contents
    var gone = contents.missingOriginals(of: root)
    if let choice = options.choice, !choice.isWhole {
      try choice.check(contents.assets.map(\.path) + contents.orphans.map(\.path) + gone)
      contents.assets.removeAll { !choice.contains($0.path) }
      contents.orphans.removeAll { !choice.contains($0.path) }
      gone.removeAll { !choice.contains($0) }
    }
    let parsed = try recipe.map { try RecipeDocument(contentsOf: $0).recipe().recipe }
    let films = RecordedFilms(session.contents, root)
    let missing = gone.map { path in
      PhotoStatus(
        path: path,
        stacks: contents.sidecars[path]?.sidecar.map {
          stacks(of: $0, path, root, digests, nil, obstacle: "the original is missing")
        } ?? [], problem: (.originalMissing, "the sidecar still exists"), decision: nil)
    }
    let orphans = contents.orphans.map { orphan in
      PhotoStatus(
        path: orphan.path, stacks: [], problem: (.orphan, orphan.detail), decision: nil)
    }
    return missing + orphans
      + contents.assets.mappedOnAllCores { [contents] asset -> PhotoStatus? in
        // The film of a Live Photo is a part of the photo, as long as it has no edits of its own.
        if contents.sidecars[asset.path] == nil, films.isPart(asset) { return nil }
        let decision = decisions[asset.path]
        // The format of a photo with a sidecar is not checked, because a recipe has already allowed
        // it.
        if contents.sidecars[asset.path] == nil, let format = unsupportedFormat(of: asset, root),
          !(parsed?.inputs ?? InputSettings()).allows(format)
        {
          return PhotoStatus(
            path: asset.path, stacks: [], problem: (.unsupportedFormat, format.title),
            decision: decision)
        }
        if case .unusable(let reason, let error)? = contents.sidecars[asset.path] {
          return PhotoStatus(
            path: asset.path, stacks: [], problem: (reason, error.message), decision: decision)
        }
        let (foreign, problem) = foreignEdits(of: asset, contents, root, digests)
        let stacks = stacks(
          of: contents.sidecars[asset.path]?.sidecar, asset.path, root, digests, parsed, foreign,
          plans: decision?.plan?.alternatives ?? [:])
        return PhotoStatus(
          path: asset.path, stacks: stacks,
          problem: problem
            ?? change(of: asset, contents.sidecars[asset.path]?.sidecar, root, digests)
            ?? contents.sidecars[asset.path]?.sidecar.flatMap {
              films.problem(of: asset.path, $0, digests)
            },
          decision: decision)
      }.compactMap(\.self)
  }

  /// The edits by other programs beside a photo, or the reason why they cannot be read.
  private static func foreignEdits(
    of asset: Asset, _ contents: LibraryContents, _ root: OutputRoot, _ digests: KnownDigests
  ) -> (ForeignEdits?, (reason: Reason, detail: String)?) {
    do throws(PhotoFailure) {
      return (try ForeignEdits(of: asset, in: contents, root.library, digests, date: ""), nil)
    } catch { return (nil, (error.reason, error.detail ?? "")) }
  }

  /// The problem if the original was replaced after it was recorded, or cannot be read; else nil.
  private static func change(
    of asset: Asset, _ sidecar: Sidecar?, _ root: OutputRoot, _ digests: KnownDigests
  ) -> (reason: Reason, detail: String)? {
    guard let record = sidecar?.original else { return nil }
    let changed = (Reason.originalChanged, "the original is not the recorded file")
    if asset.file.status.identity.size != Int64(record.bytes) { return changed }
    do throws(PhotoFailure) {
      let digest = try PhotoFailure.attempt {
        try digests.digest(at: asset.path, .library, in: root.library)
      }
      return "\(digest)" == record.sha256 ? nil : changed
    } catch { return (error.reason, error.detail ?? "") }
  }

  private static func unsupportedFormat(
    of asset: Asset, _ root: OutputRoot
  ) -> InputFormat? {
    // A file that cannot be opened is not reported here: the next run reports it with the reason.
    guard let file = try? root.library.open(asset.path),
      case .unsupported(let format) = try? FileKind(
        of: file, named: asset.file.name, in: root.library)
    else { return nil }
    return format
  }

  private static func opened(_ folder: FilePath) throws -> OutputRoot {
    do { return try OutputRoot(reading: folder) } catch let error as FileSystemError
      where error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory
    {
      throw MissingInput(
        "there is no library '\(folder.displayed)'", hint: "give the path of a folder of photos")
    }
  }

  private static func decisions(
    _ recipe: FilePath?, _ root: OutputRoot, _ options: BatchOptions,
    around folders: Set<FilePath>?
  ) async throws -> [FilePath: AssetOutcome] {
    guard let recipe else { return [:] }
    var options = options
    options.output = root.isMirror ? root.files.path : nil
    let batch = try Batch(recipe: recipe, library: root.library.path, options: options)
    let outcomes = Outcomes()
    _ = try await batch.plan(withAlternatives: true, around: folders, outcomes.add)
    return outcomes.all
  }

  private static func stacks(
    of sidecar: Sidecar?, _ original: FilePath, _ root: OutputRoot, _ digests: KnownDigests,
    _ recipe: Recipe?, _ foreign: ForeignEdits? = nil, plans: [PreviousPolicy: PhotoPlan] = [:],
    obstacle: String? = nil
  ) -> [StackStatus] {
    let main = sidecar?.stack(nil).map(\.adjustment) ?? []
    let found = foreign?.unrecorded(in: main) ?? []
    var variants: [String?] = found.isEmpty ? [] : [nil]
    for adjustment in sidecar?.adjustments ?? [] where !variants.contains(adjustment.variant) {
      variants.append(adjustment.variant)
    }
    return variants.map { variant in
      var stack = (sidecar?.stack(variant) ?? []).map { _, adjustment in
        let found = adjustment.isForeign ? [] : adjustment.renditions
        let states = found.map { root.disk($0, adjustment, original, sidecar, known: digests) }
        return (adjustment: adjustment, state: state(states))
      }
      let recorded = stack.count
      if variant == nil { stack += found.map { ($0, .upToDate) } }
      return StackStatus(
        variant: variant,
        adjustments: stack.enumerated().map { depth, entry in
          let (adjustment, state) = entry
          let file = variant == nil ? foreign?.state(of: adjustment, in: main) : nil
          return AdjustmentStatus(
            identifier: adjustment.formatIdentifier, version: adjustment.formatVersion,
            date: adjustment.date,
            state: (file ?? .recorded) == .recorded ? state : .foreignNewer,
            foreign: adjustment.foreign?.kind,
            renditions: adjustment.foreign.map { $0.current.map { [$0.file] } ?? [] }
              ?? adjustment.renditions.map(\.file),
            olderRevision: adjustment.olderRevision,
            isNew: !adjustment.isForeign && adjustment.settings.isEmpty,
            file: depth < recorded ? file ?? .recorded : .recorded, isFound: depth >= recorded)
        },
        operations: obstacle.map { obstacle in
          StackOperation.Name.allCases.map { StackOperation(name: $0, obstacle: obstacle) }
        }
          ?? StackOperation.all(
            for: stack.map(\.adjustment), of: variant, sidecar, recipe: recipe, plans: plans))
    }
  }

  private static func state(_ renditions: [RenditionOnDisk]) -> Reason {
    var state = Reason.upToDate
    for rendition in renditions {
      switch rendition {
      case .ours: break
      case .superseded: if state == .upToDate { state = .superseded }
      case .absent: if state != .modified { state = .fileMissing }
      case .others: state = .modified
      }
    }
    return state
  }
}
