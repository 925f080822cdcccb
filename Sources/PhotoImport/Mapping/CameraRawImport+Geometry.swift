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
    if let filter = draft.turn(from: own, to: shown) {
      draft.keep("Orientation", value, filter, "the same turn of this photo", except: "")
    }
  }

  mutating func geometry() {
    let names = ["CropLeft", "CropTop", "CropRight", "CropBottom"]
    let edges = zip(names, [0.0, 0, 1, 1]).map { settings.number($0) ?? $1 }
    let slant = settings.number("CropAngle") ?? 0
    guard settings.flag("HasCrop") else { return }
    let aspect = aspect
    let crop = TurnedCrop(
      left: edges[0], top: edges[1], right: edges[2], bottom: edges[3], slant: slant,
      aspect: aspect ?? 1.5
    ).upright(shown ?? .upright)
    let value = "\(edges.map(\.brief).joined(separator: " ")), \(slant.brief)°"
    guard crop.isUsable else {
      draft.drop("Crop", value, "the rectangle is empty")
      return
    }
    let isOutside = edges.contains { !(0...1).contains($0) }
    let count = draft.steps.count
    let held = crop.append(to: &draft)
    if draft.steps.count == count {
      if isOutside { draft.drop("Crop", value, "the rectangle contains the whole photo") }
      return
    }
    let part =
      if isOutside {
        "the part of the rectangle within the photo"
      } else if slant == 0 {
        "the same part of the photo"
      } else {
        "the same rotated part of the photo"
      }
    let assumption =
      slant != 0 && aspect == nil
      ? "; 3:2 is assumed, because the file does not contain the photo's aspect ratio" : ""
    let tolerance = isOfRawPhoto ? "; the edges may differ by a few pixels of the sensor" : ""
    let differences = assumption + tolerance + held
    if isOutside {
      draft.approximate("Crop", value, CropFilter.name, part + differences)
    } else {
      draft.keep("Crop", value, CropFilter.name, part, except: differences)
    }
  }

  /// The width divided by the height of the stored pixels; nil if it is not known.
  ///
  /// The packet states the part of a raw photo that Camera Raw shows. Other photos may have another
  /// size than a packet that was copied to them states.
  private var aspect: Double? {
    isOfRawPhoto ? statedAspect ?? photo.aspect : photo.aspect ?? statedAspect
  }

  /// The width divided by the height, as the packet states them.
  private var statedAspect: Double? {
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
    return nil
  }

  mutating func lens() {
    let midpoint = settings.number("VignetteMidpoint") ?? 50
    vignette("VignetteAmount", midpoint: midpoint, feather: 50)
  }
}
