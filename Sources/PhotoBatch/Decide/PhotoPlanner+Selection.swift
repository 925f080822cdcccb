import Notation
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import SystemPackage

extension PhotoPlanner {
  /// Returns the first of the recipe's conditions that the photo does not meet; nil if it meets
  /// all.
  func unmetCondition(
    _ photo: OpenFile, _ format: InputFormat
  ) throws(PhotoFailure) -> Condition? {
    let selection = context.recipe.selection
    if selection.conditions.isEmpty { return nil }
    // The plans of other photos need the result, too.
    return try context.edit.ledger.unmetCondition(of: asset.path) { () throws(PhotoFailure) in
      try firstUnmet(selection, photo, format)
    }
  }

  /// Reads the facts about the photo that the selection needs, and returns the first condition that
  /// they do not meet.
  private func firstUnmet(
    _ selection: Selection, _ photo: OpenFile, _ format: InputFormat
  ) throws(PhotoFailure) -> Condition? {
    var facts = PhotoFacts(
      size: nil, bytes: Int(asset.file.status.identity.size), format: format.name,
      date: "\(CivilTime(nanoseconds: asset.file.status.identity.modified))")
    if selection.needsHeader {
      let reader = format.isFilm ? worker.films ?? worker : worker
      let renderer = JobRenderer(context: context.edit, asset: asset, worker: reader)
      guard let summary = try renderer.probe(photo, context.recipe.inputs) else { return nil }
      facts.size = summary.size
      facts.date = summary.captureDate ?? facts.date
      var beside = Metadata()
      // Facts about the camera are those of the photo's own file.
      beside.xmp = context.edit.xmp(beside: asset)?.describing
      facts.details = PhotoDetails(beside).merged(with: summary.details)
    }
    return selection.firstUnmet(by: facts)
  }

  /// The plan that leaves a file of a pair alone, because the recipe selects the other file; nil if
  /// this file may be rendered.
  ///
  /// `family` is the format family of this file.
  func planBesidePartners(_ family: InputFormat.Family) throws(PhotoFailure) -> PhotoPlan? {
    let recipe = context.recipe
    let partners = context.contents.partners(of: asset, family, recipe.inputs, recipe.selection)
    for partner in partners {
      let plan = leave(.notSelected, "the photo's \(partner.pairedKind) is rendered instead")
      do throws(PhotoFailure) {
        if try planner(of: partner).meetsConditions() { return plan.lasting }
      } catch {
        if error.isCancelled { throw error }
        // The partner reports the failure. A later run may be able to read it, and plans this file
        // again.
        return plan
      }
    }
    return nil
  }

  /// Looks up which of the photos that may write to this photo's paths the run renders.
  func lookUpRivals() throws(PhotoFailure) {
    for path in context.forms.paths.known(of: asset.path) {
      try context.edit.ledger.lookUpRivals(at: path, of: asset.path) {
        rival throws(PhotoFailure) in try planner(of: rival).isProbablyRendered()
      }
    }
  }

  /// True if the recipe selects the photo, judged by the file's name and by the recipe's conditions;
  /// also true if the photo cannot be read.
  private func isProbablyRendered() throws(PhotoFailure) -> Bool {
    do throws(PhotoFailure) {
      if let family = asset.file.claim.family, try planBesidePartners(family) != nil {
        return false
      }
      return try meetsConditions()
    } catch {
      if error.isCancelled { throw error }
      return true
    }
  }

  /// True if the photo meets the recipe's conditions, or if it is in no known format.
  private func meetsConditions() throws(PhotoFailure) -> Bool {
    if context.recipe.selection.conditions.isEmpty { return true }
    let library = context.root.library
    let photo = try PhotoFailure.attempt { try library.open(asset.path) }
    let kind = try PhotoFailure.attempt {
      try FileKind(of: photo, named: asset.file.name, in: library)
    }
    guard let format = kind.format else { return true }
    return try unmetCondition(photo, format) == nil
  }

  private func planner(of other: Asset) -> PhotoPlanner {
    PhotoPlanner(context: context, asset: other, worker: worker)
  }
}
