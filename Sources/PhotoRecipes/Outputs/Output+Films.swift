extension Output {
  /// True for an output that is rendered from a film, or from some of its frames; false for a photo
  /// output.
  public var isOfFilms: Bool { isFilm || frame != nil || preview != nil }

  /// True for an output that is a film.
  public var isFilm: Bool { type(of: format).isFilm }

  /// An output in which every setting has its default.
  ///
  /// A film keeps its colour space and its metadata, which a player needs to show it as it was
  /// recorded.
  package static func usual(_ name: String, _ format: any OutputFormat) -> Output {
    var output = Output(name: name, format: format)
    if output.isOfFilms { (output.profile, output.metadata) = (.preserve, .all) }
    return output
  }
}
