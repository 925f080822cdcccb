import Notation
import PhotoRecipes

/// Regions of a photo (faces and marked areas), moved with the pixels that they mark.
///
/// A moved region is the smallest upright rectangle around its pixels, limited to the rendition's
/// frame. A region is dropped if its centre is outside this frame, or if its position is not stated
/// as a rectangle or point in fractions of the photo's frame. All positions are relative to the
/// stored pixels, before the orientation is applied.
/// - Source: Metadata Working Group, Guidelines 2.0, 5.9; IPTC Photo Metadata Standard 2023 (Image
///   Region); Microsoft, "People Tagging Overview".
struct MovedRegions {
  /// The properties that contain regions of a known structure.
  static let properties = [
    name("mwg-rs", "Regions"), name("Iptc4xmpExt", "ImageRegion"), name("MP", "RegionInfo"),
  ]

  /// The fields with angles of a face relative to the frame; they are removed, because a rotation
  /// makes them wrong.
  private static let angles: Set<MarkupName> = [
    name("mwg-rs", "Rotation"), name("apple-fi", "AngleInfoRoll"), name("apple-fi", "AngleInfoYaw"),
  ]

  /// The map from positions in the photo as stored to positions in the rendition, both 0…1.
  private let map: Homography
  /// The homogeneous coordinate w of the rendition's centre; points with a w of the other sign are
  /// not visible.
  private let front: Double
  private let dimensions: [MarkupName: String]

  /// Prepares the map of positions; nil if the rendition's frame is unknown.
  init?(_ facts: RenditionFacts) {
    guard let map = facts.fromStored else { return nil }
    self.map = map
    front = map.depth(at: map.inverse(Homography.Point(0.5, 0.5)))
    dimensions = [
      Self.name("stDim", "w"): "\(facts.width)", Self.name("stDim", "h"): "\(facts.height)",
      Self.name("stDim", "unit"): "pixel",
    ]
  }

  private static func name(_ prefix: String, _ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix[prefix] ?? prefix, local)
  }

  /// The property with only the regions that are in the rendition; nil if there are none.
  func moved(_ property: MarkupElement) -> MarkupElement? {
    var count = 0
    let moved = moved(property, &count)
    return count > 0 ? moved : nil
  }

  /// Returns the element with moved regions, which are the items of its lists, and adds the number
  /// of regions that remain to `count`.
  private func moved(_ element: MarkupElement, _ count: inout Int) -> MarkupElement {
    if element.name == Self.name("mwg-rs", "AppliedToDimensions") {
      return Self.replacing(dimensions, in: element)
    }
    var children: [MarkupElement] = []
    for child in element.children {
      if child.name != .rdf("li") {
        children.append(moved(child, &count))
      } else if let region = region(child) {
        children.append(region)
        count += 1
      }
    }
    return MarkupElement(
      element.name, attributes: element.attributes, children: children, text: element.text)
  }

  /// The region with its new position; nil if it states no position, or if a position cannot be
  /// moved.
  private func region(_ item: MarkupElement) -> MarkupElement? {
    var places = 0
    let moved = placed(item, &places)
    return places > 0 ? moved : nil
  }

  /// The element with new positions; nil if a position cannot be moved.
  ///
  /// Adds the number of positions to `places`.
  private func placed(_ element: MarkupElement, _ places: inout Int) -> MarkupElement? {
    let pairs =
      element.attributes.map { ($0.name, $0.value) }
      + element.children.map { ($0.name, $0.text.trimmed) }
    let fields = Dictionary(pairs) { first, _ in first }
    var values: [MarkupName: String] = [:]
    if let kind = RegionPosition.kinds.first(where: { !$0.names.isDisjoint(with: fields.keys) }) {
      guard let area = kind.area(fields), let moved = moved(area) else { return nil }
      values = kind.fields(moved).filter { fields[$0.key] != nil }
      places += 1
    }
    var children: [MarkupElement] = []
    for child in element.children where !Self.angles.contains(child.name) {
      if let value = values[child.name] {
        children.append(MarkupElement(child.name, attributes: child.attributes, text: value))
      } else {
        guard let child = placed(child, &places) else { return nil }
        children.append(child)
      }
    }
    let kept = element.attributes.filter { !Self.angles.contains($0.name) }
    let attributes = kept.map { attribute in
      MarkupElement.Attribute(attribute.name, values[attribute.name] ?? attribute.value)
    }
    return MarkupElement(
      element.name, attributes: attributes, children: children, text: element.text)
  }

  /// The upright rectangle around the moved area, limited to the rendition; nil if the area's
  /// centre is outside, or if one of its corners is not visible.
  private func moved(_ area: RegionPosition.Area) -> RegionPosition.Area? {
    let corners = area.corners
    guard corners.allSatisfy({ map.depth(at: $0) * front > 0 }) else { return nil }
    let centre = map(area.centre)
    guard (0...1).contains(centre.x), (0...1).contains(centre.y) else { return nil }
    let places = corners.map { map($0).clamped(lowerBound: [0, 0], upperBound: [1, 1]) }
    let (xs, ys) = (places.map(\.x), places.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    return .init(origin: [left, top], extent: [right - left, bottom - top])
  }

  private static func replacing(
    _ values: [MarkupName: String], in element: MarkupElement
  ) -> MarkupElement {
    MarkupElement(
      element.name,
      attributes: element.attributes.map { .init($0.name, values[$0.name] ?? $0.value) },
      children: element.children.map { child in
        if let value = values[child.name] {
          return MarkupElement(child.name, attributes: child.attributes, text: value)
        }
        return replacing(values, in: child)
      },
      text: element.text)
  }
}
