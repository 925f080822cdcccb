import FileStructure
import PhotoMetadata
import PhotoRecipes
import Synchronization
import Vips

/// The mattes and the depth map in a photo's file, from which those of its renditions are made.
///
/// They are read when the first output needs them.
final class PhotoAuxiliaries: Sendable {
  private let source: ByteSource
  /// The size of the photo as stored.
  let photo: Size
  let drawings: PhotoDrawings
  private let read = Mutex<[AuxiliaryData]?>(nil)

  init(_ source: ByteSource, _ photo: Size, _ drawings: PhotoDrawings) {
    self.source = source
    self.photo = photo
    self.drawings = drawings
  }

  /// The pictures that can be read from the file, one of each kind.
  var all: [AuxiliaryData] {
    read.withLock { read in
      if let read { return read }
      let found = AuxiliaryData.all(in: source)
      read = found
      return found
    }
  }
}

/// A matte or a depth map of a rendition: that of the photo, cropped, rotated and resized like the
/// photo.
struct RenderedAuxiliary {
  let data: AuxiliaryData
  let geometry: MapGeometry
  /// The parts of the rendition that drawings cover.
  let coverings: [Covering]

  /// The largest relative difference between the aspect ratios of the picture and of the photo.
  private static let mostStretch = 0.02
  private static let quality = 95

  /// Returns the picture with its description; mattes cover nothing beside the photo and below
  /// drawings.
  func made() throws(VipsError) -> AuxiliaryData {
    // JPEG files keep a description in the photo's XMP; other formats have no place for it.
    let isInXMP = data.isInXMP && geometry.coding == .jpeg
    let range = data.isInXMP && !isInXMP ? data.range : nil
    try checkShape()
    let part = try geometry.part(of: data.picture)
    let levels = try MapLevels(part.picture, joinsEqual: true) { sample in
      range.map { $0.nearness(sample) } ?? sample
    }
    let visible = coverings.visible(at: part.size, in: geometry.visible)
    let values = part.values { levels[$0, 0] }
    let samples = values.enumerated().map { pixel, value in
      UInt8((255 * min(max(visible(pixel) * value, 0), 1)).rounded())
    }
    let picture = try Image(
      samples: samples, width: part.size.width, height: part.size.height, bands: 1)
    var result = isInXMP ? data : data.inAppleForm
    result.picture = try isInXMP ? Self.png(picture) : coded(picture)
    return result
  }

  private func checkShape() throws(VipsError) {
    let picture = try Image.recognised(data.picture)
    let shape = Double(picture.width) / Double(picture.height)
    let photo = Double(geometry.photo.width) / Double(geometry.photo.height)
    guard abs(shape / photo - 1) <= Self.mostStretch else {
      throw .failed(
        operation: "load",
        detail: "the aspect ratio of its size, \(Size(picture.width, picture.height)), differs "
          + "from the photo's, \(geometry.photo)")
    }
  }

  private func coded(_ picture: Image) throws(VipsError) -> [UInt8] {
    try geometry.coding.encoded(picture, quality: Self.quality)
  }

  private static func png(_ picture: Image) throws(VipsError) -> [UInt8] {
    let target = Target()
    try picture.save(to: target, as: "pngsave_target", ["strip": .flag(true)])
    return target.bytes()
  }
}
