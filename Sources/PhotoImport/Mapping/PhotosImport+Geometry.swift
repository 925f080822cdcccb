import Notation
import PhotoRecipes

extension PhotosImport {
  /// Converts the change from the photo's orientation to the orientation after the edit.
  mutating func orientation(_ adjustment: PhotosAdjustment) {
    let before = metadata?["orientation"]?.integer ?? 1
    guard let after = adjustment.settings["value"]?.integer, after != before else { return }
    guard before == 1, let orientation = Orientation(rawValue: after) else {
      return draft.drop(
        adjustment.name, "\(before) to \(after)",
        "the orientation may come from the camera or from an edit; the file does not show which")
    }
    let (flip, turns) = orientation.correction
    if flip { draft.add(Flip.self) { _ in } }
    let held = draft.add(Rotate.self) { $0.angle = 90 * turns }
    draft.keep(
      adjustment.name, "\(before) to \(after)", Rotate.name,
      "the same rotation by multiples of 90°", except: held)
  }

  /// Converts a crop: a rectangle in pixels of the original, with coordinates from the lower left
  /// corner, as in Core Image.
  mutating func crop(_ adjustment: PhotosAdjustment) {
    for key in ["pitch", "yaw"] {
      guard let value = adjustment.number(key), value != 0 else { continue }
      draft.drop(
        "\(adjustment.name).\(key)", value.short,
        "the crop after a perspective correction is unknown")
    }
    let angle = adjustment.number("straightenAngle") ?? adjustment.number("angle") ?? 0
    let frame = (
      width: metadata?["masterWidth"]?.number ?? 0, height: metadata?["masterHeight"]?.number ?? 0
    )
    guard let x = adjustment.number("xOrigin"), let y = adjustment.number("yOrigin"),
      let width = adjustment.number("width"), let height = adjustment.number("height"),
      frame.width >= 1, frame.height >= 1, width > 0, height > 0
    else {
      return draft.drop(
        adjustment.name, adjustment.summary, "the file does not contain the size of the original"
      )
    }
    let value = "\(x.short) \(y.short) \(width.short) × \(height.short)"
    if angle != 0 {
      let held = draft.add(Straighten.self) { $0.angle = angle }
      return draft.approximate(
        adjustment.name, "\(value), \(angle.short)°", Straighten.name,
        "rotated by the same angle; the crop is the largest that fits, not the crop of Photos"
          + held)
    }
    let crop = TurnedCrop(
      left: x / frame.width, top: 1 - (y + height) / frame.height, right: (x + width) / frame.width,
      bottom: 1 - y / frame.height, slant: 0, aspect: frame.width / frame.height)
    guard crop.isUsable else {
      return draft.drop(adjustment.name, value, "the rectangle is outside the photo")
    }
    let held = crop.append(to: &draft)
    if y == 0, height >= frame.height {
      draft.keep(
        adjustment.name, value, CropFilter.name, "the same part of the photo", except: held)
    } else {
      draft.approximate(
        adjustment.name, value, CropFilter.name,
        "the position is assumed to be measured from the lower edge, as in Core Image" + held)
    }
  }
}
