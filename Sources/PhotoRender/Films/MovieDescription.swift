import FileStructure

/// The descriptions of a track's samples: the content of the box `stsd`.
///
/// - Source: ISO/IEC 14496-12:2022, 8.5.2 and 12.1; Apple, "QuickTime File Format", 2012, "Video
///   Media" and "Timed Metadata Media".
extension MovieTables {
  /// The bytes of a description before its first box, with its head.
  private enum Fields {
    static let picture = 86
    static let metadata = 16
  }

  /// The boxes of descriptions that state the visible part of the frames, and the shape of their
  /// pixels, with the bytes of their content.
  private static let frameBoxes = ["clap": 32, "pasp": 8]

  /// The prefix of the keys that state the place of a Live Photo's still image in its film.
  private static let stillPlace = Array(
    "com.apple.quicktime.live-photo-still-image-transform".utf8)

  private var entries: [Box] {
    description.count < 16 ? [] : Box.all(in: .bytes(description), 16..<description.count)
  }

  private func boxes(of entry: Box, after fields: Int) -> [Box] {
    entry.length < fields
      ? [] : Box.all(in: .bytes(description), (entry.offset + fields)..<entry.end)
  }

  /// The box with other descriptions.
  private func box(_ descriptions: [UInt8]) -> [UInt8] {
    Box.bytes("stsd", description[8..<16] + descriptions)
  }

  /// The description of a picture with the visible part and the shape of the pixels that another
  /// picture of the same size states; boxes that the description has stay.
  func description(framedAs source: MovieTables) -> [UInt8] {
    guard let first = entries.first, let old = source.entries.first else { return description }
    let own = boxes(of: first, after: Fields.picture)
    let known = own.map(\.name)
    var added: [UInt8] = []
    for box in source.boxes(of: old, after: Fields.picture)
    where box.content.count == Self.frameBoxes[box.name] && !known.contains(box.name) {
      added += source.description[box.offset..<box.end]
    }
    if added.isEmpty || first.length < Fields.picture { return description }
    // Descriptions of QuickTime can end with four bytes of 0.
    let end = own.last?.end ?? first.offset + Fields.picture
    let entry = description[(first.offset + 8)..<end] + added + description[end..<first.end]
    let codec = Array(description[(first.offset + 4)..<(first.offset + 8)])
    return box(
      ByteOrder.big.bytes(entry.count + 8, 4) + codec + entry + description[first.end...])
  }

  /// The description of timed metadata without the keys that state the place of a still image in the
  /// film.
  ///
  /// Readers ignore values whose key is not in the description, so the samples stay.
  var descriptionWithoutStillPlace: [UInt8] {
    guard description.contains(Self.stillPlace) else { return description }
    return box(
      entries.flatMap { entry -> [UInt8] in
        let whole = Array(description[entry.offset..<entry.end])
        guard entry.name == "mebx", entry.length >= Fields.metadata else { return whole }
        let boxes = boxes(of: entry, after: Fields.metadata).flatMap { box -> [UInt8] in
          let whole = Array(description[box.offset..<box.end])
          guard box.name == "keys" else { return whole }
          let keys = Box.all(in: .bytes(description), box.content)
            .map { description[$0.offset..<$0.end] }.filter { !$0.contains(Self.stillPlace) }
          return Box.bytes("keys", Array(keys.joined()))
        }
        return Box.bytes("mebx", description[(entry.offset + 8)..<(entry.offset + 16)] + boxes)
      })
  }
}
