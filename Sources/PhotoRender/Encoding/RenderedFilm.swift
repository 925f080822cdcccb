import FileStructure
import PhotoMetadata

/// The film of a rendition, which is appended to the finished file.
struct RenderedFilm: Sendable {
  let file: TemporaryFile
  let facts: MotionPhotoFilm

  /// Appends the film to a finished file; false if it could not be written.
  func append(to target: FinishedFile, inBox: Bool) -> Bool {
    // The position of the file moves to its end.
    guard target.size > 0, !inBox || target.append(facts.boxHead) else { return false }
    var offset = 0
    while offset < facts.length {
      let part = ByteSource.descriptor(file.descriptor).bytes(at: offset, 1 << 20)
      if part.isEmpty || !target.append(part) { return false }
      offset += part.count
    }
    return true
  }
}

/// The films of a photo's renditions, or the reasons why renditions get none, by output.
struct RenditionFilms: Sendable {
  var made: [String: RenderedFilm] = [:]
  var obstacles: [String: String] = [:]
  var warnings: [String] = []
}
