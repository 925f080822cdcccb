import Notation
import PhotoRecipes

/// The Metadata Working Group's regions of a photo that is stored rotated, converted for its
/// upright rendition.
///
/// Their positions are relative to the stored pixels, whatever the orientation.
/// - Source: Metadata Working Group, Guidelines 2.0, 5.9; CIPA DC-008-2023 (Exif 3.0), Orientation.
enum TurnedRegions {
  private static let areas = XMPPrefix.byPrefix["stArea"]
  private static let dimensions = XMPPrefix.byPrefix["stDim"]

  /// True if a property of a photo of this orientation can be turned; mirrored photos are rare.
  static func exist(for name: MarkupName, orientation: Int) -> Bool {
    name == property && [3, 6, 8].contains(orientation)
  }

  static let property = MarkupName(XMPPrefix.byPrefix["mwg-rs"] ?? "", "Regions")

  /// The regions with their positions in the upright photo; nil if a position is not given as a
  /// fraction of the frame.
  static func turned(_ element: MarkupElement, from orientation: Int) -> MarkupElement? {
    let fields = fields(of: element)
    var values: [MarkupName: String] = [:]
    if fields.keys.contains(where: { $0.namespace == areas }) {
      guard let area = turnedArea(fields, from: orientation) else { return nil }
      values = area
    } else if orientation != 3, fields.keys.contains(where: { $0.namespace == dimensions }) {
      values[dimension("w")] = fields[dimension("h")]
      values[dimension("h")] = fields[dimension("w")]
    }
    var children: [MarkupElement] = []
    for child in element.children {
      if let value = values[child.name] {
        children.append(MarkupElement(child.name, attributes: child.attributes, text: value))
      } else {
        guard let child = turned(child, from: orientation) else { return nil }
        children.append(child)
      }
    }
    let attributes = element.attributes.map { attribute in
      MarkupElement.Attribute(attribute.name, values[attribute.name] ?? attribute.value)
    }
    return MarkupElement(
      element.name, attributes: attributes, children: children, text: element.text)
  }

  /// The values of an element's attributes and children.
  private static func fields(of element: MarkupElement) -> [MarkupName: String] {
    let pairs =
      element.attributes.map { ($0.name, $0.value) }
      + element.children.map { ($0.name, $0.text.trimmed) }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func dimension(_ name: String) -> MarkupName { MarkupName(dimensions ?? "", name) }

  /// An area's new centre, width and height, as fractions of the frame.
  private static func turnedArea(
    _ fields: [MarkupName: String], from orientation: Int
  ) -> [MarkupName: String]? {
    func name(_ local: String) -> MarkupName { MarkupName(areas ?? "", local) }
    guard fields[name("unit")] ?? "normalized" == "normalized",
      let x = fields[name("x")].flatMap({ Double($0) }), (0...1).contains(x),
      let y = fields[name("y")].flatMap({ Double($0) }), (0...1).contains(y)
    else { return nil }
    let centre =
      switch orientation {
      case 3: (1 - x, 1 - y)
      case 6: (1 - y, x)
      default: (y, 1 - x)
      }
    var values = [
      name("x"): centre.0.fixed(6), name("y"): centre.1.fixed(6),
    ]
    if orientation != 3 {
      values[name("w")] = fields[name("h")]
      values[name("h")] = fields[name("w")]
    }
    return values
  }
}
