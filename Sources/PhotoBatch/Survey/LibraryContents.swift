import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A file of the library that a scan recognized as a photo.
struct Asset: Sendable, Hashable {
  /// The path relative to the library's root.
  let path: FilePath
  let file: ScannedFile
}

/// The result of one scan of a library and of its separate output root, if it has one.
struct LibraryContents: Sendable {
  /// Every file that may be a photo and is not a rendition, in the order of the scan.
  var assets: [Asset] = []
  /// The renditions that no sidecar records, and the renditions that have a sidecar of their own.
  var orphans: [Orphan] = []
  /// The sidecars of the output root, by the path of their originals.
  var sidecars: [FilePath: FoundSidecar] = [:]
  /// The sidecars in the library; empty if the library is itself the output root.
  var librarySidecars: [FilePath: FoundSidecar] = [:]
  /// Maps the path of each rendition that a sidecar records, relative to the output root, to the
  /// path of its original.
  var claims: [FilePath: FilePath] = [:]
  /// The photos with sidecars that cannot be used, by folder and by the stem of their names; their
  /// renditions are unknown.
  private var silent: [FilePath: [FileName: [FilePath]]] = [:]
  /// The files with the path of a rendition, each with the photo whose unusable sidecar may record
  /// it.
  private var uncertain: [FilePath: FilePath] = [:]
  /// The originals whose damaged sidecars the command `repair` renamed.
  private var repaired: Set<FilePath> = []
  /// Temporary files in the output root, by folder.
  var leftovers: [(folder: FilePath, names: [FileName])] = []
  /// The library's folders that contain files of other programs beside photos.
  private var companioned: [FilePath: ScannedFolder] = [:]
  /// The films beside photos with their names that have sidecars of their own, each with its photo.
  ///
  /// Such a film was edited before its photo was there; it is among `assets`.
  private(set) var editedFilms: [FilePath: Asset] = [:]
  /// The raw photos and JPEGs that a camera wrote as files of one shot, each with all files of its
  /// shot.
  private var shots: [FilePath: [Asset]] = [:]
  /// The errors of unreadable files and folders.
  var problems: [ScanError] = []

  /// Scans a whole library and, if there is one, its separate output root.
  init(scanning root: OutputRoot) {
    let library = Scan(root.library).walk { $0.scanned() }
    let mirror = root.isMirror ? Scan(root.files).walk { $0.scanned() } : ([], [])
    var reader = SidecarReader(root)
    self.init(root, library: library.folders, mirror: mirror.0, &reader)
    findOrphans(OrphanSearch(in: root, KnownDigests(in: root)), in: library.folders, of: root)
    problems = library.failures + mirror.1
  }

  /// Creates empty contents.
  init(_ root: OutputRoot) {
    var reader = SidecarReader(root)
    self.init(root, library: [], mirror: [], &reader)
  }

  /// Reads only these folders.
  ///
  /// The caller ensures that no other folder contains sidecars or renditions of the photos in them.
  init(
    _ root: OutputRoot, library: [ScannedFolder], mirror: [ScannedFolder],
    _ reader: inout SidecarReader
  ) {
    let found = reader.read(library, .library)
    sidecars = found
    if root.isMirror {
      librarySidecars = found
      sidecars = reader.read(mirror, .mirror)
    }
    for folder in root.isMirror ? mirror : library where !folder.leftovers.isEmpty {
      leftovers.append((folder.path, folder.leftovers))
    }
    for folder in library where !folder.companions.isEmpty { companioned[folder.path] = folder }
    claims = Self.claims(of: sidecars)
    for (original, sidecar) in found where !sidecar.isUsable { addSilent(original) }
    for folder in library + mirror {
      let originals = folder.files.compactMap {
        Sidecar.original(ofDamaged: $0.name, in: folder.path)
      }
      for original in originals { addSilent(original) }
      repaired.formUnion(originals)
    }
    let renditions = root.isMirror ? Self.claims(of: librarySidecars) : claims
    for folder in library {
      let first = assets.count
      for file in folder.files {
        if Sidecar.original(ofDamaged: file.name, in: folder.path) != nil { continue }
        guard let path = file.name.path(in: folder.path) else { continue }
        let asset = Asset(path: path, file: file)
        if renditions[path] != nil && found[path] == nil { continue }
        if !root.isMirror && root.pending.isNew(path) { continue }
        if file.claim != .none || holdsPhoto(asset, root.library) { assets.append(asset) }
      }
      addPairs(among: assets[first...])
      if !sidecars.isEmpty { addEditedFilms(of: folder, renditions) }
    }
  }

  private mutating func addSilent(_ original: FilePath) {
    guard let name = original.lastComponent.map({ FileName($0) }) else { return }
    let stem = FileName(bytes: name.stem)
    silent[original.removingLastComponent(), default: [:]][stem, default: []].append(original)
  }

  private mutating func addEditedFilms(
    of folder: ScannedFolder, _ renditions: [FilePath: FilePath]
  ) {
    for film in folder.companions where film.kind == .film {
      guard let path = film.file.name.path(in: folder.path), sidecars[path] != nil,
        renditions[path] == nil
      else { continue }
      assets.append(Asset(path: path, file: film.file))
      for name in film.photos {
        guard let photo = name.path(in: folder.path), renditions[photo] == nil,
          let file = folder.files.first(where: { $0.name == name })
        else { continue }
        editedFilms[path] = editedFilms[path] ?? Asset(path: photo, file: file)
      }
    }
  }

  /// Adds the raw photos and JPEGs that are pairs among the photos of one folder.
  private mutating func addPairs(among photos: ArraySlice<Asset>) {
    let pairs = RawPairs.names(in: photos.map(\.file))
    if pairs.isEmpty { return }
    let paired = photos.filter { pairs.contains($0.file.name) }
    for shot in Dictionary(grouping: paired, by: { FileName(bytes: $0.file.name.stem).folded })
      .values
    {
      for photo in shot { shots[photo.path] = shot }
    }
  }

  /// Finds the orphans among `assets`, stores them in `orphans`, and removes them from `assets`;
  /// also removes renditions that an unreadable sidecar may record.
  ///
  /// `library` contains the folders that were read.
  mutating func findOrphans(
    _ search: OrphanSearch, in library: [ScannedFolder], of root: OutputRoot
  ) {
    let found = root.isMirror ? librarySidecars : sidecars
    let renditions = root.isMirror ? Self.claims(of: librarySidecars) : claims
    let ground = OrphanSearch.Ground(
      folders: Dictionary(library.map { ($0.path, $0) }) { first, _ in first }, sidecars: found,
      claims: renditions)
    let unrecorded = search.orphans(among: assets, on: ground)
    // A rendition that an unreadable sidecar may record is not treated as an orphan until that
    // sidecar can be read. A file recognized only by its path stays a photo until then; runs report
    // it and do not edit it.
    for orphan in unrecorded {
      let beside =
        orphan.hasSidecar ? [] : silentPhotos(beside: orphan.asset, \.possibleStems)
      uncertain[orphan.path] = ([orphan.original].compactMap(\.self) + beside).first {
        found[$0]?.isUsable == false
      }
    }
    orphans = unrecorded.filter { uncertain[$0.path] == nil }
    let paths = Set(
      unrecorded.filter { $0.evidence.isInBytes || uncertain[$0.path] == nil }.map(\.path))
    if paths.isEmpty { return }
    assets.removeAll { paths.contains($0.path) }
    // A rendition beside a raw photo is not the JPEG that the camera wrote.
    let folders = Set(paths.filter { shots[$0] != nil }.map { $0.removingLastComponent() })
    if folders.isEmpty { return }
    shots = shots.filter { !folders.contains($0.key.removingLastComponent()) }
    let beside = assets.filter { folders.contains($0.path.removingLastComponent()) }
    for photos in Dictionary(grouping: beside, by: { $0.path.removingLastComponent() }).values {
      addPairs(among: photos[...])
    }
  }

  /// True if a photo's new rendition may replace an orphan: phbatch made the file from this photo,
  /// and `repair` renamed the damaged sidecar that recorded it.
  func isReplaceable(_ orphan: Orphan, by asset: Asset) -> Bool {
    orphan.evidence == .digest && !orphan.hasSidecar && repaired.contains(asset.path)
      && (orphan.original ?? asset.path) == asset.path
  }

  /// The photos that are rendered instead of this one if the recipe's conditions select them; empty
  /// if this photo is rendered.
  ///
  /// Only one photo is rendered if a camera has written both a raw photo and a JPEG, unless the
  /// paths that the recipe selects leave the other one out. `family` is the format family of this
  /// photo.
  func partners(
    of asset: Asset, _ family: InputFormat.Family, _ inputs: InputSettings, _ selection: Selection
  ) -> [Asset] {
    // The other file of the pair is left alone only if this one is what its name says.
    guard let shot = shots[asset.path], asset.file.claim.family == family else { return [] }
    switch (inputs.rawAndJPEG, family) {
    case (.jpeg, .raw), (.raw, .photo):
      return shot.filter {
        $0.file.claim.family != family && selection.matches(path: $0.path.bytes)
      }
    default: return []
    }
  }

  /// True if a camera wrote the photo and another one as two files of one shot.
  func isPaired(_ asset: Asset) -> Bool { shots[asset.path] != nil }

  /// The other files of a shot that a camera wrote as several files; empty for other photos.
  func otherFiles(ofShot asset: Asset) -> [Asset] {
    shots[asset.path, default: []].filter { $0.path != asset.path }
  }

  /// The orphan with a path; nil if there is none.
  func orphan(at path: FilePath) -> Orphan? { orphans.first { $0.path == path } }

  /// The sidecar of a photo and the identity of the sidecar's file; nil if there is no sidecar.
  ///
  /// - Throws: `PhotoFailure` if the sidecar cannot be used.
  func usableSidecar(of asset: Asset) throws(PhotoFailure) -> (Sidecar, FileIdentity)? {
    switch sidecars[asset.path] {
    case nil: return nil
    case .usable(let sidecar, let identity): return (sidecar, identity)
    case .unusable(let reason, let error):
      throw PhotoFailure(reason, error.message, hint: error.hint)
    }
  }

  /// The originals that have sidecars in the output root but are missing in the library, sorted.
  func missingOriginals(of root: OutputRoot) -> [FilePath] {
    let photos = Set(assets.map(\.path))
    // If an original cannot be checked, it may exist, and is not reported as missing.
    return sidecars.keys
      .filter { !photos.contains($0) && root.library.has($0) == false }
      .sorted { $0.string < $1.string }
  }

  /// The files of other programs beside a photo.
  func foreignFiles(of asset: Asset, _ library: RealFileSystem) -> [ForeignFile] {
    guard let folder = companioned[asset.path.removingLastComponent()] else { return [] }
    return ForeignFile.find(for: asset.file.name, in: folder, files: library)
  }

  /// The films beside a photo that have its name, as that of a Live Photo.
  func films(beside asset: Asset) -> [FilePath] {
    guard let folder = companioned[asset.path.removingLastComponent()] else { return [] }
    return folder.companions(of: asset.file.name).films.compactMap { $0.path(in: folder.path) }
  }

  /// The focal point in a photo's sidecar in the library, if the output root is separate; nil
  /// otherwise.
  func libraryFocalPoint(of asset: Asset) -> Sidecar.FocalPoint? {
    librarySidecars[asset.path]?.sidecar?.focalPoint
  }

  /// The paths of the photos, without files that may be renditions of a photo whose sidecar cannot
  /// be used; no rendition may replace them.
  var originals: [FilePath] {
    assets.filter { possibleOriginal(of: $0) == nil }.map(\.path)
  }

  /// The photo with an unusable sidecar of which a file may be a rendition, judged by the file's
  /// name; nil if there is none.
  func possibleOriginal(of asset: Asset) -> FilePath? {
    if sidecars[asset.path] != nil { return nil }
    return uncertain[asset.path]
      ?? silentPhotos(beside: asset, \.dottedStems).min { $0.string < $1.string }
  }

  /// The photos with unusable sidecars in the folder of a file whose names have one of the stems.
  private func silentPhotos(
    beside asset: Asset, _ stems: (FileName) -> [FileName]
  ) -> [FilePath] {
    guard let beside = silent[asset.path.removingLastComponent()] else { return [] }
    return stems(asset.file.name).flatMap { beside[$0] ?? [] }.filter { $0 != asset.path }
  }

  private static func claims(of sidecars: [FilePath: FoundSidecar]) -> [FilePath: FilePath] {
    let usable = sidecars.compactMap { original, found in
      found.sidecar.map { (order: original.string, original: original, sidecar: $0) }
    }
    // If two sidecars record the same path, the first in the order of paths owns it, so that all
    // runs give the same result.
    let claimed = usable.sorted { $0.order < $1.order }.mappedOnAllCores { entry in
      (original: entry.original, paths: entry.sidecar.claimedPaths(for: entry.original))
    }
    var claims: [FilePath: FilePath] = [:]
    for (original, paths) in claimed {
      for path in paths where claims[path] == nil { claims[path] = original }
    }
    return claims
  }

  /// True if the content of a file is a photo; for files without a known extension.
  private func holdsPhoto(_ asset: Asset, _ files: RealFileSystem) -> Bool {
    guard let file = try? files.open(asset.path),
      let kind = try? FileKind(of: file, named: asset.file.name, in: files)
    else { return false }
    return kind != .notPhoto
  }
}

extension Asset {
  /// The kind of a file of a pair, for messages.
  var pairedKind: String { file.claim.family == .raw ? "raw photo" : "JPEG" }
}

extension FileName {
  func path(in folder: FilePath) -> FilePath? { component.map { folder.appending($0) } }

  /// The parts of the name that end before a dot: `a` and `a.web` for `a.web.jpg`.
  fileprivate var dottedStems: [FileName] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }.map { FileName(bytes: bytes[..<$0]) }
  }
}

extension Sidecar {
  /// The paths of the renditions that the sidecar of an original records.
  fileprivate func claimedPaths(for original: FilePath) -> [FilePath] {
    let made = adjustments.flatMap { adjustment in
      adjustment.renditions.compactMap {
        adjustment.path(of: $0, original: original, self.original)
      }
    }
    let kept = kept.compactMap { $0.path(of: original, self.original) }
    return (made + kept).filter { $0 != original }
  }
}

extension Sidecar {
  /// The original of a damaged sidecar that `repair` renamed; nil for other files.
  ///
  /// While the renamed sidecar exists, files that may be renditions of its original are not treated
  /// as photos unless they have sidecars of their own.
  fileprivate static func original(ofDamaged name: FileName, in folder: FilePath) -> FilePath? {
    guard let mark = name.bytes.lastIndex(of: UInt8(ascii: ".")),
      name.bytes[mark...].starts(with: ".damaged".utf8),
      name.bytes[..<mark].suffix(Sidecar.suffix.utf8.count).elementsEqual(Sidecar.suffix.utf8)
    else { return nil }
    let original = name.bytes[..<mark].dropLast(Sidecar.suffix.utf8.count)
    return FileName(bytes: original).path(in: folder)
  }
}
