import PhotoRecipes

extension CameraRawImport {
  mutating func detail() {
    let luma = settings.number("LuminanceSmoothing") ?? 0
    let chroma = settings.number("ColorNoiseReduction") ?? 0
    let detail = settings.number("LuminanceNoiseReductionDetail") ?? 50
    if luma != 0 || chroma != 0 {
      let held = draft.add(Denoise.self) {
        ($0.luma, $0.chroma, $0.detail) = (luma / 200, chroma / 200, detail / 100)
      }
      draft.approximate(
        "LuminanceSmoothing, ColorNoiseReduction", "\(luma.brief), \(chroma.brief)",
        Denoise.name, Self.alike + held)
    }
    scale("Texture", by: 0.01, Texture.self, \.amount)
    scale("Clarity2012", by: 0.01, Clarity.self, \.amount)
    scale("Clarity", by: 0.01, Clarity.self, \.amount)
    scale("Dehaze", by: 0.01, Dehaze.self, \.amount)
    let radius = settings.number("SharpenRadius") ?? 1
    let masking = settings.number("SharpenEdgeMasking") ?? 0
    guard let amount = settings.number("Sharpness"), amount != 0 else { return }
    let held = draft.add(Sharpen.self) {
      ($0.amount, $0.radius, $0.edges) = (amount / 100, .pixels(0.8 * radius), masking / 100)
    }
    draft.approximate("Sharpness", amount.brief, Sharpen.name, Self.alike + held)
  }

  mutating func effects() {
    vignette(
      "PostCropVignetteAmount", midpoint: settings.number("PostCropVignetteMidpoint") ?? 50,
      feather: settings.number("PostCropVignetteFeather") ?? 50)
    let size = settings.number("GrainSize") ?? 25
    guard let amount = settings.number("GrainAmount"), amount != 0 else { return }
    let held = draft.add(GrainFilter.self) {
      ($0.amount, $0.size) = (amount / 100, .pixels(1 + size / 25))
    }
    draft.approximate("GrainAmount", amount.brief, GrainFilter.name, Self.alike + held)
  }

  mutating func vignette(_ name: String, midpoint: Double, feather: Double) {
    guard let amount = settings.number(name), amount != 0 else { return }
    let held = draft.add(Vignette.self) {
      $0.intensity = 0.8 * amount / 100
      ($0.radius, $0.falloff) = (0.4 + 0.5 * midpoint / 100, 0.2 + 0.8 * feather / 100)
    }
    draft.approximate(name, amount.brief, Vignette.name, Self.alike + held)
  }
}
