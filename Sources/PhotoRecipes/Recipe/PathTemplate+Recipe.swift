extension PathTemplate {
  /// The template's text in which the placeholders that have the same value for every photo are
  /// replaced by their values.
  ///
  /// If these texts of two outputs are equal, the outputs write to the same path.
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
