import FileStructure
import Notation

/// The film that is appended to a rendition.
public struct MotionPhotoFilm: Sendable, Hashable {
  /// The number of bytes.
  public var length: Int
  /// The time in the film at which the photo was taken, in microseconds; -1 if it is unknown.
  public var microseconds: Int
  /// The media type: `video/mp4` or `video/quicktime`.
  public var mime: String

  public init(length: Int, microseconds: Int, mime: String) {
    self.length = length
    self.microseconds = microseconds
    self.mime = mime
  }

  /// The properties that announce the film, except the list of items.
  private var announcement: [MarkupElement] {
    [
      MarkupElement(ContainerDirectory.camera("MotionPhoto"), text: "1"),
      MarkupElement(ContainerDirectory.camera("MotionPhotoVersion"), text: "1"),
      MarkupElement(
        ContainerDirectory.camera("MotionPhotoPresentationTimestampUs"), text: "\(microseconds)"),
    ]
  }

  /// The bytes before the film in a HEIC file: the header of the film's box.
  public var boxHead: [UInt8] { ByteOrder.big.bytes(length + 8, 4) + Array("mpvd".utf8) }

  /// The properties of the XMP of a HEIC file with the film.
  var boxProperties: [MarkupElement] {
    announcement + [
      ContainerDirectory.property([
        .init(semantic: "Primary", mime: "image/heic", length: 0, padding: boxHead.count), item,
      ])
    ]
  }

  /// The film as an item of the list.
  private var item: ContainerDirectory.Item {
    .init(semantic: "MotionPhoto", mime: mime, length: length, padding: 0)
  }

  /// The properties of the XMP of a JPEG file with a gain map, a film, or both.
  ///
  /// `mapLength` is the length of the gain map, nil if there is none; `others` is the number of
  /// bytes of other pictures between the gain map and the film.
  static func properties(
    mapLength: Int?, others: Int = 0, _ film: MotionPhotoFilm?
  ) -> [MarkupElement] {
    let padding = others > 0 ? others : nil
    var items = [ContainerDirectory.Item(semantic: "Primary", mime: "image/jpeg")]
    if let mapLength {
      items.append(
        .init(semantic: "GainMap", mime: "image/jpeg", length: mapLength, padding: padding))
    } else {
      items[0].padding = padding
    }
    if let film { items.append(film.item) }
    let map = mapLength.map { _ in [MarkupElement(GainMapDescription.version, text: "1.0")] } ?? []
    return map + (film?.announcement ?? []) + [ContainerDirectory.property(items)]
  }
}
