import Foundation
import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage
import TestSupport

@testable import PhotoBatch

/// A command that reads sidecars; it runs in this process.
enum EditingCommand: String, CaseIterable {
  case run, runWithEveryLeave, status, history, verify, preview, adjust, revert, undo, relink
  case repair

  /// The reasons that the command reports for a photo.
  func reasons(for photo: String, in place: Library) async throws -> [Reason] {
    let library = place.folder["photos"]
    let path = library.appending(photo)
    let outcomes = Outcomes()
    let observe: @Sendable (RunEvent) -> Void = { event in
      if case .finished(let outcome) = event { outcomes.add(outcome) }
    }
    let editing = LibraryEditor(Self.options)
    do {
      switch self {
      case .run: return Self.reasons(try await place.run(Self.options), photo)
      case .runWithEveryLeave: return Self.reasons(try await place.run(Self.boldOptions), photo)
      case .status:
        return try await LibraryStatus.read(library, recipe: nil)
          .filter { $0.path.string == photo }.flatMap(\.reasons)
      case .history:
        return try PhotoHistory.read([path]).compactMap(\.problem?.reason)
      case .verify:
        return try await Verification.read(library).findings
          .filter { $0.path == Sidecar.path(of: FilePath(photo)) }
          .compactMap { Reason(rawValue: $0.kind.rawValue) }
      case .preview:
        let document = try RecipeDocument(contentsOf: place.folder["recipe.json"])
        let previews = try NamedPreviews(document, [path], edge: 100, options: Self.options)
        return try await previews.report().photos.map(\.outcome.reason)
      case .adjust:
        var change = AdjustmentChange()
        change.variant = "web"
        change.assignments = [try Assignment(argument: "exposure.stops=1")]
        _ = try await editing.adjust([path], change, observe)
      case .revert:
        _ = try await editing.revert([path], variant: "web", isWhole: true, observe)
      case .undo: _ = try await editing.undo([library], observe)
      case .relink: _ = try await editing.relink(library, observe)
      case .repair: _ = try await editing.repair([path], observe)
      }
    } catch is any UserError {
      // If there is nothing to undo, or the photo does not exist, the command throws an error and
      // changes nothing.
    }
    return Self.reasons(outcomes.all, photo)
  }

  private static func reasons(_ outcomes: [AssetOutcome], _ photo: String) -> [Reason] {
    outcomes.filter { $0.path.string == photo }.map(\.reason)
  }

  private static var options: BatchOptions {
    var options = BatchOptions()
    options.jobs = 1
    options.workerExecutable = Command.executable
    return options
  }

  /// The options of a run, with every option set that allows more changes than by default.
  private static var boldOptions: BatchOptions {
    var options = options
    options.previous = .replace
    options.onModified = .overwrite
    options.onForeign = .replace
    options.acceptsChanged = true
    options.redoes = true
    options.mayDiscard = true
    return options
  }
}

extension Library {
  /// The bytes of all files except those of `.phbatch/`; nil for a file of more than 16 MiB.
  func contents() throws -> [String: [UInt8]?] {
    let names = try folder.files().filter { !$0.contains("/.phbatch/") }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let size = try FileManager.default.attributesOfItem(atPath: folder[name].string)[.size]
        let isLarge = (size as? Int ?? 0) > 16 << 20
        return (name, isLarge ? nil : try folder.read(name))
      })
  }
}
