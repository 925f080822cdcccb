import Glibc
import PhotoRecipes

/// A crop rectangle in a photo, together with the rotation of the photo by a few degrees that
/// precedes the crop.
struct TurnedCrop: Equatable {
  /// The rotation of the photo in degrees, clockwise.
  var angle: Double
  /// The left edge of the rectangle, as a fraction of the frame that contains the whole rotated
  /// photo.
  ///
  /// `top`, `width` and `height` are fractions of the same frame.
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  /// A rectangle given by two corners in the photo before its rotation, as in Camera Raw.
  ///
  /// The corners, as fractions of the photo's edges, are the upper left and the lower right corner
  /// of a rectangle that is rotated by `slant` degrees clockwise. The photo's `aspect` is its width
  /// divided by its height.
  init(
    left: Double, top: Double, right: Double, bottom: Double, slant: Double, aspect: Double
  ) {
    let (c, s) = (cos(slant * .pi / 180), sin(slant * .pi / 180))
    func turned(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (x * c + y * s, y * c - x * s)
    }
    let size = turned((right - left) * aspect, bottom - top)
    let middle = turned(((left + right) / 2 - 0.5) * aspect, (top + bottom) / 2 - 0.5)
    let frame = (x: aspect * abs(c) + abs(s), y: aspect * abs(s) + abs(c))
    angle = -slant
    self.left = (middle.x - size.x / 2) / frame.x + 0.5
    self.top = (middle.y - size.y / 2) / frame.y + 0.5
    width = size.x / frame.x
    height = size.y / frame.y
  }

  /// A rectangle in pixels in a frame of the photo's `size`, in whose centre the photo is rotated by
  /// `angle` degrees clockwise, as in RawTherapee.
  ///
  /// If `fills` is true, the rotated photo is enlarged until it fills the frame.
  init(_ rectangle: Rectangle, in size: Size, turnedBy angle: Double, fills: Bool) {
    let (c, s) = (abs(cos(angle * .pi / 180)), abs(sin(angle * .pi / 180)))
    let (w, h) = (Double(size.width), Double(size.height))
    let frame = (x: w * c + h * s, y: w * s + h * c)
    let scale = fills ? min(w / frame.x, h / frame.y) : 1
    self.angle = angle
    left = (Double(rectangle.left) - w / 2) * scale / frame.x + 0.5
    top = (Double(rectangle.top) - h / 2) * scale / frame.y + 0.5
    width = Double(rectangle.size.width) * scale / frame.x
    height = Double(rectangle.size.height) * scale / frame.y
  }

  /// Converts the rectangle from the stored pixels to the upright photo.
  func upright(_ orientation: Orientation) -> TurnedCrop {
    var crop = self
    let (flip, turns) = orientation.correction
    if flip {
      crop.left = 1 - crop.left - crop.width
      crop.angle = -crop.angle
    }
    for _ in 0..<turns {
      (crop.left, crop.top) = (1 - crop.top - crop.height, crop.left)
      (crop.width, crop.height) = (crop.height, crop.width)
    }
    return crop
  }

  /// The rectangle without its parts outside the frame.
  private var withinFrame: TurnedCrop {
    var crop = self
    crop.width -= max(0, -left) + max(0, left + width - 1)
    crop.height -= max(0, -top) + max(0, top + height - 1)
    (crop.left, crop.top) = (max(0, left), max(0, top))
    return crop
  }

  /// True if the rectangle has an area in the frame.
  var isUsable: Bool {
    let (width, height) = (withinFrame.width, withinFrame.height)
    return width > 0.001 && height > 0.001 && [left, top].allSatisfy(\.isFinite)
  }

  /// Appends the rotation, if the angle is not 0, and the crop to the recipe, unless it is the
  /// whole frame.
  ///
  /// - Returns: A text to append to a note if the angle was clamped; otherwise an empty text.
  @discardableResult
  func append(to draft: inout RecipeDraft) -> String {
    let held = draft.add(Straighten.self) {
      $0.angle = angle
      $0.keep = .all
    }
    // A percentage of three decimal places.
    func part(_ value: Double) -> Double {
      (min(max(value, 0), 1) * 100_000).rounded() / 1_000 / 100
    }
    let crop = withinFrame
    let (left, top) = (part(crop.left), part(crop.top))
    let (width, height) = (min(part(crop.width), 1 - left), min(part(crop.height), 1 - top))
    if (left, top, width, height) == (0, 0, 1, 1) { return held }
    draft.add(CropFilter.self) {
      $0.left = .fraction(left)
      $0.top = .fraction(top)
      $0.width = .fraction(width)
      $0.height = .fraction(height)
    }
    return held
  }
}
