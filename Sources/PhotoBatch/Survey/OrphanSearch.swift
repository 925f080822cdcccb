import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds renditions that no sidecar records, among the files that may be photos.
///
/// A file without a sidecar of its own is read whole if it has the size of a rendition in the
/// ledger. The first and last 64 KiB of a file are searched for phbatch's mark if the file's name
/// begins with the name of a photo.
struct OrphanSearch {
  private let library: RealFileSystem
  private let digests: KnownDigests
  private let registered: [RenditionPlace]
  /// The other parts of a library that is read in parts; nil for other libraries.
  var otherParts: OtherParts?

  /// Prepares the search in a library; `recipe` is the recipe that is about to be run over the
  /// library.
  init(in root: OutputRoot, _ digests: KnownDigests, recipe: Recipe? = nil) {
    library = root.library
    self.digests = digests
    var registry = PlaceRegistry(of: root.library)
    if let recipe, !root.isMirror { registry.add(recipe) }
    registered = registry.places
  }

  /// The scanned files and sidecars of a library.
  struct Ground {
    let folders: [FilePath: ScannedFolder]
    let sidecars: [FilePath: FoundSidecar]
    /// The paths that sidecars record as renditions, with their originals.
    let claims: [FilePath: FilePath]
  }

  /// The orphans among these files.
  func orphans(among assets: [Asset], on ground: Ground) -> [Orphan] {
    var unclaimed = assets.filter { asset in
      ground.claims[asset.path] == nil && ground.sidecars[asset.path] == nil
    }
    // The film of a rendition is found beside it, as the film of a Live Photo is.
    // It may be beside two photos.
    let films = Dictionary(unclaimed.flatMap(ground.films).map { ($0.path, $0) }) { first, _ in
      first
    }
    unclaimed += films.values.filter { ground.claims[$0.path] == nil }
    let recorded = assets.compactMap { asset in
      ground.sidecars[asset.path]?.sidecar.map { Recorded(asset, $0) } ?? nil
    }
    // A rendition that is a copy of its original says nothing about files with these bytes.
    let records = records(
      of: Set(recorded.map(\.digest)), sizes: Set(unclaimed.map(\.file.status.identity.size))
    ).filter { $0.digest != $0.original }
    let known = Dictionary(records.map { ($0.digest, $0) }) { first, _ in first }
    if known.isEmpty && unclaimed.isEmpty && !hasContradictions(recorded, ground) { return [] }
    let originals = ground.originals(Set(records.map(\.original)))
    func original(_ digest: DigestPrefix) -> FilePath? {
      otherParts.map { $0.photo(digest) } ?? originals[digest]
    }
    var origins = OriginSearch(
      ground, registered, recorded: otherParts?.places ?? [], library)
    var found: [Orphan] = []
    for photo in recorded {
      let (asset, owner) = (photo.asset, ground.claims[photo.asset.path])
      if let record = known[DigestPrefix(photo.digest)] {
        let original = owner ?? origins.origin(of: asset)?.path ?? original(record.original)
        found.append(Orphan(asset, .digest, original, hasSidecar: true, isClaimed: owner != nil))
      } else if let owner, photo.isRecorded(by: owner, ground) {
        found.append(Orphan(asset, .digest, owner, hasSidecar: true, isClaimed: true))
      }
    }
    for (asset, digest) in read(unclaimed, sizes: Set(records.map(\.count))) {
      if let record = digest.flatMap({ known[$0] }) {
        let original =
          origins.origin(of: asset)?.path ?? original(record.original)
          ?? origins.marked(asset, digests)
        found.append(Orphan(asset, .digest, original))
      } else if let path = origins.marked(asset, digests) {
        found.append(Orphan(asset, .mark, path))
      } else if let (path, output) = origins.origin(of: asset) {
        found.append(Orphan(asset, .place(output: output), path))
      }
    }
    addFilms(of: &found, among: unclaimed)
    return found.sorted { $0.path.string < $1.path.string }
  }

  /// Marks the orphans that are films of others, and adds the films that are not among them.
  ///
  /// A rendition and its film are a Live Photo, so both state one identifier.
  private func addFilms(of orphans: inout [Orphan], among unclaimed: [Asset]) {
    let films = Dictionary(
      unclaimed.filter(\.file.isPairedFilm).map { ($0.path, $0) }
    ) { first, _ in first }
    if films.isEmpty { return }
    let pairs = PairedFilms(in: library)
    var places = Dictionary(zip(orphans.map(\.path), orphans.indices)) { first, _ in first }
    for photo in orphans where films[photo.path] == nil {
      // The film has the name of its photo but for the extension, or with another extension after it.
      var names = [photo.path, photo.path]
      names[0].extension = PairedFilm.fileExtension
      names[1].extension = photo.path.extension.map { "\($0).\(PairedFilm.fileExtension)" }
      let beside = names.filter { films[$0] != nil }
      guard let found = try? pairs.film(of: photo.path, among: beside).path else { continue }
      if let index = places[found] {
        orphans[index].photo = photo.path
      } else if let film = films[found] {
        var orphan = Orphan(film, .pair, photo.original)
        orphan.photo = photo.path
        places[found] = orphans.count
        orphans.append(orphan)
      }
    }
  }

  private func records(of digests: Set<Digest>, sizes: Set<Int64>) -> [PublishedRendition] {
    let ledger = RenditionLedger(library)
    guard let extent = otherParts?.ledger else { return ledger.records(of: digests, sizes: sizes) }
    return ledger.records(of: digests, sizes: sizes, in: extent)
  }

  private func hasContradictions(_ recorded: [Recorded], _ ground: Ground) -> Bool {
    recorded.contains { ground.claims[$0.asset.path] != nil }
  }

  /// Returns all files, each with its digest if the file has one of these sizes.
  private func read(
    _ assets: [Asset], sizes: Set<Int64>
  ) -> [(asset: Asset, digest: DigestPrefix?)] {
    let (library, digests) = (library, digests)
    return assets.mappedOnAllCores { asset in
      guard sizes.contains(asset.file.status.identity.size) else { return (asset, nil) }
      // An unreadable file gets no digest; the run reports its error later.
      let digest = try? digests.digest(at: asset.path, .library, in: library)
      return (asset, digest.map { DigestPrefix($0) })
    }
  }

  /// A photo with a sidecar, which records the photo's digest.
  private struct Recorded {
    let asset: Asset
    let sha256: String
    let digest: Digest

    init?(_ asset: Asset, _ sidecar: Sidecar) {
      // If the file's size differs from the recorded size, the recorded digest is not the file's
      // own.
      guard Int64(sidecar.original.bytes) == asset.file.status.identity.size,
        let digest = Digest(
          hexadecimal: sidecar.original.sha256, count: Int64(sidecar.original.bytes))
      else { return nil }
      (self.asset, sha256, self.digest) = (asset, sidecar.original.sha256, digest)
    }

    /// True if the sidecar of the other photo `owner` records this file with these bytes as a
    /// rendition.
    func isRecorded(by owner: FilePath, _ ground: Ground) -> Bool {
      owner != asset.path
        && ground.sidecars[owner]?.sidecar?.records(sha256, at: asset.path, of: owner) ?? false
    }
  }
}

extension OrphanSearch.Ground {
  /// The films beside a file that have its name.
  fileprivate func films(beside asset: Asset) -> [Asset] {
    let folder = asset.path.removingLastComponent()
    let companions = folders[folder]?.companions(of: asset.file.name) ?? []
    return companions.filter { $0.kind == .film }.compactMap { companion in
      companion.file.name.path(in: folder).map { Asset(path: $0, file: companion.file) }
    }
  }

  /// The originals with these digests, found by the digests that sidecars record.
  fileprivate func originals(_ digests: Set<DigestPrefix>) -> [DigestPrefix: FilePath] {
    var found: [DigestPrefix: FilePath] = [:]
    if digests.isEmpty { return found }
    for (path, sidecar) in sidecars {
      guard let text = sidecar.sidecar?.original.sha256,
        let digest = DigestPrefix(hexadecimal: text), digests.contains(digest)
      else { continue }
      // If several photos have the same bytes, the first in the order of paths is chosen.
      if let other = found[digest], other.string < path.string { continue }
      found[digest] = path
    }
    return found
  }
}

extension Sidecar {
  /// True if the sidecar records a rendition with this digest at a path.
  fileprivate func records(_ sha256: String, at path: FilePath, of original: FilePath) -> Bool {
    adjustments.contains { adjustment in
      adjustment.renditions.contains {
        $0.sha256 == sha256 && $0.file.path(besides: original) == path
      }
    }
  }
}
