import PhotoLibrary
import SystemPackage

/// The files of a git work tree that changed since a revision.
///
/// Added, renamed, removed and untracked files count as changed, ignored files do not.
struct RevisionChanges: Sendable {
  /// The root of the work tree: absolute, without symbolic links.
  private let top: FilePath
  /// The library's path relative to the root of the work tree.
  private let library: FilePath
  private let changed: Set<FilePath>

  /// Lists the changed files by means of git.
  ///
  /// If the library's branch and the revision have diverged, the list contains the changes since
  /// their merge base, if git finds one.
  ///
  /// - Parameters:
  ///   - revision: A branch, tag or commit.
  ///   - library: The library, a folder of a work tree.
  ///   - others: Absolute paths of other files; files that are in that work tree but not tracked
  ///     count as changed.
  /// - Throws: `MissingInput` if git, the work tree or the revision is missing.
  init(since revision: String, in library: RealFileSystem, others: [FilePath]) async throws {
    let git = Git(in: library.root)
    let found = try await git.run("rev-parse", "--show-toplevel")
    guard found.code == 0, let top = FilePath(bytes: found.line), top.isAbsolute else {
      throw MissingInput(
        "'\(library.path.displayed)' is not in a git work tree: \(found.complaint)",
        hint: "run without --since, or list the photos with --files-from")
    }
    self.top = top
    let prefix = try await git.run("rev-parse", "--show-prefix")
    self.library = FilePath(bytes: prefix.line) ?? ""
    let commit = try await git.run(
      "rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}")
    guard commit.code == 0 else {
      throw MissingInput(
        "git does not know the revision '\(revision)' in this work tree",
        hint: "fetch it first; a shallow clone, as in CI, contains only the newest commits")
    }
    let parting = try await git.run("merge-base", "HEAD", commit.text)
    let start = parting.code == 0 ? parting.text : commit.text
    let edited = try await git.run(
      "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
      "--ignore-submodules", start, "--")
    guard edited.code == 0 else {
      throw MissingInput(
        "git cannot list the changes since '\(revision)': \(edited.complaint)",
        hint: "run 'git diff \(revision)'")
    }
    let untracked = try await git.run(
      "ls-files", "-z", "--others", "--exclude-standard", "--full-name")
    var changed = Set(edited.paths + untracked.paths)
    for path in others {
      guard let path = Self.relative(path, to: top) else { continue }
      let tracked = try await git.run("-C", top.string, "ls-files", "-z", "--", path.string)
      if tracked.code == 0 && tracked.output.isEmpty { changed.insert(path) }
    }
    self.changed = changed
  }

  /// The changed files below the library, by their paths relative to its root.
  var files: [FilePath] {
    changed.compactMap { Self.relative($0, to: library) }
  }

  /// True if the file at this path changed; `path` is absolute and contains no symbolic links.
  func contains(_ path: FilePath) -> Bool {
    Self.relative(path, to: top).map { changed.contains($0) } ?? false
  }

  private static func relative(_ path: FilePath, to folder: FilePath) -> FilePath? {
    var path = path
    if folder.isEmpty { return path }
    return path.removePrefix(folder) && !path.isEmpty ? path : nil
  }
}
