import Notation
import PhotoRecipes

extension CameraRawImport {
  /// The orientation in which Camera Raw shows the photo, which is the photo's own if the packet
  /// states none; nil if neither is known.
  private var shown: Orientation? {
    packet[XMPNamespace.tiff, "Orientation"]?.text.flatMap { Int($0) }.flatMap(Orientation.init)
      ?? photo.orientation
  }

  /// Turns a photo that Camera Raw shows in another orientation than the photo's own metadata state.
  mutating func turn() {
    guard let shown else { return }
    let value = "\(shown.rawValue)"
    guard let own = photo.orientation else {
      if shown != .upright {
        draft.drop(
          "Orientation", value,
          "the photo is not beside the file, so it is shown in the orientation of its own metadata")
      }
      return
    }
    let turn = own.turn(to: shown)
    if turn.flip { draft.add(Flip.self) { $0.direction = .horizontal } }
    draft.add(Rotate.self) { $0.angle = 90 * turn.quarterTurns }
    if turn.flip || turn.quarterTurns != 0 {
      draft.keep("Orientation", value, Rotate.name, "the same turn of this photo")
    }
  }

  mutating func geometry() {
    let names = ["CropLeft", "CropTop", "CropRight", "CropBottom"]
    let edges = names.map { settings.number($0) }
    let slant = settings.number("CropAngle") ?? 0
    guard settings.flag("HasCrop"), let left = edges[0], let top = edges[1],
      let right = edges[2], let bottom = edges[3]
    else { return }
    let aspect = aspect
    let crop = TurnedCrop(
      left: left, top: top, right: right, bottom: bottom, slant: slant, aspect: aspect ?? 1.5
    ).upright(shown ?? .upright)
    let value = "\([left, top, right, bottom].map(\.brief).joined(separator: " ")), \(slant.brief)°"
    guard crop.isUsable else {
      draft.drop("Crop", value, "the rectangle is empty")
      return
    }
    crop.append(to: &draft)
    if slant != 0 && aspect == nil {
      draft.approximate(
        "Crop", value, CropFilter.name,
        "the file does not contain the photo's aspect ratio; 3:2 is assumed")
    } else if isOfRawPhoto {
      draft.approximate(
        "Crop", value, CropFilter.name,
        "the same fractions of the photo; the edges may differ by a few pixels of the sensor")
    } else {
      draft.keep(
        "Crop", value, CropFilter.name,
        slant == 0 ? "the same part of the photo" : "the same rotated part of the photo")
    }
  }

  /// The width divided by the height of the stored pixels, as the packet or the photo states it; nil
  /// if it is not known.
  private var aspect: Double? {
    func number(_ namespace: String, _ name: String) -> Double? {
      packet[namespace, name]?.text.flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    if let width = number(XMPNamespace.tiff, "ImageWidth"),
      let height = number(XMPNamespace.tiff, "ImageLength")
    {
      return width / height
    }
    if let width = number(XMPNamespace.exif, "PixelXDimension"),
      let height = number(XMPNamespace.exif, "PixelYDimension")
    {
      return width / height
    }
    return photo.aspect
  }

  mutating func lens() {
    let midpoint = settings.number("VignetteMidpoint") ?? 50
    vignette("VignetteAmount", midpoint: midpoint, feather: 50)
  }
}
