package import Notation
package import PhotoRecipes
import PhotoRender

/// The photos that a worker keeps for live pictures, by name.
struct HeldPhotos {
  /// The maximum number of photos that are kept open: the shown photo and its neighbours.
  static let most = 3

  private var photos: [(name: String, photo: HeldPhoto)] = []

  /// Keeps a photo; if there are too many, the photo that was not used for the longest time is
  /// dropped.
  mutating func add(_ photo: HeldPhoto, named name: String) {
    remove(name)
    photos.append((name, photo))
    if photos.count > Self.most { photos.removeFirst() }
  }

  /// The photo with a name; nil if the worker does not keep it.
  mutating func use(_ name: String) -> HeldPhoto? {
    guard let place = photos.firstIndex(where: { $0.name == name }) else { return nil }
    let entry = photos.remove(at: place)
    // Only one photo is kept at full size.
    for other in photos { other.photo.releaseWhole() }
    photos.append(entry)
    return entry.photo
  }

  mutating func remove(_ name: String) { photos.removeAll { $0.name == name } }
}

extension ShownPicture {
  var json: JSON {
    var object = JSON.Object()
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["fullWidth"] = .integer(fullSize.width)
    object["fullHeight"] = .integer(fullSize.height)
    object["planning"] = .number(planning)
    object["rendering"] = .number(rendering)
    object["part"] = part.map(\.json)
    object["frame"] = frame.map { .array($0.map(JSON.number)) }
    object["warnings"] = .array(warnings.map(JSON.string))
    return .object(object)
  }

  init?(_ json: JSON) {
    guard let width = json["width"]?.integer, let height = json["height"]?.integer,
      let fullWidth = json["fullWidth"]?.integer, let fullHeight = json["fullHeight"]?.integer
    else { return nil }
    self.init(
      size: Size(width, height), fullSize: Size(fullWidth, fullHeight),
      planning: json["planning"]?.number ?? 0, rendering: json["rendering"]?.number ?? 0,
      frame: json["frame"]?.array?.compactMap(\.number),
      warnings: json["warnings"]?.array?.compactMap(\.string) ?? [])
    part = json["part"].flatMap { Rectangle($0) }
  }
}

extension Rectangle {
  /// The left edge, the top edge, the width and the height.
  package var json: JSON {
    .array([.integer(left), .integer(top), .integer(size.width), .integer(size.height)])
  }

  /// Decodes a rectangle; nil if it is malformed.
  package init?(_ json: JSON) {
    guard let numbers = json.array?.compactMap(\.integer), numbers.count == 4, numbers[2] > 0,
      numbers[3] > 0
    else { return nil }
    self.init(left: numbers[0], top: numbers[1], size: Size(numbers[2], numbers[3]))
  }
}
