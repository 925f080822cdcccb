extension Recipe {
  /// True if a rendition gets the photo's film.
  ///
  /// By default, a rendition gets the film if it is the current rendition, in full size and without
  /// a limit of its file size, if its format can store films, and if it keeps the photo's metadata. Renditions for HDR
  /// displays get none.
  public func keepsFilm(_ output: Output) -> Bool {
    guard type(of: output.format).holdsFilm, output.hdr == nil else { return false }
    if let live = output.live { return live == .keep }
    let isOnly = outputs.filter { type(of: $0.format).isPhoto }.count == 1
    let resizes = (steps + output.steps).contains { $0.filter is ResizeFilter && !$0.isIdentity }
    return (output.isCurrent || isOnly) && !resizes && output.budget.maxBytes == nil
      && [.all, .archive].contains(output.metadata.preset)
  }
}
