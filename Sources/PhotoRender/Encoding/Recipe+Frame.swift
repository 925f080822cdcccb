public import PhotoRecipes

extension Recipe {
  /// True if an output shows the same part of the upright photo in the same position, at any size.
  public func keepsFrame(_ output: Output) -> Bool {
    (steps + output.steps).allSatisfy(\.showsWholeFrame)
  }
}

extension Step {
  /// True if the step shows the same part of the photo in the same position, at any size.
  var showsWholeFrame: Bool {
    if let resize = filter as? ResizeFilter { return resize.fit != .cover }
    return filter.keepsFrame
  }
}
