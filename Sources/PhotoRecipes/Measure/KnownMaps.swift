import Synchronization

/// The maps that were computed from one reduced photo, so that another value of a filter's setting
/// needs no new map.
///
/// Comparisons ignore these maps, because the maps follow from the pixels of the photo.
final class KnownMaps: Sendable, Hashable {
  private let maps = Mutex<[LocalBase: MapValues]>([:])

  /// The map of a base; `compute` is called if it is not known yet.
  func map(_ base: LocalBase, _ compute: () -> MapValues) -> MapValues {
    if let known = maps.withLock({ $0[base] }) { return known }
    let map = compute()
    maps.withLock { $0[base] = map }
    return map
  }

  static func == (_: KnownMaps, _: KnownMaps) -> Bool { true }

  func hash(into _: inout Hasher) {}
}
