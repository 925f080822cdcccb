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
  private let library: RealFileSystem
  private let assets: [FilePath: Asset]

  init(_ contents: LibraryContents, _ root: OutputRoot) {
    (self.contents, library) = (contents, root.library)
    films = PairedFilms(in: root.library, among: contents.assets, contents.editedFilms)
    assets = Dictionary(contents.assets.map { ($0.path, $0) }) { first, _ in first }
  }

  /// The film of a photo; nil if no adjustment was rendered from one, or if the photo itself is
  /// missing.
  ///
  /// If several films are recorded, the film of the adjustment that was rendered last counts.
  func film(of original: FilePath, _ sidecar: Sidecar) -> Film? {
    let recorded = sidecar.adjustments.filter { $0.files[PairedFilm.source] != nil }
      .max { $0.date < $1.date }?.files[PairedFilm.source]
    guard let recorded, let asset = assets[original] else { return nil }
    let found: PairedFilms.Found
    do throws(FileSystemError) {
      found = try films.film(of: asset, companions: contents.films(beside: asset))
    } catch {
      return .missing(Finding(original, .unreadable, error.message))
    }
    switch found {
    case .film(let path), .other(let path):
      return .file(
        RecordedFile(role: .film, path: path, files: library, bytes: nil, sha256: recorded))
    case .none:
      return .missing(
        Finding(original, .originalMissing, "\(PairedFilm.source) is missing"))
    }
  }

  /// The problem if the film of a photo is missing, or not the recorded one; else nil.
  func problem(
    of original: FilePath, _ sidecar: Sidecar, _ digests: KnownDigests
  ) -> (reason: Reason, detail: String)? {
    switch film(of: original, sidecar) {
    case nil: return nil
    case .missing(let finding):
      return (
        finding.kind == .unreadable ? .unreadable : .baseMissing, finding.detail ?? ""
      )
    case .file(let file):
      do throws(PhotoFailure) {
        let digest = try PhotoFailure.attempt {
          try digests.digest(at: file.path, .library, in: library)
        }
        if "\(digest)" == file.sha256 { return nil }
        return (.originalChanged, "\(PairedFilm.source) is not the recorded file")
      } catch { return (error.reason, error.detail ?? "") }
    }
  }
}
