extension Recipe {
  /// The steps that run an external program, in the order of the recipe.
  public var externalSteps: [(id: String, step: External)] {
    (steps + outputs.flatMap(\.steps)).filter { !$0.isIdentity }.compactMap { step in
      (step.filter as? ExternalFilter).map { (step.id, $0.step) }
    }
  }
}
