import PhotoLibrary
public import PhotoRecipes
import PhotoRender
import SystemPackage

/// What every photo of a run needs, and none changes.
struct BatchContext: Sendable {
  let edit: EditContext
  let document: RecipeDocument
  /// The recipe without any photo's own settings.
  let recipe: Recipe
  let files: NamedFiles
  /// The settings digest of that recipe: most photos have no settings of their own.
  private let settings: String

  init(edit: EditContext, document: RecipeDocument, recipe: Recipe, files: NamedFiles) {
    self.edit = edit
    self.document = document
    self.recipe = recipe
    self.files = files
    settings = Self.settingsDigest(of: recipe, files, focal: nil)
  }

  var root: OutputRoot { edit.root }
  var options: BatchOptions { edit.options }
  var contents: LibraryContents { edit.contents }

  /// The settings digest of a photo's recipe, with the photo's focal point where a step goes by it.
  func settingsDigest(
    of recipe: Recipe, isPersonal: Bool, focal: Sidecar.FocalPoint?
  ) -> String {
    guard isPersonal || (focal != nil && recipe.usesFocalPoint) else { return settings }
    return Self.settingsDigest(of: recipe, files, focal: focal)
  }

  /// The settings digest of SPEC's section 4: what decides how renditions look.
  private static func settingsDigest(
    of recipe: Recipe, _ files: NamedFiles, focal: Sidecar.FocalPoint?
  ) -> String {
    var fingerprint = recipe.fingerprint(files: files.digests).object ?? JSON.Object()
    if recipe.usesFocalPoint {
      fingerprint["focalPoint"] = focal.map { .array([.number($0.x), .number($0.y)]) }
    }
    return "\(Digest(of: JSON.object(fingerprint).compactText.utf8))"
  }
}

extension RecipeDocument {
  /// Looks whether every file that the recipe names can be read and is what it should be, and whether
  /// its texts can be drawn.
  ///
  /// - Parameters:
  ///   - recipe: The recipe, its values filled in.
  ///   - options: How large images may be, and how much time and memory looking may take.
  /// - Throws: `InvalidDocument` with all that is wrong; `UncheckedRecipe` where no worker can look.
  public func checkFiles(
    of recipe: Recipe, options: BatchOptions = BatchOptions()
  ) async throws {
    _ = try await Lane(alone: options, needsFonts: recipe.needsFonts).open(recipe, self, options)
  }
}

/// The files that a recipe names, open for the whole run.
struct NamedFiles: Sendable {
  struct Entry: Sendable {
    let file: OpenFile
    let sha256: String
    /// Absolute.
    let location: FilePath
  }

  let entries: [String: Entry]

  /// Opens and hashes every file that the recipe names; blocks until a worker has looked at them.
  ///
  /// - Parameters:
  ///   - recipe: The recipe, its values filled in.
  ///   - document: What it was read from.
  ///   - options: How large images may be, and how much time looking at each may take.
  ///   - worker: Looks at them.
  /// - Throws: `InvalidDocument` with all that are missing, programs too, with the places that name
  ///   them, and the first flaw of each table; else with all that no photo could be rendered with,
  ///   fonts and markup too. `UncheckedRecipe` where no worker can look; `CancellationError` when the
  ///   worker was stopped.
  init(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions,
    asking worker: WorkerProcess
  ) throws {
    var entries: [String: Entry] = [:]
    var diagnostics = Diagnostics()
    let lookups = recipe.graph.lookups
    for named in recipe.namedFiles {
      let place = document.location(of: named)
      do {
        let path = try FilePath(named.location).canonical()
        guard let name = path.lastComponent else {
          throw FileSystemError(.open, path, .isDirectory)
        }
        let files = try RealFileSystem(root: path.removingLastComponent())
        let file = try files.open(FilePath(root: nil, [name]))
        if lookups.contains(named) {
          let bytes = try files.read(file, at: 0, count: LookupFile.longest + 1)
          try LookupFile(name: named.location, bytes: bytes).check()
        }
        entries[named.path] = Entry(
          file: file, sha256: "\(try Digest(of: file, in: files))",
          location: path)
      } catch let error as InvalidDocument {
        diagnostics.append(error)
      } catch let error as FileSystemError where error.errno == .noSuchFileOrDirectory {
        diagnostics.add(.missingFile(named.path), at: .root, place)
      } catch {
        let reason = (error as? FileSystemError)?.errno.description ?? "\(error)"
        diagnostics.add(.unreadableFile(named.path, reason: reason), at: .root, place)
      }
    }
    for (_, step) in recipe.externalSteps {
      guard let problem = ProgramSearch.problem(of: step.program) else { continue }
      let place = document.location(of: step.program, under: "command")
      diagnostics.add(problem, at: .root, place)
    }
    if let problem = Sidecar.problem(of: recipe) {
      diagnostics.add(problem, at: .root, document.placeOfMostSteps)
    }
    try diagnostics.check()
    self.entries = entries
    let check = RecipeCheck(
      recipe: recipe, files: entries.mapValues(\.file), options: options, worker: worker)
    for flaw in try check.flaws() {
      diagnostics.add(flaw.problem, at: .root, document.location(of: flaw.text, under: flaw.key))
    }
    try diagnostics.check()
  }

  /// The digests by path, for the settings digest.
  var digests: [String: String] { entries.mapValues(\.sha256) }
}
