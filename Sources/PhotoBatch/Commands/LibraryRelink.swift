import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds originals that were moved or renamed without their sidecars, by comparing digests.
///
/// If two photos exchanged their names, each photo is beside the sidecar of the other. Both
/// sidecars then move in the same commit.
struct LibraryRelink: Sendable {
  /// The photos that get their edits back, each with its path from when the edits were made.
  private let lost: [FilePath: FilePath]
  /// The photos that have their own sidecars already; only their renditions move.
  private var carried: Set<FilePath> = []
  private let moves: RelinkMoves
  /// Warnings about the sidecars that remain without a photo, with the reasons.
  let warnings: [String]

  /// Hashes all photos that have the size of a recorded original.
  ///
  /// Digests that the library's index contains are not computed again.
  init(_ session: LibrarySession) throws {
    let contents = session.contents
    let photos = try Photos(session)
    var originals: [String: [FilePath]] = [:]
    for (original, found) in contents.sidecars {
      guard let sidecar = found.sidecar, !photos.has(original, of: sidecar.original) else {
        continue
      }
      originals[sidecar.original.sha256, default: []].append(original)
    }
    let lost = Self.pairs(originals, photos, contents.sidecars)
    self.lost = lost
    moves = RelinkMoves(lost, session)
    let moving = Set(lost.values)
    let unmoved = originals.flatMap { digest, originals in
      originals.filter { !moving.contains($0) }.map { original in
        let name = original.displayed
        let copy = photos.paths[digest]?.first { lost[$0] == nil }
        if let copy {
          return
            "'\(name)' is missing, and its copy '\(copy.displayed)' has its own edits: remove one"
            + " of the two sidecars"
        }
        return photos.presence.hasPhoto(original)
          ? "'\(name)' is now another photo, and no photo has the former content"
          : "'\(name)' is missing, and no other photo has the same content"
      }
    }
    warnings = (unmoved + photos.unreadable).sorted()
  }

  /// Uses the photos and previous paths that the user named.
  init(_ named: NamedRelink, _ session: LibrarySession) {
    lost = named.pairs
    carried = named.carried
    moves = RelinkMoves(named.pairs, carried: named.carried, session)
    warnings = named.warnings
  }

  /// The photos that have the size of a recorded original, by their digests.
  private struct Photos {
    private(set) var paths: [String: [FilePath]] = [:]
    /// The originals that are unchanged at their recorded paths although the scan leaves them out,
    /// such as those that `.phbatchignore` lists.
    private var leftOut: Set<FilePath> = []
    /// Warnings about files that the scan leaves out and that cannot be read; they count as unchanged.
    private(set) var unreadable: [String] = []
    let presence: PhotoPresence

    init(_ session: LibrarySession) throws {
      let contents = session.contents
      presence = PhotoPresence(contents, in: session.root)
      let sizes = Set(contents.sidecars.values.compactMap { $0.sidecar?.original.bytes })
      let known = KnownDigests(LibraryIndex(of: session.root), in: session.root)
      let library = session.root.library
      for asset in contents.assets where sizes.contains(Int(asset.file.status.identity.size)) {
        let digest = try known.digest(at: asset.path, .library, in: library)
        paths["\(digest)", default: []].append(asset.path)
      }
      for (original, found) in contents.sidecars {
        guard let record = found.sidecar?.original,
          let status = presence.fileLeftOut(at: original),
          Int(status.identity.size) == record.bytes
        else { continue }
        do {
          let digest = try known.digest(at: original, .library, in: library)
          if "\(digest)" == record.sha256 { leftOut.insert(original) }
        } catch let error as FileSystemError {
          leftOut.insert(original)
          unreadable.append("\(error.message); its edits stay with it")
        }
      }
    }

    /// True if the original that a sidecar records is still at its path.
    func has(_ path: FilePath, of record: OriginalRecord) -> Bool {
      leftOut.contains(path) || paths[record.sha256]?.contains(path) ?? false
    }
  }

  /// Returns the previous path of each photo that gets its edits back.
  ///
  /// A photo may be beside a sidecar that belongs to another photo and holds a user's changes.
  /// Such a photo gets its own sidecar only if the other sidecar moves too.
  private static func pairs(
    _ originals: [String: [FilePath]], _ photos: Photos, _ sidecars: [FilePath: FoundSidecar]
  ) -> [FilePath: FilePath] {
    let astray = Set(originals.values.joined())
    func isIdle(_ photo: FilePath) -> Bool { sidecars[photo]?.sidecar?.isOfRecipesAlone ?? false }
    var staying: Set<FilePath> = []
    while true {
      var lost: [FilePath: FilePath] = [:]
      for (digest, originals) in originals {
        let copies = (photos.paths[digest] ?? []).filter { !staying.contains($0) }
        let free = copies.filter { sidecars[$0] == nil || astray.contains($0) }
        let idle = copies.filter { !free.contains($0) && isIdle($0) }
        for (original, photo) in pairs(originals, free + idle) { lost[photo] = original }
      }
      let stuck = astray.subtracting(lost.values).filter { lost[$0] != nil && !isIdle($0) }
      if stuck.isEmpty { return lost }
      staying.formUnion(stuck)
    }
  }

  /// Pairs originals with photos that have the same bytes: first photos with equal names, then the
  /// others in order, until no photo is left.
  private static func pairs(
    _ originals: [FilePath], _ photos: [FilePath]
  ) -> [(original: FilePath, photo: FilePath)] {
    var photos = photos
    var pairs: [(original: FilePath, photo: FilePath)] = []
    var others: [FilePath] = []
    for original in originals.sorted(by: { $0.string < $1.string }) {
      let index = photos.firstIndex { $0.lastComponent == original.lastComponent }
      if let index {
        pairs.append((original, photos.remove(at: index)))
      } else {
        others.append(original)
      }
    }
    pairs += zip(others, photos).map { (original: $0, photo: $1) }
    return pairs
  }

  func concerns(_ asset: Asset) -> Bool { lost[asset.path] != nil }

  /// Returns the planned outcome for a photo; changes nothing.
  func plan(_ asset: Asset) -> AssetOutcome {
    let old = lost[asset.path] ?? asset.path
    let files = moves.places[asset.path] ?? []
    let list = files.map { "'\($0.from.displayed)' becomes '\($0.to.displayed)'" }
    var outcome = AssetOutcome(
      asset.path, .upToDate,
      (["would get the edits of '\(old.displayed)'"] + list).joined(separator: "\n"))
    outcome.isDue = true
    return outcome
  }

  func run(_ context: EditContext, _ asset: Asset) -> AssetRunner.Result {
    guard let old = lost[asset.path] else { return .cancelled }
    let move = PhotoRelink(
      context: context, asset: asset, old: old, isCarried: carried.contains(asset.path),
      moves: moves)
    do throws(PhotoFailure) { return .prepared(try move.prepare()) } catch {
      return .done(AssetOutcome(asset.path, error))
    }
  }
}

extension Sidecar {
  /// True if running the recipes again would restore the sidecar completely: it has no overrides,
  /// focal point, reversions or edits by other programs.
  var isOfRecipesAlone: Bool {
    reversions.isEmpty && focalPoint == nil
      && adjustments.allSatisfy { !$0.isForeign && $0.overrides.members.isEmpty }
  }
}

/// The files that move with moved photos: their old and new paths.
///
/// If two photos exchanged names, a path is both a source and a target.
struct RelinkMoves: Sendable {
  let sources: Set<FilePath>
  let targets: Set<FilePath>
  /// The files of each photo that move, sorted by path.
  let places: [FilePath: [(from: FilePath, to: FilePath)]]
  /// For each moved photo, the renditions that a run made at its new location before this command;
  /// the moved renditions replace them.
  let obsolete: [FilePath: [FilePath: FileIdentity]]
  /// The previous paths that have another photo now.
  let reoccupied: Set<FilePath>

  /// Finds the moves; `lost` maps each photo to the path that it had when its edits were made.
  ///
  /// `carried` are the photos whose sidecars moved together with them.
  init(
    _ lost: [FilePath: FilePath], carried: Set<FilePath> = [], _ session: LibrarySession
  ) {
    let root = session.root
    func isThere(_ path: FilePath) -> Bool { (try? root.files.status(at: path)) != nil }
    func sidecar(_ photo: FilePath) -> Sidecar? { session.contents.sidecars[photo]?.sidecar }

    let moving = Set(lost.values)
    reoccupied = moving.filter(PhotoPresence(session.contents, in: root).hasPhoto)
    var obsolete: [FilePath: [FilePath: FileIdentity]] = [:]
    var moves: [FilePath: FilePath] = [:]
    var owners: [FilePath: FilePath] = [:]
    for (photo, old) in lost {
      // Renditions of a sidecar that moves away, or that moved together with its photo, are kept.
      let isOwn = moving.contains(photo) || carried.contains(photo)
      obsolete[photo] = isOwn ? [:] : root.renditions(of: sidecar(photo), photo)
      guard let sidecar = sidecar(carried.contains(photo) ? photo : old) else { continue }
      if !carried.contains(photo) {
        moves[Sidecar.path(of: old)] = Sidecar.path(of: photo)
        owners[Sidecar.path(of: old)] = photo
      }
      for (rendition, adjustment) in sidecar.recordedRenditions {
        let adopted = adjustment.foreign?.current?.file.path(besides: old)
        guard
          let path = adopted ?? adjustment.path(of: rendition, original: old, sidecar.original),
          isThere(path),
          let place = adjustment.templatePath(of: rendition, original: photo, sidecar.original)
        else { continue }
        moves[path] = place
        owners[path] = photo
      }
    }
    let givesWay = Set(obsolete.values.flatMap(\.keys))
    // A file whose new path stays occupied does not move. It then still occupies its own path, and
    // may block the move of another file to that path.
    while let blocked = moves.first(where: { path, place in
      path != place && moves[place] == nil && !givesWay.contains(place)
        && Sidecar.original(of: place) == nil
        && isThere(place)
    }) {
      moves[blocked.key] = nil
    }
    var places: [FilePath: [(from: FilePath, to: FilePath)]] = [:]
    for (path, place) in moves.sorted(by: { $0.key.string < $1.key.string }) where path != place {
      if let photo = owners[path] { places[photo, default: []].append((path, place)) }
    }
    self.places = places
    sources = Set(moves.keys)
    targets = Set(moves.values)
    self.obsolete = obsolete
  }
}

extension OutputRoot {
  /// True if the library has a file at a photo's path, whether a scan lists the file or not.
  func hasPhoto(_ path: FilePath) -> Bool {
    (try? library.status(at: path))?.kind == .regular
  }

  /// The recorded renditions whose files are unchanged since phbatch wrote them.
  fileprivate func renditions(
    of sidecar: Sidecar?, _ original: FilePath
  ) -> [FilePath: FileIdentity] {
    var renditions: [FilePath: FileIdentity] = [:]
    for adjustment in sidecar?.adjustments ?? [] {
      for rendition in adjustment.renditions {
        guard case .ours(let path, let identity) = disk(rendition, adjustment, original, sidecar)
        else { continue }
        renditions[path] = identity
      }
    }
    return renditions
  }
}

extension Sidecar {
  /// The renditions of all adjustments, and the kept renditions of earlier adjustments.
  var recordedRenditions: [(RenditionRecord, Adjustment)] {
    adjustments.flatMap { adjustment in adjustment.renditions.map { ($0, adjustment) } }
      + kept.map { ($0.rendition, $0.adjustment) }
  }
}
