import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Undoes the changes that one command made to a group of files.
struct FileRestoration {
  let context: EditContext
  let change: TrashedRun.PhotoChange
  /// The folder in which new files are staged until they are published.
  let folder: FilePath

  /// Restores files that belong to no photo, such as files that `prune` moved to the trash.
  func prepare() throws(PhotoFailure) -> PreparedEdit {
    var staged: [StagedFile<OpenFile>] = []
    do throws(PhotoFailure) {
      try check()
      var group = PublicationGroup<OpenFile>(renditions: [])
      for file in change.renditions + change.sidecars {
        if let publication = try publication(of: file, [:], &staged) {
          group.renditions.append(publication)
        }
      }
      let outcome = AssetOutcome(
        change.place ?? "", change.isRemoval ? .restored : .reverted, "the last change is undone")
      return PreparedEdit(group: group, outcome: outcome)
    } catch {
      context.discard(staged)
      throw error
    }
  }

  /// Throws if a file was changed after the command that is being undone, or a sidecar removed; a
  /// missing rendition is not an error.
  func check() throws(PhotoFailure) {
    let files = context.root.files
    for file in change.renditions + change.sidecars {
      let found = try PhotoFailure.attempt { try files.status(at: file.path) }
      let name = file.path.displayed
      guard found != nil else {
        if file.after == nil || Sidecar.original(of: file.path) == nil { continue }
        throw PhotoFailure(.modified, "'\(name)' was removed after the command")
      }
      let digest = try PhotoFailure.attempt { try Digest(of: files.open(file.path), in: files) }
      if digest != file.after {
        throw PhotoFailure(.modified, "'\(name)' was changed after the command")
      }
    }
  }

  /// The publication that restores one file's previous state; nil if nothing needs to be done.
  ///
  /// The file at the path is moved to the trash, so that the undo itself can be undone; rendering
  /// that file again may be impossible.
  func publication(
    of file: TrashedRun.FileChange, _ made: [FilePath: FinishedRendition],
    _ staged: inout [StagedFile<OpenFile>]
  ) throws(PhotoFailure) -> Publication<OpenFile>? {
    let isThere = try PhotoFailure.attempt { try context.root.files.status(at: file.path) != nil }
    let expected = (isThere ? file.after : nil).map(ExpectedFile.digest) ?? .absent
    switch file.before {
    case .absent:
      if !isThere { return nil }
      return Publication(file.path, nil, expected: expected, keepsDisplaced: true)
    case .removed(let digest):
      if let rendition = made[file.path] {
        return Publication(
          file.path, rendition.staged, expected: expected, keepsDisplaced: true,
          digest: rendition.digest)
      }
      guard let moved = change.renditions.first(where: { $0.after == digest }) else {
        throw PhotoFailure(
          .baseMissing, "'\(file.path.displayed)' cannot be rendered again", hint: "run its recipe")
      }
      let copy = try copied(moved.path)
      staged.append(copy)
      return Publication(file.path, copy, expected: expected, keepsDisplaced: true, digest: digest)
    case .kept(let path, let digest):
      let copy = try copied(path)
      staged.append(copy)
      return Publication(
        file.path, copy, expected: expected, keepsDisplaced: true, digest: digest)
    }
  }

  private func copied(_ path: FilePath) throws(PhotoFailure) -> StagedFile<OpenFile> {
    let files = context.root.files
    return try PhotoFailure.attempt {
      let file = try files.open(path)
      let staged = try context.publisher.stage(in: folder)
      try files.copy(file, to: staged.file)
      return staged
    }
  }
}
