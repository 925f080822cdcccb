import PhotoRecipes

extension RawTherapeeImport {
  /// Converts turns, crops and sizes.
  mutating func geometry() {
    var turns = 0
    if takes("Coarse Transformation") {
      let angle = settings.number("Coarse Transformation.Rotate") ?? 0
      let flips = (
        settings.flag("Coarse Transformation.HorizontalFlip"),
        settings.flag("Coarse Transformation.VerticalFlip")
      )
      let rest = angle.truncatingRemainder(dividingBy: 360) / 90
      let isTurn = rest == rest.rounded()
      if isTurn { turns = Int(rest) }
      let held = draft.add(Rotate.self) { $0.angle = 90 * turns }
      if flips.0 { draft.add(Flip.self) { $0.direction = .horizontal } }
      if flips.1 { draft.add(Flip.self) { $0.direction = .vertical } }
      if !isTurn {
        draft.drop(
          "Coarse Transformation.Rotate", "\(angle.short)°",
          "RawTherapee's coarse rotation has multiples of 90° only")
      }
      if turns != 0 || flips.0 || flips.1 {
        draft.keep(
          "Coarse Transformation", "\(90 * turns)°, \(flips.0), \(flips.1)", Rotate.name,
          "the same rotation by multiples of 90°", except: held)
      }
    }
    let angle = takes("Rotation") ? settings.number("Rotation.Degree") ?? 0 : 0
    // RawTherapee fills the empty corners of the rotated photo only with this setting.
    let fills =
      takes("Common Properties for Transformations")
      && settings.flag("Common Properties for Transformations.AutoFill")
    crop(turnedBy: angle, in: size(afterTurns: turns), fills: fills)
  }

  /// The size of the upright photo after rotations by 90°; nil if it is not known.
  private func size(afterTurns turns: Int) -> Size? {
    photo.size.map { size in
      let isTurned = (photo.orientation ?? .upright).swapsEdges != (turns % 2 != 0)
      return isTurned ? Size(size.height, size.width) : size
    }
  }

  /// Converts the rotation by a few degrees and the crop.
  private mutating func crop(turnedBy angle: Double, in size: Size?, fills: Bool) {
    let degrees = angle.short
    guard takes("Crop") else { return straighten(by: angle) }
    let numbers = ["X", "Y", "W", "H"].map { settings.number("Crop.\($0)") ?? -1 }
    let value = numbers.map(\.short).joined(separator: " ")
    guard numbers.allSatisfy({ (0...1e6).contains($0) }), numbers[2] >= 1, numbers[3] >= 1 else {
      straighten(by: angle)
      return draft.drop("Crop", value, "this is not a rectangle within a photo")
    }
    let whole = numbers.map { Int($0) }
    if angle != 0, let size {
      let rectangle = Rectangle(left: whole[0], top: whole[1], size: Size(whole[2], whole[3]))
      let crop = TurnedCrop(rectangle, in: size, turnedBy: -angle, fills: fills)
      if crop.isUsable {
        let held = crop.append(to: &draft)
        let corners = fills ? "not enlarged" : "empty corners are white"
        draft.approximate(
          "Crop, Rotation.Degree", "\(value), \(degrees)°", CropFilter.name,
          "the same part of the rotated photo; \(corners)" + held)
        return
      }
    }
    straighten(by: angle)
    let held = draft.add(CropFilter.self) {
      ($0.left, $0.top) = (.pixels(whole[0]), .pixels(whole[1]))
      ($0.width, $0.height) = (.pixels(whole[2]), .pixels(whole[3]))
    }
    if angle != 0 {
      draft.approximate(
        "Crop", value, CropFilter.name,
        "the size of the photo is not known, so the rectangle is moved by the cropped corners"
          + held)
    } else if isOfRawPhoto {
      draft.approximate(
        "Crop", value, CropFilter.name,
        "the same pixels; RawTherapee shows a few more at the edges of the sensor" + held)
    } else {
      draft.keep("Crop", value, CropFilter.name, "the same pixels", except: held)
    }
  }

  private mutating func straighten(by angle: Double) {
    if angle == 0 { return }
    let held = draft.add(Straighten.self) { $0.angle = -angle }
    draft.approximate(
      "Rotation.Degree", angle.short, Straighten.name,
      "rotated by the same angle; empty corners are cropped" + held)
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
