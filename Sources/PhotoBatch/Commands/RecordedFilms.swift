import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The films of Live Photos from which the adjustments of a library were rendered.
struct RecordedFilms: Sendable {
  /// A film to compare with its record, or the finding that it is missing.
  enum Film {
    case file(RecordedFile)
    case missing(Finding)
  }

  private let films: PairedFilms
  private let contents: LibraryContents
  private let root: OutputRoot
  private let assets: [FilePath: Asset]

  init(_ contents: LibraryContents, _ root: OutputRoot) {
    (self.contents, self.root) = (contents, root)
    films = PairedFilms(in: root.library, among: contents.assets, contents.editedFilms)
    assets = Dictionary(contents.assets.map { ($0.path, $0) }) { first, _ in first }
  }

  /// True if a file is the film of a Live Photo with another name.
  func isPart(_ asset: Asset) -> Bool { (try? films.photo(of: asset)) ?? nil != nil }

  /// The films from which the adjustments of a photo were rendered; none if the photo itself is
  /// missing.
  ///
  /// If several adjustments edit one film, the record of the one that was rendered last counts.
  func films(of original: FilePath, _ sidecar: Sidecar) -> [Film] {
    let recorded = sidecar.adjustments.filter { $0.files[PairedFilm.source] != nil }
    guard !recorded.isEmpty, let asset = assets[original] else { return [] }
    let library = root.isMirror ? contents.librarySidecars[original]?.sidecar : nil
    let all = (library?.adjustments ?? []) + sidecar.adjustments
    var newest: [(image: ForeignRecord?, adjustment: Adjustment)] = []
    for adjustment in recorded.sorted(by: { $0.date > $1.date }) {
      let image = all.image(under: adjustment.base)
      // The film beside an adopted rendition is a rendition.
      if image?.kind == ForeignRecord.adopted { continue }
      if newest.contains(where: { $0.image?.current?.file == image?.current?.file }) { continue }
      newest.append((image, adjustment))
    }
    return newest.compactMap { image, adjustment in
      adjustment.files[PairedFilm.source].flatMap { film(of: asset, beside: image, $0) }
    }
  }

  /// The film of a photo or of another program's image; nil if that image is missing.
  private func film(of asset: Asset, beside image: ForeignRecord?, _ recorded: String) -> Film? {
    let found: PairedFilms.Found
    do throws(FileSystemError) {
      if let path = image?.current?.file.path(besides: asset.path) {
        if try root.library.status(at: path) == nil { return nil }
        found = try films.film(beside: path)
      } else {
        found = try films.film(of: asset, companions: contents.films(beside: asset))
      }
    } catch {
      return .missing(Finding(asset.path, .unreadable, error.message))
    }
    switch found {
    case .film(let path), .other(let path):
      return .file(
        RecordedFile(role: .film, path: path, files: root.library, bytes: nil, sha256: recorded))
    case .none:
      let owner = image?.current.map { "the film of '\($0.file.displayed)'" }
      return .missing(
        Finding(asset.path, .originalMissing, "\(owner ?? PairedFilm.source) is missing"))
    }
  }

  /// The problem if a film of a photo is missing, or not the recorded one; else nil.
  func problem(
    of original: FilePath, _ sidecar: Sidecar, _ digests: KnownDigests
  ) -> (reason: Reason, detail: String)? {
    films(of: original, sidecar).lazy.compactMap { problem(of: $0, digests) }.first
  }

  private func problem(
    of film: Film, _ digests: KnownDigests
  ) -> (reason: Reason, detail: String)? {
    switch film {
    case .missing(let finding):
      return (
        finding.kind == .unreadable ? .unreadable : .baseMissing, finding.detail ?? ""
      )
    case .file(let file):
      do throws(PhotoFailure) {
        let digest = try PhotoFailure.attempt {
          try digests.digest(at: file.path, .library, in: root.library)
        }
        if "\(digest)" == file.sha256 { return nil }
        return (.originalChanged, "the film '\(file.path.displayed)' is not the recorded file")
      } catch { return (error.reason, error.detail ?? "") }
    }
  }
}
