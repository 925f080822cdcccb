import PhotoRecipes

extension RawTherapeeImport {
  /// Converts turns, crops and sizes.
  mutating func geometry() {
    if takes("Coarse Transformation") {
      let angle = settings.number("Coarse Transformation.Rotate") ?? 0
      let flips = (
        settings.flag("Coarse Transformation.HorizontalFlip"),
        settings.flag("Coarse Transformation.VerticalFlip")
      )
      draft.add(Rotate.self) {
        $0.angle = 90 * Int((angle.truncatingRemainder(dividingBy: 360) / 90).rounded())
      }
      if flips.0 { draft.add(Flip.self) { $0.direction = .horizontal } }
      if flips.1 { draft.add(Flip.self) { $0.direction = .vertical } }
      if angle != 0 || flips.0 || flips.1 {
        draft.keep(
          "Coarse Transformation", "\(angle.short)°, \(flips.0), \(flips.1)", Rotate.name,
          "the same rotation by multiples of 90°")
      }
    }
    if takes("Rotation"), let angle = settings.number("Rotation.Degree"), angle != 0 {
      draft.add(Straighten.self) { $0.angle = -angle }
      draft.approximate(
        "Rotation.Degree", angle.short, Straighten.name,
        "rotated by the same angle; empty corners are cropped")
    }
    guard takes("Crop") else { return }
    let numbers = ["X", "Y", "W", "H"].map { settings.number("Crop.\($0)") ?? -1 }
    let value = numbers.map(\.short).joined(separator: " ")
    guard numbers.allSatisfy({ (0...1e6).contains($0) }), numbers[2] >= 1, numbers[3] >= 1 else {
      return draft.drop("Crop", value, "this is not a rectangle within a photo")
    }
    draft.add(CropFilter.self) {
      ($0.left, $0.top) = (.pixels(Int(numbers[0])), .pixels(Int(numbers[1])))
      ($0.width, $0.height) = (.pixels(Int(numbers[2])), .pixels(Int(numbers[3])))
    }
    if isOfRawPhoto {
      draft.approximate(
        "Crop", value, CropFilter.name,
        "the same pixels; RawTherapee shows a few more at the edges of the sensor")
    } else {
      draft.keep("Crop", value, CropFilter.name, "the same pixels")
    }
  }

  /// Converts the correction of the lens.
  mutating func lens() {
    guard takes("LensProfile"), let mode = settings.take("LensProfile.LcMode"), mode != "none"
    else { return }
    let kinds = ["UseDistortion", "UseVignette", "UseCA"].map { settings.flag("LensProfile.\($0)") }
    let (camera, lens) = (
      settings.take("LensProfile.LFCameraModel") ?? "", settings.take("LensProfile.LFLens") ?? ""
    )
    guard kinds.contains(true) else { return }
    draft.add(LensFilter.self) {
      ($0.distortion, $0.vignetting, $0.tca) = (kinds[0], kinds[1], kinds[2])
      if mode == "lfmanual" { ($0.camera, $0.lens) = (camera, lens) }
    }
    draft.approximate(
      "LensProfile", mode, LensFilter.name,
      mode == "lcp"
        ? "by lensfun's profile of the lens, not Adobe's"
        : "the same profile, if both programs have the same database of lensfun")
  }
}
