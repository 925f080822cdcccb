extension PathTemplate {
  /// The template with those names put in that are the same for every photo: two outputs that have
  /// one text here write one path.
  func text(for output: Output, of recipe: Recipe) -> String {
    var text = text
    for (placeholder, name) in [
      ("output", output.name), ("ext", type(of: output.format).fileExtension),
      ("recipe", recipe.shortName), ("variant", recipe.variant ?? ""),
    ] {
      text = text.replacing("{\(placeholder)}", with: name)
    }
    return text
  }
}
