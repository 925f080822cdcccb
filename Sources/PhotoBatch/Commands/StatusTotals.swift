import PhotoLibrary

extension [PhotoStatus] {
  /// The number of photos in each state: `3 photos: 1 due, 2 up-to-date`.
  ///
  /// With a recipe, the states are the planned outcomes; otherwise the worst state of the photo's
  /// edits.
  public var totals: String {
    var counts: [String: Int] = [:]
    for photo in self { counts[photo.state, default: 0] += 1 }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let photos = self.count { $0.problem?.reason.isOfPresentPhoto ?? true }
    return "\(photos) \(photos == 1 ? "photo" : "photos"): "
      + parts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}

extension PhotoStatus {
  fileprivate var state: String {
    if let decision { return decision.isDue ? "due" : decision.reason.rawValue }
    if let problem { return problem.reason.rawValue }
    let states = stacks.flatMap(\.adjustments).map(\.state)
    if states.isEmpty { return "without edits" }
    if states.contains(.modified) { return "changed by hand" }
    if states.contains(.fileMissing) { return "with missing renditions" }
    if states.contains(.superseded) { return "with superseded renditions" }
    return states.first { $0 != .upToDate }?.rawValue ?? "as written"
  }
}
