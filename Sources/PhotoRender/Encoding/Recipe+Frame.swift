public import PhotoRecipes

extension Recipe {
  /// True if an output shows the same part of the upright photo in the same position, at any size.
  public func keepsFrame(_ output: Output) -> Bool { output.keepsFrame(after: steps) }
}

extension Output {
  /// True if the output shows the same part of the upright photo in the same position, at any size;
  /// `steps` are those that all outputs share.
  func keepsFrame(after steps: [Step]) -> Bool {
    (steps + self.steps).allSatisfy(\.showsWholeFrame)
  }
}

extension Step {
  /// True if the step shows the same part of the photo in the same position, at any size.
  fileprivate var showsWholeFrame: Bool {
    if let resize = filter as? ResizeFilter { return resize.fit != .cover }
    return filter.keepsFrame
  }
}
