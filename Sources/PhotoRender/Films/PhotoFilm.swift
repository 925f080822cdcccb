import FileStructure
public import PhotoMetadata
import PhotoRecipes

/// The film that belongs to a photo; its frames are edited like the photo.
public struct PhotoFilm: Sendable {
  let film: FilmPhoto
  /// The file to which the film was copied; nil for a film that is a file of its own.
  private let file: TemporaryFile?
  /// The time in the film at which the photo was taken, in microseconds; -1 if it is unknown.
  let microseconds: Int
  /// The identifier that joins the film with the photo of a Live Photo; nil for a motion photo.
  let pairIdentifier: String?

  /// Reads the film inside a photo.
  ///
  /// - Throws: The reason why the film cannot be edited; `unwritable` if it cannot be copied.
  public init(
    _ embedded: EmbeddedFilm, in photo: PhotoFile, _ codec: any FilmCodec
  ) throws(RenderError) {
    let file = try Self.temporaryFile()
    try RenderError.writing([file.descriptor]) { () throws(RenderError) in
      let target = FinishedFile(descriptor: file.descriptor)
      var offset = embedded.range.lowerBound
      while offset < embedded.range.upperBound {
        let rest = embedded.range.upperBound - offset
        let part = photo.byteSource.bytes(at: offset, min(1 << 20, rest))
        guard !part.isEmpty, target.append(part) else {
          throw .unreadableFilm("it could not be copied")
        }
        offset += part.count
      }
    }
    var film = try FilmPhoto(file.descriptor, codec)
    film.belongsToPhoto = true
    self.film = film
    microseconds = embedded.microseconds
    self.file = file
    pairIdentifier = nil
  }

  /// Reads the film of a Live Photo, which is a file beside the photo.
  ///
  /// - Throws: The reason why the film cannot be edited.
  public init(
    beside photo: PhotoFile, _ descriptor: Int32, _ codec: any FilmCodec
  ) throws(RenderError) {
    var film = try FilmPhoto(descriptor, codec)
    film.belongsToPhoto = true
    (file, microseconds) = (nil, -1)
    pairIdentifier = PairIdentifier.inFilm(.descriptor(descriptor))
    film.isPaired = pairIdentifier != nil
    self.film = film
  }

  private static func temporaryFile() throws(RenderError) -> TemporaryFile {
    do throws(ExternalFailure) { return try TemporaryFile() } catch {
      throw .unreadableFilm(error.message)
    }
  }

  /// The output of a film that is rendered with a photo's output, without steps; light above white
  /// of an HDR film stays.
  func output(for photo: Output) -> Output {
    let isQuickTime = film.container == MOVFormat.name
    var output = Output.usual(photo.name, isQuickTime ? MOVFormat() : MP4Format())
    output.metadata = photo.metadata
    return film.adapted(output)
  }

  /// The same output with the steps of the photo's output.
  func stepped(_ photo: Output) -> Output {
    var output = output(for: photo)
    output.steps = photo.steps
    return output
  }
}

extension PhotoFile {
  /// The film inside the photo's file; nil if the photo is not a motion photo.
  public var embeddedFilm: EmbeddedFilm? { EmbeddedFilm(in: byteSource) }

  /// The search for a film inside the photo's file.
  public var filmSearch: EmbeddedFilm.Search { EmbeddedFilm.search(byteSource) }

  /// True if a film's file and this photo say that they are one Live Photo.
  public func isPair(with film: Int32) -> Bool {
    guard let identifier = Metadata(of: byteSource).exif?.pairIdentifier else { return false }
    return PairIdentifier.inFilm(.descriptor(film)) == identifier
  }
}
