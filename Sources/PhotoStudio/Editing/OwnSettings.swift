import Notation
import PhotoRecipes

extension Moment {
  /// The different changes of photos' own settings: the settings now, and those before.
  func distinctOwn(
    since before: Moment
  ) -> [(now: JSON.Object, before: JSON.Object)] {
    var seen: Set<[JSON.Object]> = []
    return own.sorted { $0.key < $1.key }.compactMap { photo, now in
      let old = before.own[photo] ?? JSON.Object()
      return seen.insert([now, old]).inserted ? (now, old) : nil
    }
  }
}

extension RecipeDocument {
  /// The keys of own settings for which the recipe has no step and no parameter.
  func unused(
    _ own: JSON.Object, _ assignments: [Assignment]
  ) throws(Refusal) -> [String] {
    do throws(InvalidDocument) {
      return try recipe(overrides: own.assignments, assignments: assignments).unused.map(\.key)
    } catch {
      throw Refusal(422, error.message, hint: "")
    }
  }
}

extension JSON.Object {
  /// Own settings of a photo, as values that replace those of a recipe.
  var assignments: [Assignment] { members.map { Assignment(key: $0.key, value: $0.value) } }

  /// A photo's own settings after a change.
  func changed(by edit: Edit) throws(Refusal) -> JSON.Object {
    var own = self
    for operation in edit.operations {
      guard case .set(let key, _, let value) = operation else {
        throw Refusal(
          422, "steps belong to the recipe",
          hint: "switch to 'All photos' to add, remove or move a step")
      }
      own[key] = value
    }
    return own
  }
}
