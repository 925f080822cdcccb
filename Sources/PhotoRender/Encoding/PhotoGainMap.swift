import FileStructure
import PhotoMetadata
import PhotoRecipes
import Synchronization
import Vips

/// The gain map in a photo's file, from which the gain maps of its renditions are made.
///
/// The map is read when the first output needs it.
final class PhotoGainMap: Sendable {
  private let source: ByteSource
  /// The size of the photo as stored.
  private let photo: Size
  private let drawings: PhotoDrawings
  private let map = Mutex<GainMap??>(nil)

  init(_ source: ByteSource, _ photo: Size, _ drawings: PhotoDrawings) {
    self.source = source
    self.photo = photo
    self.drawings = drawings
  }

  /// The photo's gain map; nil if the file has none that can be kept.
  private var whole: GainMap? {
    map.withLock { map in
      if let map { return map }
      let read = GainMap(of: source)
      map = .some(read)
      return read
    }
  }

  /// True if the file has a gain map whose description can be read.
  var isReadable: Bool { whole != nil }

  /// Makes the gain map of a rendition; nil if the photo has none that can be kept.
  ///
  /// If the rendition has only greys (`isGrey`), the map has one channel.
  func rendered(
    for output: Output, _ size: Size, _ visible: VisiblePart, _ coding: MapCoding, isGrey: Bool
  ) throws(RenderError) -> GainMap? {
    guard let whole else { return nil }
    let geometry = MapGeometry(visible: visible, photo: photo, rendition: size, coding: coding)
    let rendered = RenderedGainMap(
      map: whole, geometry: geometry, coverings: try drawings.coverings(of: output),
      isGrey: isGrey)
    do throws(VipsError) { return try rendered.made() } catch { throw .unreadable(error.reason) }
  }
}
