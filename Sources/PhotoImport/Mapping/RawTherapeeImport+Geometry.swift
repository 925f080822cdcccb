import PhotoRecipes

extension RawTherapeeImport {
  /// Converts turns, crops and sizes.
  mutating func geometry() {
    let coarse = coarseTransformation()
    let isStored = ignoredOrientation != nil && coarse.changesPhoto
    if isStored { turnToStored() }
    turn(coarse)
    let angle = takes("Rotation") ? settings.number("Rotation.Degree") ?? 0 : 0
    // RawTherapee fills the empty corners of the rotated photo only with this setting.
    _ = takes("Common Properties for Transformations")
    let fills = settings.flag("Common Properties for Transformations.AutoFill")
    let shown = isStored ? .upright : photo.orientation ?? .upright
    let isTurned = shown.swapsEdges != (coarse.quarterTurns % 2 != 0)
    let size = photo.size.map { isTurned ? $0.turned : $0 }
    crop(turnedBy: angle, in: size, fills: fills, mirrored: isStored ? nil : ignoredOrientation)
  }

  /// The photo's orientation if RawTherapee ignores it; otherwise nil.
  ///
  /// RawTherapee shows a photo with a mirrored orientation as its pixels are stored, unless it is a
  /// raw photo.
  private var ignoredOrientation: Orientation? {
    photo.orientation.flatMap { photo.isRaw == false && $0.correction.flip ? $0 : nil }
  }

  /// Turns the photo to the stored picture, from which RawTherapee's own turns start.
  private mutating func turnToStored() {
    guard let own = photo.orientation, let filter = draft.turn(from: own, to: .upright) else {
      return
    }
    draft.keep(
      "Orientation", "\(own.rawValue)", filter,
      "RawTherapee ignores this orientation of the photo", except: "")
  }

  /// Rotations by 90° clockwise, then flips.
  private struct CoarseTransformation {
    var quarterTurns = 0
    var flipsHorizontally = false
    var flipsVertically = false

    var changesPhoto: Bool { quarterTurns != 0 || flipsHorizontally || flipsVertically }
  }

  private mutating func coarseTransformation() -> CoarseTransformation {
    var coarse = CoarseTransformation()
    guard takes("Coarse Transformation") else { return coarse }
    coarse.flipsHorizontally = settings.flag("Coarse Transformation.HorizontalFlip")
    coarse.flipsVertically = settings.flag("Coarse Transformation.VerticalFlip")
    let angle = settings.number("Coarse Transformation.Rotate") ?? 0
    let turns = angle.truncatingRemainder(dividingBy: 360) / 90
    if turns == turns.rounded() {
      coarse.quarterTurns = Int(turns)
    } else {
      draft.drop(
        "Coarse Transformation.Rotate", "\(angle.short)°",
        "RawTherapee's coarse rotation has multiples of 90° only")
    }
    return coarse
  }

  private mutating func turn(_ coarse: CoarseTransformation) {
    guard coarse.changesPhoto else { return }
    let angle = 90 * coarse.quarterTurns
    let held = draft.add(Rotate.self) { $0.angle = angle }
    if coarse.flipsHorizontally { draft.add(Flip.self) { $0.direction = .horizontal } }
    if coarse.flipsVertically { draft.add(Flip.self) { $0.direction = .vertical } }
    draft.keep(
      "Coarse Transformation",
      "\(angle)°, \(coarse.flipsHorizontally), \(coarse.flipsVertically)", Rotate.name,
      "the same rotation by multiples of 90°", except: held)
  }

  /// Converts the rotation by a few degrees and the crop.
  ///
  /// `mirrored` is the orientation of the photo if RawTherapee crops the stored picture, but the
  /// photo is upright in the recipe.
  private mutating func crop(
    turnedBy stated: Double, in size: Size?, fills: Bool, mirrored: Orientation?
  ) {
    let degrees = stated.short
    let angle = mirrored == nil ? stated : -stated
    guard takes("Crop") else { return straighten(by: angle, degrees) }
    let numbers = ["X", "Y", "W", "H"].map { settings.number("Crop.\($0)") ?? -1 }
    let value = numbers.map(\.short).joined(separator: " ")
    guard numbers.allSatisfy({ (0...1e6).contains($0) }), numbers[2] >= 1, numbers[3] >= 1 else {
      straighten(by: angle, degrees)
      return draft.drop("Crop", value, "this is not a rectangle within a photo")
    }
    let whole = numbers.map { Int($0) }
    var rectangle = Rectangle(left: whole[0], top: whole[1], size: Size(whole[2], whole[3]))
    if let mirrored, let stored = photo.size {
      rectangle = rectangle.upright(mirrored, in: stored)
    }
    let ignored = mirrored == nil ? "" : "; RawTherapee shows the photo mirrored"
    if angle != 0, let size {
      let crop = TurnedCrop(rectangle, in: size, turnedBy: -angle, fills: fills)
      if crop.isUsable {
        let held = crop.append(to: &draft)
        let corners = fills ? "not enlarged" : "empty corners are white"
        draft.approximate(
          "Crop, Rotation.Degree", "\(value), \(degrees)°", CropFilter.name,
          "the same part of the rotated photo; \(corners)" + ignored + held)
        return
      }
    }
    straighten(by: angle, degrees)
    let held = draft.add(CropFilter.self) {
      ($0.left, $0.top) = (.pixels(rectangle.left), .pixels(rectangle.top))
      ($0.width, $0.height) = (.pixels(rectangle.size.width), .pixels(rectangle.size.height))
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
      draft.keep("Crop", value, CropFilter.name, "the same pixels", except: ignored + held)
    }
  }

  private mutating func straighten(by angle: Double, _ degrees: String) {
    if angle == 0 { return }
    let held = draft.add(Straighten.self) { $0.angle = -angle }
    draft.approximate(
      "Rotation.Degree", degrees, Straighten.name,
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

extension Rectangle {
  /// The same part of the upright photo, of a rectangle in the stored picture with this size.
  ///
  /// Parts outside the picture are left out.
  fileprivate func upright(_ orientation: Orientation, in stored: Size) -> Rectangle {
    var (rectangle, frame) = (self, stored)
    rectangle.size.width = min(size.width, max(frame.width - left, 1))
    rectangle.size.height = min(size.height, max(frame.height - top, 1))
    let (flip, quarterTurns) = orientation.correction
    if flip { rectangle.left = frame.width - left - rectangle.size.width }
    for _ in 0..<quarterTurns {
      let bottom = rectangle.top + rectangle.size.height
      (rectangle.left, rectangle.top) = (frame.height - bottom, rectangle.left)
      (rectangle.size, frame) = (rectangle.size.turned, frame.turned)
    }
    return rectangle
  }
}
