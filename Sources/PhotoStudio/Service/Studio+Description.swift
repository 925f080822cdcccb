import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The descriptions of the recipe, the photos and the edit that the page requests.
extension Studio {
  /// The facts that do not change during the session, and the state of the edit.
  var description: JSON {
    let recipe = session.now.recipe
    var object = JSON.Object()
    object["version"] = .string(Engine.version)
    object["recipe"] = .string(session.options.recipe.lastComponent?.string ?? "")
    object["path"] = .string(session.options.recipe.string)
    object["name"] = .string("\(recipe.shortName) \(recipe.version)")
    object["library"] = .string(session.library.root.lastComponent?.string ?? "")
    object["total"] = .integer(session.library.count)
    object["readOnly"] = .bool(session.options.isReadOnly)
    object["filters"] = .array(
      Catalog.filters.filter { $0.name != "external" }.map { FilterDescription($0).json })
    object["unreadableDraft"] = session.unreadableDraft.map { draft in
      .object(["path": wholePath(draft.path), "renamed": .bool(draft.isRenamed)])
    }
    object["edit"] = editState
    return .object(object)
  }

  /// The first message to a page: what it has missed if its connection was lost for a while.
  var greeting: JSON {
    .object([
      "hello": .integer(1), "running": .bool(run.isRunning), "changed": editState,
    ])
  }

  /// The recipe's steps in the present state of the edit, the photos' changed settings, and the
  /// changes that can be undone or redone.
  var editState: JSON {
    // The revision is read first. If the edit changes meanwhile, the revision is too small, and a
    // later state, which pages receive after every change, replaces this one.
    let revision = session.revision
    let (now, labels, unsaved) = (session.now, session.labels, session.unsaved)
    let edges = WholeEdges(now.document)
    var object = JSON.Object()
    object["revision"] = .integer(revision)
    object["filters"] = WholeEdges.stated(now.document.tree["filters"] ?? .array([]))
    object["outputs"] = .array(
      (now.document.tree["outputs"]?.array ?? []).map { output in
        var entry = JSON.Object()
        entry["name"] = output["name"]
        entry["filters"] = WholeEdges.stated(output["filters"] ?? .array([]))
        return .object(entry)
      })
    object["usualOutput"] = now.recipe.outputs.first(where: \.isCurrent).map { .string($0.name) }
    object["ownSteps"] = .array(now.text.ownSteps.map(\.key).sorted().map(JSON.string))
    object["inherited"] = .array(now.inherited.map(\.key).sorted().map(JSON.string))
    object["parameters"] = .array(parameters(of: now.document, edges))
    object["resolved"] = resolved(now.recipe)
    object["fixed"] = .array(session.options.batch.assignments.map { .string($0.key) })
    object["undo"] = labels.undo.map(JSON.string)
    object["redo"] = labels.redo.map(JSON.string)
    object["own"] = session.touchedOwn(atMost: Self.mostOwn).map { own -> JSON in
      .object(
        JSON.Object(
          own.sorted { $0.key < $1.key }.map {
            JSON.Object.Member(PhotoID.text($0.key), .object(edges.stated($0.value)))
          }))
    }
    object["draft"] = session.foundDraft.map { description(of: $0) }
    object["problem"] = session.draftProblem.map(JSON.string)
    object["unsaved"] = .object([
      "recipe": .bool(unsaved.recipe), "photos": .integer(unsaved.photos),
    ])
    return .object(object)
  }

  private func description(of draft: Draft) -> JSON {
    var object = JSON.Object()
    object["date"] = .string(draft.date)
    object["recipe"] = .bool(draft.changesRecipe)
    object["photos"] = .integer(draft.own.count)
    object["outdated"] = .bool(session.isDraftOutdated)
    object["damage"] = draft.damage.map { damage in
      var object = JSON.Object()
      object["lines"] = .integer(damage.lines)
      object["lostUntil"] = damage.includesStart ? .string(damage.start) : nil
      object["copy"] = damage.copy.map(wholePath)
      return .object(object)
    }
    return .object(object)
  }

  /// The path of a file in the output root, from the file system's root.
  private func wholePath(_ path: FilePath) -> JSON {
    .string(session.library.outputRoot.files.path.pushing(path).string)
  }

  /// The number of photos whose changed settings are sent with each state; if there are more, a page
  /// asks for those of its photo.
  private static let mostOwn = 200

  /// The declarations of a recipe's parameters, each with its name and with its value for photos
  /// that have no own value.
  private func parameters(of document: RecipeDocument, _ edges: WholeEdges) -> [JSON] {
    let fixed = session.options.batch.assignments
    return (document.tree["parameters"]?.object?.members ?? []).map { member in
      var object = member.value.object ?? JSON.Object()
      let assigned = fixed.last { $0.key == member.key }?.value
      object["name"] = .string(member.key)
      object["value"] = assigned ?? object["default"]
      for key in ["default", "value", "choices"] {
        object[key] = object[key].map { edges.stated($0, of: member.key) }
      }
      // `--set` has the highest precedence, so a change in the page would have no effect.
      object["fixed"] = .bool(assigned != nil)
      return .object(object)
    }
  }

  /// The steps with the values of parameters, by the steps' names.
  private func resolved(_ recipe: Recipe) -> JSON {
    var object = JSON.Object()
    for step in recipe.steps { object[StepName(step.id).key] = step.json }
    for output in recipe.outputs {
      for step in output.steps { object[StepName(step.id, output: output.name).key] = step.json }
    }
    return .object(object)
  }

  /// The state of a photo's renditions: `done`, `stale`, `never`, `failed`, `unsupported` or `left`;
  /// nil if it is unknown.
  func state(of number: Int) -> String? {
    session.library.photos(from: number, atMost: 1).first.flatMap { state(of: $0) }
  }

  private func state(of photo: LiveLibrary.Photo) -> String? {
    states[photo.path.string].map { known in
      known.state != .due ? known.state.rawValue : photo.isRendered ? "stale" : "never"
    }
  }

  /// A part of the list of photos.
  func photos(_ start: Int, _ limit: Int) -> JSON {
    let shown = session.library.photos(from: start, atMost: limit)
    return .object([
      "total": .integer(session.library.count),
      "photos": .array(
        shown.enumerated().map { index, photo in
          let number = start + index
          var object = JSON.Object()
          object["id"] = .string(PhotoID.text(number))
          object["name"] = .string(photo.path.lastComponent?.string ?? "")
          object["path"] = .string(photo.path.string)
          object["own"] = .bool(photo.hasOwn)
          object["state"] = state(of: photo).map(JSON.string)
          object["detail"] = states[photo.path.string]?.detail.map(JSON.string)
          return .object(object)
        }),
    ])
  }

  /// One photo as its sidecar describes it now, with the image that its edit starts from, and the
  /// outcome that a run would have for it.
  func photo(_ number: Int) throws -> JSON {
    let path = session.library.path(number)
    _ = try follow(photo: number)
    var object = JSON.Object()
    object["id"] = .string(PhotoID.text(number))
    object["name"] = .string(path.lastComponent?.string ?? "")
    object["path"] = .string(path.string)
    let now = session.now
    object["own"] = .object(WholeEdges(now.document).stated(session.own(number, in: now)))
    do throws(LivePictureFailure) {
      let opened = try session.opened(number)
      object["base"] = opened.base.map(JSON.string)
      object["due"] = .bool(opened.outcome.isDue)
      object["reason"] = .string(opened.outcome.reason.rawValue)
      object["detail"] = opened.outcome.detail.map(JSON.string)
    } catch {
      object["problem"] = .object([
        "message": .string(error.message), "hint": .string(error.hint),
      ])
    }
    return .object(object)
  }

  /// The edits that the photo's sidecar records, as text, and the number of those that can be reverted.
  func history(_ number: Int) throws -> JSON {
    let (library, path) = (session.library, session.library.path(number))
    let read = try PhotoHistory.read([library.root.pushing(path)], in: library.outputRoot)
    let variant = session.now.recipe.variant
    let edits = read.map { $0.sidecar?.stack(variant).count ?? 0 }.reduce(0, +)
    return .object([
      "text": .string(read.map(\.text).joined(separator: "\n")), "edits": .integer(edits),
    ])
  }
}
