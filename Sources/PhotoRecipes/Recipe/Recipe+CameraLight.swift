extension Recipe {
  /// The light for which the recipe balances the channels of a raw photo's sensor; nil if the
  /// camera's own white balance applies.
  ///
  /// A step `whiteBalance` with `kelvin` states the light, if it applies to the whole photo and to
  /// all outputs, and if only crops, turns, retouching and changes of the exposure precede it.
  public var cameraLight: Illuminant? {
    guard let index = cameraLightStep, let filter = steps[index].filter as? WhiteBalance else {
      return nil
    }
    return filter.light
  }

  /// The recipe without the step of `cameraLight`, whose effect the development of a raw photo
  /// replaces.
  public var withoutCameraLight: Recipe {
    var recipe = self
    if let index = cameraLightStep { recipe.steps.remove(at: index) }
    return recipe
  }

  /// The recipe for a picture that the camera has balanced for `light`: the step of `cameraLight`
  /// replaces this balance.
  public func rebalancing(from light: Illuminant) -> Recipe {
    var recipe = self
    if let index = cameraLightStep, var filter = steps[index].filter as? WhiteBalance {
      filter.balanced = light
      recipe.steps[index].filter = filter
    }
    return recipe
  }

  private var cameraLightStep: Int? {
    guard let index = steps.firstIndex(where: { !$0.isIdentity && !$0.keepsRatios }) else {
      return nil
    }
    let step = steps[index]
    guard let filter = step.filter as? WhiteBalance, filter.kelvin != nil, step.opacity == 1,
      step.blend == .normal, step.mask == nil
    else { return nil }
    return index
  }
}

extension Step {
  /// True if the step keeps the ratios of a pixel's channels in linear light, and adds no pixels: a
  /// step that moves or heals pixels, or changes the exposure of the whole photo.
  fileprivate var keepsRatios: Bool {
    switch filter {
    case is Border, is PadFilter, is FrameFilter: false
    case is Exposure, is Heal: opacity == 1 && blend == .normal && mask == nil
    default: type(of: filter).category == .geometry
    }
  }
}
