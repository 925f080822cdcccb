import Notation
import PhotoLibrary
public import PhotoRecipes
import SystemPackage

extension RecipeDocument {
  /// Checks that every file that the recipe names can be read and has the right content, and that
  /// its texts can be drawn.
  ///
  /// - Parameters:
  ///   - recipe: The recipe with all values filled in.
  ///   - options: The limits of images, and of time and memory for the checks.
  /// - Throws: `InvalidDocument` with all errors; `UncheckedRecipe` if no worker could check them.
  public func checkFiles(
    of recipe: Recipe, options: BatchOptions = BatchOptions()
  ) async throws {
    _ = try await WorkerThread(alone: options, needsFonts: recipe.needsFonts).open(
      recipe, self, options)
  }
}

/// The files that a recipe names, open for the whole run.
struct NamedFiles: Sendable {
  struct Entry: Sendable {
    let file: OpenFile
    let sha256: String
    /// The file's absolute path.
    let location: FilePath
  }

  let entries: [String: Entry]

  /// Opens and hashes every file that the recipe names; blocks until a worker has checked them.
  ///
  /// - Parameters:
  ///   - recipe: The recipe with all values filled in.
  ///   - document: The document that the recipe was read from.
  ///   - options: The limits of images, and of the time for each check.
  ///   - worker: The worker that checks the files.
  /// - Throws: `InvalidDocument` with all missing files and programs and the first error of each
  ///   lookup table, each with its place in the recipe. If there are no such errors,
  ///   `InvalidDocument` with all parts, fonts and markup because of which no photo could be
  ///   rendered. `UncheckedRecipe` if no worker could check the recipe; `CancellationError` if the
  ///   worker was stopped.
  init(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions,
    asking worker: WorkerProcess
  ) throws {
    var entries: [String: Entry] = [:]
    var diagnostics = Diagnostics()
    let lookups = recipe.graph.lookups
    for named in recipe.namedFiles {
      let place = document.location(of: named, options.assignments)
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
        let entry = Entry(
          file: file, sha256: "\(try Digest(of: file, in: files))",
          location: path)
        if let other = entries[named.path], other.sha256 != entry.sha256 {
          // Sidecars record only the path, so one path must not refer to two files.
          diagnostics.add(
            .contradiction(
              "'\(named.path)' is two files: '\(other.location.displayed)' and '\(path.displayed)'",
              remedy: "rename one of them, because a recipe and those it extends share their names"),
            at: .root, place)
        }
        entries[named.path] = entry
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

  /// The digests of the files by their paths in the recipe; the settings digest includes them.
  var digests: [String: String] { entries.mapValues(\.sha256) }
}

extension WorkerPool {
  /// Opens the files that a recipe names; the worker that checks them renders photos later.
  ///
  /// Cancelling the task stops the pool.
  ///
  /// - Throws: `InvalidDocument` with all errors of the files and of the drawn texts;
  ///   `UncheckedRecipe` if no worker could check them; `CancellationError` if the pool was
  ///   stopped.
  func open(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> NamedFiles {
    try await withTaskCancellationHandler {
      try await threads[0].open(recipe, document, options)
    } onCancel: {
      stop()
    }
  }

  /// Opens the files that a recipe names, and blocks the calling thread; called only while no photo
  /// is rendered.
  ///
  /// If the recipe is invalid, ends the worker, because there may be no photos for it.
  func openNow(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) throws -> NamedFiles {
    let thread = threads[0]
    return try thread.runNow {
      do { return try NamedFiles(recipe, document, options, asking: thread.worker) } catch {
        thread.worker.rest()
        throw error
      }
    }
  }
}

extension WorkerThread {
  /// Opens the files that a recipe names, and lets the worker check them.
  ///
  /// - Throws: `InvalidDocument` with all errors of the files and of the drawn texts;
  ///   `UncheckedRecipe` if no worker could check them; `CancellationError` if the worker was
  ///   stopped.
  func open(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> NamedFiles {
    let opened = await run {
      Result { try NamedFiles(recipe, document, options, asking: worker) }
    }
    return try opened.get()
  }
}
