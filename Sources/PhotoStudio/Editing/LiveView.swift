import Notation
import PhotoRecipes

/// The choices by which a picture differs from the usual rendition of the present edit.
struct LiveView: Sendable, Hashable {
  /// The name of an output; nil for the output that stands for the photo.
  var output: String?
  /// True to keep the other outputs in the recipe, so that the picture has a run's pixels exactly.
  var isAmongOthers = false
  /// The id of a step whose mask is painted red; nil for none.
  var mask: String?
  /// The number of an earlier state of the edit; nil for the present one.
  var pin: Int?
  /// True to show the depth map instead of the photo, from black, the farthest, to white, the
  /// nearest; the encoded grey is the smoothstep of the depth.
  var isDepth = false
  /// True to show a grey output in colour, so that colours can be picked.
  var isInColour = false

  init() {}

  /// Decodes the view of a request.
  init(_ json: JSON) {
    (output, mask, pin) = (json["output"]?.string, json["mask"]?.string, json["pin"]?.integer)
    isDepth = json["depth"]?.bool ?? false
    isInColour = json["colour"]?.bool ?? false
  }
}

extension Recipe {
  /// The recipe of a picture with this view.
  func showing(_ view: LiveView) -> Recipe {
    var recipe = self
    if !view.isAmongOthers, let name = view.output, outputs.contains(where: { $0.name == name }) {
      recipe.outputs = outputs.filter { $0.name == name }
    }
    if let step = view.mask { recipe.paintMask(of: step) }
    if view.mask != nil || view.isInColour {
      for number in recipe.outputs.indices { recipe.outputs[number].profile = .srgb }
    }
    if view.isDepth {
      for number in recipe.outputs.indices { recipe.outputs[number].steps += Self.depthSteps }
    }
    return recipe
  }

  /// The recipe of the pictures of a film, or of the pictures of a photo.
  ///
  /// A picture of a film shows one output: the one with this name, or else the first output in a
  /// format of photos, or the first one.
  func narrowed(toFilm isFilm: Bool, output: String?) -> Recipe {
    var recipe = only(films: isFilm)
    guard isFilm else { return recipe }
    let outputs = recipe.outputs
    let shown =
      outputs.first { $0.name == output } ?? outputs.first { !$0.isFilm } ?? outputs.first
    recipe.outputs = shown.map { [$0] } ?? []
    return recipe
  }

  /// Steps that replace a photo by its depth map.
  private static let depthSteps: [Step] = {
    func painting(_ text: String) -> Step {
      var paint = Duotone()
      paint.shadows = Colour(text) ?? paint.shadows
      paint.highlights = paint.shadows
      return Step(paint)
    }
    var (black, white) = (painting("#000000"), painting("#ffffff"))
    // The mask has the form of a mask in a recipe, because the worker reads it as one.
    white.mask = Mask(.auxiliary(AuxiliaryMap(.depth, .range(1...1, feather: 1))))
    (black.id, white.id) = ("studio-far", "studio-near")
    return [black, white]
  }()

  /// Paints red where a step's mask lets it work; steps behind it only change the frame.
  private mutating func paintMask(of id: String) {
    if let painted = Self.painted(steps, id) {
      steps = painted
      for number in outputs.indices { outputs[number].steps.removeAll { $0.filter.keepsFrame } }
    } else {
      for number in outputs.indices {
        if let painted = Self.painted(outputs[number].steps, id) { outputs[number].steps = painted }
      }
    }
  }

  /// A chain in which a step paints its mask; nil if the chain has no such step with a mask.
  private static func painted(_ steps: [Step], _ id: String) -> [Step]? {
    guard let place = steps.firstIndex(where: { $0.id == id }), let mask = steps[place].mask else {
      return nil
    }
    var red = Duotone()
    red.shadows = Colour("#ff2020") ?? red.shadows
    red.highlights = red.shadows
    var step = Step(red)
    (step.id, step.mask, step.opacity) = (id, mask, 0.7)
    return steps[..<place] + [step] + steps[(place + 1)...].filter { !$0.filter.keepsFrame }
  }
}
