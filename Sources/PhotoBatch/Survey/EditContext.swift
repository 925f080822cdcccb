import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The values that all edits of one run over a library share.
struct EditContext: Sendable {
  let root: OutputRoot
  var options: BatchOptions
  var contents: LibraryContents
  /// The paths of the files that recorded recipes name, by digest.
  let registry: FileRegistry
  let publisher: Publisher<RealFileSystem>
  let ledger: PathLedger
  let failures: FailureCache
  /// The digests that earlier runs recorded, so that unchanged files need not be hashed again.
  let digests: KnownDigests
  let films: PairedFilms
  /// True if the program that renders films is installed.
  let rendersFilms: Bool
  /// The digest of the installed programs and libraries.
  let installation: String
  /// The date of new records: ISO 8601, UTC.
  let date: String
  /// Reports events while a photo is rendered.
  var report: @Sendable (RunEvent) -> Void = { _ in }

  /// The focal point of a photo: from its sidecar in the output root, otherwise from its sidecar in
  /// the library; nil if neither contains one.
  func focalPoint(of asset: Asset) -> Sidecar.FocalPoint? {
    contents.sidecars[asset.path]?.sidecar?.focalPoint ?? contents.libraryFocalPoint(of: asset)
  }

  /// The film of a Live Photo in the library.
  func film(of asset: Asset) throws(PhotoFailure) -> PairedFilms.Found {
    try PhotoFailure.attempt {
      try films.film(of: asset, companions: contents.films(beside: asset))
    }
  }

  /// Throws if a photo's file has changed since the scan.
  func checkUnchanged(_ asset: Asset) throws(PublishingError) {
    let found: FileStatus?
    do throws(FileSystemError) { found = try root.library.status(at: asset.path) } catch {
      throw .failed(error)
    }
    guard let found else {
      throw .failed(FileSystemError(.describe, asset.path, .noSuchFileOrDirectory))
    }
    if found.identity != asset.file.status.identity { throw .sourceChanged(asset.path) }
  }

  /// Removes staged files; a later run removes files that cannot be removed now.
  func discard(_ staged: [StagedFile<OpenFile>]) {
    for file in staged { try? publisher.discard(file) }
  }
}
