extension Output {
  /// True if the output is made of films, false if it is made of photos.
  public var isOfFilms: Bool { type(of: format).isFilm }

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
