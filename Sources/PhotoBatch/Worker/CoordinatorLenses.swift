import Notation
import PhotoRecipes
import PhotoRender

/// Finds lenses for a worker: sends a request to the coordinator, because a worker cannot read the
/// database.
struct CoordinatorLenses: LensFinder {
  let channel: Channel

  func lens(for facts: LensFacts) throws(RenderError) -> LensAnswer {
    let answer: JSON
    do throws(Channel.Failure) {
      try channel.send(WorkerReply.lens(facts).json)
      answer = try channel.receive().message
    } catch {
      throw .cancelled
    }
    if let profile = answer["profile"].flatMap({ LensProfile($0) }) { return .found(profile) }
    if let reason = answer["unknown"]?.string { return .unknown(reason) }
    throw .missingLensDatabase(answer["missing"]?.string ?? "")
  }
}

extension WorkOrder {
  /// The coordinator's answer to a worker's request for a lens, as JSON.
  ///
  /// A lens that was found in an earlier rendering of the same edit is used again, so that a change
  /// of the lens database does not change the result.
  func answer(to facts: LensFacts, from finder: any LensFinder) -> JSON {
    if let known = lenses.first(where: { $0.facts == facts }) {
      return .object(["profile": known.profile.json])
    }
    guard !recipe.graph.lensCorrections.isEmpty else {
      return .object(["missing": .string("the recipe corrects no lens")])
    }
    do throws(RenderError) {
      switch try finder.lens(for: facts) {
      case .found(let profile): return .object(["profile": profile.json])
      case .unknown(let reason): return .object(["unknown": .string(reason)])
      }
    } catch {
      guard case .missingLensDatabase(let reason) = error else {
        return .object(["missing": .string(error.message)])
      }
      return .object(["missing": .string(reason)])
    }
  }
}
