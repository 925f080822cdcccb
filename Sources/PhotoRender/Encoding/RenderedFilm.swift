import FileStructure
import PhotoMetadata
import PhotoRecipes

/// The film of a rendition, which is appended to the finished file of a motion photo, or is a file
/// of its own beside a Live Photo.
struct RenderedFilm: Sendable {
  /// The size of the upright frames.
  let size: Size
  /// The file to append; nil for a film that is a file of its own.
  var file: TemporaryFile?
  var facts: MotionPhotoFilm?
  /// The identifier that joins the film with the rendition; nil for a motion photo.
  var pairIdentifier: String?

  /// Appends the film to a finished file; false if it could not be written.
  func append(to target: FinishedFile, inBox: Bool) -> Bool {
    // The position of the file moves to its end.
    guard let file, let facts else { return true }
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
