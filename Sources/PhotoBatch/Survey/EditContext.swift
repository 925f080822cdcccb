import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// What every edit of a library needs, and none changes.
struct EditContext: Sendable {
  let root: OutputRoot
  let options: BatchOptions
  let contents: LibraryContents
  /// Where the files lie that recorded recipes name.
  let registry: FileRegistry
  let publisher: Publisher<RealFileSystem>
  let ledger: PathLedger
  let failures: FailureCache
  /// What need not be read again.
  let digests: KnownDigests
  /// ISO 8601, UTC.
  let date: String

  /// Where the eye goes in a photo, if its sidecar, or the library's own, says so.
  func focalPoint(of asset: Asset) -> Sidecar.FocalPoint? {
    contents.sidecars[asset.path]?.sidecar?.focalPoint ?? contents.libraryFocalPoint(of: asset)
  }

  /// Looks whether a photo is still the one that the scan found.
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

  /// Removes staged files; what cannot be removed now is removed by a later run.
  func discard(_ staged: [StagedFile<OpenFile>]) {
    for file in staged { try? publisher.discard(file) }
  }
}
