/// Outputs of a film that are rendered in one pass.
struct FilmGroup {
  /// The container whose picture is replaced; nil if containers are written anew.
  let movie: MovieSource?
  /// The part of this container that is rendered; nil for the whole film.
  var cut: MovieCut?
  /// The indices of the outputs.
  let outputs: [Int]
}
