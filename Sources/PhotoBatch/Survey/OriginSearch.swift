import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import SystemPackage

/// Finds the photo from which a file was rendered, by the file's path or by a mark in the file.
struct OriginSearch {
  private let ground: OrphanSearch.Ground
  private let library: RealFileSystem
  private let places: [RenditionPlace]
  /// The photos and films of each folder, by their names and by their stems.
  private var photos: [FilePath: Photos] = [:]

  private struct Photos {
    var byName: Set<FileName> = []
    var byStem: [FileName: [FileName]] = [:]

    mutating func add(_ name: FileName) {
      byName.insert(name)
      byStem[FileName(bytes: name.stem), default: []].append(name)
    }
  }

  /// Prepares the search with path templates that are registered, that sidecars elsewhere record, and
  /// that the sidecars of `ground` record.
  init(
    _ ground: OrphanSearch.Ground, _ registered: [RenditionPlace],
    recorded elsewhere: Set<RenditionPlace>, _ library: RealFileSystem
  ) {
    (self.ground, self.library) = (ground, library)
    var recorded = RecordedPlaces()
    for sidecar in ground.sidecars.values { sidecar.sidecar.map { recorded.add($0) } }
    let others = recorded.places.union(elsewhere).subtracting(registered)
    places = registered + others.sorted { $0.output < $1.output }
  }

  /// The photo of which the file may be a rendition, and the output that gives renditions this
  /// path; nil if there is none.
  ///
  /// The output is nil if several outputs give this path.
  mutating func origin(of asset: Asset) -> (path: FilePath, output: String?)? {
    var found: (path: FilePath, output: String)?
    for place in places {
      for origin in place.origins(of: asset.path) {
        guard let path = photo(origin, for: asset) else { continue }
        let first = found ?? (path, place.output)
        if path == first.path && place.output != first.output { return (path, nil) }
        found = first
      }
    }
    return found
  }

  /// The photo with the digest that `xmpMM:DerivedFrom` in a file names; nil if the file has no
  /// such mark, or if no photo beside it with a fitting name has this digest.
  ///
  /// Only files whose names begin with the stem of a photo are read.
  mutating func marked(_ asset: Asset, _ digests: KnownDigests) -> FilePath? {
    let folder = asset.path.removingLastComponent()
    let photos = photos(in: folder)
    let names = asset.file.name.possibleStems.flatMap { photos.byStem[$0] ?? [] }
      .filter { $0 != asset.file.name }.ordered(filmsFirst: asset.file.claim.family == .video)
    guard !names.isEmpty, let mark = mark(in: asset) else { return nil }
    return names.compactMap { $0.path(in: folder) }.first { path in
      path != asset.path
        && (try? digests.digest(at: path, .library, in: library)).map { "\($0)" } == mark
    }
  }

  /// The mark in the first or the last 64 KiB of a file, where phbatch writes it.
  private func mark(in asset: Asset) -> String? {
    let window = 64 << 10
    let end = max(0, asset.file.status.identity.size - Int64(window))
    guard let file = try? library.open(asset.path) else { return nil }
    return [0, end].lazy.compactMap { offset in
      (try? library.read(file, at: offset, count: window)).flatMap {
        RenditionMark.original(in: $0)
      }
    }.first
  }

  private mutating func photo(_ origin: RenditionPlace.Origin, for asset: Asset) -> FilePath? {
    let photos = photos(in: origin.folder)
    let names =
      origin.isWhole
      ? photos.byName.contains(origin.name) ? [origin.name] : []
      : photos.byStem[origin.name]?.ordered(filmsFirst: asset.file.claim.family == .video) ?? []
    return names.lazy.compactMap { $0.path(in: origin.folder) }.first { $0 != asset.path }
  }

  /// The photos of a folder: the files that have the extension of a photo, a raw photo or a film, or
  /// a sidecar, without the renditions that sidecars record.
  private mutating func photos(in folder: FilePath) -> Photos {
    if let known = photos[folder] { return known }
    var found = Photos()
    let scanned = ground.folders[folder] ?? (try? Scan(library).list(folder))?.scanned()
    for file in scanned?.files ?? [] {
      guard let path = file.name.path(in: folder), ground.claims[path] == nil else { continue }
      let isPhoto =
        if case .photo = file.claim { true } else { [.raw, .video].contains(file.claim.family) }
      if isPhoto || ground.sidecars[path] != nil { found.add(file.name) }
    }
    photos[folder] = found
    return found
  }
}

extension FileName {
  /// The stems of photos of which a file with this name may be a rendition.
  ///
  /// In the file's name, the photo's stem must end before a character that is neither a letter nor
  /// a digit: `a.web` fits `a.jpg`, but IMG_10 does not fit IMG_1. Or the names differ only in their
  /// extensions.
  var possibleStems: [FileName] {
    let stem = stem
    let ends =
      stem.indices.dropFirst().filter { !Self.isLetterOrDigit(stem[$0]) } + [stem.endIndex]
    return ends.map { FileName(bytes: stem[..<$0]) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }
}

extension [FileName] {
  /// The names with films first, or with films last.
  ///
  /// A film is more often the rendition of a film, and a photo that of a photo.
  fileprivate func ordered(filmsFirst: Bool) -> [FileName] {
    let isFirst = { (name: FileName) in (FileClaim(name).family == .video) == filmsFirst }
    return filter(isFirst) + filter { !isFirst($0) }
  }
}
