import PhotoRecipes

extension Renderer {
  /// The sum of a plan's time for one frame over all frames that a film's outputs need.
  ///
  /// Outputs of the same part of the film are rendered together. Each other part, each frame and each
  /// preview is decoded and rendered once more.
  ///
  /// - Parameters:
  ///   - film: The film.
  ///   - plan: The plan that this renderer made for the film.
  ///   - time: Returns a time of a plan in seconds.
  /// - Returns: The sum in seconds.
  /// - Throws: The error of a plan for a part of the film.
  public func seconds(
    of film: FilmPhoto, _ plan: RenderPlan, _ time: (RenderPlan) -> Double
  ) throws(RenderError) -> Double {
    var passes: [[Output]] = []
    for output in recipe.outputs {
      let place = passes.firstIndex { pass in
        output.isFilm && pass[0].isFilm && pass[0].range == output.range
      }
      if let place { passes[place].append(output) } else { passes.append([output]) }
    }
    var sum = 0.0
    for outputs in passes {
      var pass = self
      pass.recipe.outputs = outputs
      let frames = max(1, film.share(of: outputs[0]) * Double(film.facts.frames))
      sum += frames * time(passes.count == 1 ? plan : try pass.plan(film))
    }
    return sum
  }
}
