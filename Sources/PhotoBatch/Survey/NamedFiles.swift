import Notation
import PhotoLibrary
public import PhotoRecipes
import SystemPackage

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

extension Crew {
  /// Opens the files that a recipe names; a worker that looks at them renders photos later.
  ///
  /// Cancelling the task stops the crew.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with them, and with the texts that are drawn;
  ///   `UncheckedRecipe`; `CancellationError`.
  func open(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> NamedFiles {
    try await withTaskCancellationHandler {
      try await lanes[0].open(recipe, document, options)
    } onCancel: {
      stop()
    }
  }

  /// The same while the calling thread waits, and nothing is rendered.
  ///
  /// After a recipe that is invalid the worker is not kept: there may be no photos for it.
  func openNow(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) throws -> NamedFiles {
    let lane = lanes[0]
    return try lane.runNow {
      do { return try NamedFiles(recipe, document, options, asking: lane.worker) } catch {
        lane.worker.rest()
        throw error
      }
    }
  }
}

extension Lane {
  /// Opens the files that a recipe names, and lets the worker look at them.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with them, and with the texts that are drawn;
  ///   `UncheckedRecipe`; `CancellationError` when the worker was stopped.
  func open(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> NamedFiles {
    let opened = await run {
      Result { try NamedFiles(recipe, document, options, asking: worker) }
    }
    return try opened.get()
  }
}
