import FileStructure
import Foundation
import PhotoMetadata
import TestSupport
import Testing

/// Tests the search for the film inside a motion photo.
@Suite struct EmbeddedFilmTests {
  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Box.bytes(name, content)
  }

  /// A film of three boxes, with `bytes` bytes of media data.
  private static func film(_ bytes: Int = 40) -> [UInt8] {
    box("ftyp", Array("mp42\0\0\0\0mp42".utf8)) + box("mdat", [UInt8](repeating: 7, count: bytes))
      + box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)))
  }

  /// A JPEG photo with this XMP.
  private static func photo(_ properties: String = "") throws -> [UInt8] {
    let file = try SyntheticPhoto.jpeg(width: 60, height: 40)
    if properties.isEmpty { return file }
    return MotionPhotoFile.photo(file, saying: properties)
  }

  private static func lines(_ file: [UInt8]) -> [String] {
    ContainerDescription.lines(of: .bytes(file))
  }

  @Test func theFilmInsideAJPEGMotionPhotoIsFound() throws {
    let (film, photo) = (Self.film(), try Self.photo(MotionPhotoFile.listing(Self.film().count)))
    let found = try #require(EmbeddedFilm(in: .bytes(photo + film)))
    #expect(found.range == photo.count..<(photo.count + film.count))
    #expect(found.statedLength == film.count)
    #expect(found.microseconds == 480_000)
    #expect(Metadata(of: .bytes(photo + film)).attachments == [.video])
    let line = "a film (motion photo): \(film.count) bytes at offset \(photo.count)"
    #expect(Self.lines(photo + film) == [line])
  }

  /// The film is found by its bytes, not by the length that the metadata state.
  @Test(arguments: [1, 128, 999_999]) func aFilmIsFoundDespiteAWrongLengthInTheXMP(
    _ length: Int
  ) throws {
    let (film, photo) = (Self.film(), try Self.photo(MotionPhotoFile.listing(length)))
    let found = try #require(EmbeddedFilm(in: .bytes(photo + film + [1, 2, 3])))
    #expect(found.range == photo.count..<(photo.count + film.count))
    let line = Self.lines(photo + film)[0]
    #expect(line.hasSuffix("; its metadata state \(length) bytes"))
  }

  @Test func theOlderXMPPropertiesOfMotionPhotosAreRead() throws {
    let film = Self.film()
    let photo = try Self.photo(
      "<GCamera:MicroVideo>1</GCamera:MicroVideo><GCamera:MicroVideoOffset>\(film.count)"
        + "</GCamera:MicroVideoOffset><GCamera:MicroVideoPresentationTimestampUs>77"
        + "</GCamera:MicroVideoPresentationTimestampUs>")
    let found = try #require(EmbeddedFilm(in: .bytes(photo + film)))
    #expect(found.range.count == film.count)
    #expect(found.statedLength == film.count)
    #expect(found.microseconds == 77)
  }

  /// Older Samsung phones store the film in a trailer at the end of the file, and do not mention it
  /// in XMP.
  @Test func theFilmInTheTrailerOfASamsungPhotoIsFound() throws {
    let (film, photo) = (Self.film(), try Self.photo())
    let head = [0, 0, 0x30, 0x0A, 16, 0, 0, 0] + Array("MotionPhoto_Data".utf8)
    let tail = Array("SEFH".utf8) + [UInt8](repeating: 0, count: 20) + Array("SEFT".utf8)
    let found = try #require(EmbeddedFilm(in: .bytes(photo + head + film + tail)))
    #expect(found.range.lowerBound == photo.count + head.count)
    #expect(found.range.count == film.count)
    #expect(found.statedLength == nil)
    #expect(found.microseconds == -1)
  }

  /// The XMP may still name a film after another program has removed or truncated the film.
  @Test func aFilmThatTheXMPNamesButTheFileLacksIsNotFound() throws {
    let photo = try Self.photo(MotionPhotoFile.listing(200))
    for file in [photo, photo + Self.film().dropLast(4), photo + Self.film().dropFirst(8)] {
      #expect(EmbeddedFilm(in: .bytes(file)) == nil)
      #expect(Metadata(of: .bytes(file)).attachments.isEmpty)
      #expect(
        Self.lines(file) == ["says that it contains a film (motion photo), but contains none"])
    }
    #expect(Self.lines(try Self.photo()).isEmpty)
  }

  /// If a file contains several films, the last one is the photo's, even if the search reads the
  /// file in parts.
  @Test func theLastOfSeveralFilmsInAPhotoIsUsed() throws {
    let photo = try Self.photo(MotionPhotoFile.listing(10))
    let first = Self.film(1_048_576 - photo.count - 20)
    let all = photo + first + [UInt8](repeating: 0xFF, count: 9)
    let found = try #require(EmbeddedFilm(in: .bytes(all + Self.film())))
    #expect(found.range == all.count..<(all.count + Self.film().count))
    for shift in 0..<12 {
      let padded = photo + [UInt8](repeating: 9, count: 1_048_570 - photo.count + shift)
      let found = EmbeddedFilm(in: .bytes(padded + Self.film()))
      #expect(found?.range.lowerBound == padded.count)
    }
  }

  @Test func aFilmWithABoxOfAnotherTypeIsFound() throws {
    let photo = try Self.photo(MotionPhotoFile.listing(10))
    let usual = Self.film()
    let first = Box.all(in: .bytes(usual), 0..<usual.count)[0].end
    let all = usual[..<first] + Self.box("beam", [1, 2, 3]) + usual[first...]
    let found = try #require(EmbeddedFilm(in: .bytes(photo + all + Self.box("junk", [1]))))
    #expect(found.range == photo.count..<(photo.count + all.count))
  }

  /// A film stays in a photo from which a program has removed the XMP; zeros may follow it.
  @Test(arguments: [0, 9]) func aFilmBehindAPhotoWithoutXMPIsFound(_ zeros: Int) throws {
    let (photo, end) = (try Self.photo(), [UInt8](repeating: 0, count: zeros))
    let found = EmbeddedFilm(in: .bytes(photo + Self.film() + end))
    #expect(found?.range == photo.count..<(photo.count + Self.film().count))
    #expect(found?.statedLength == nil && found?.microseconds == -1)
    // The search does not begin in a file that ends as a picture.
    #expect(EmbeddedFilm(in: .bytes(photo + Self.film() + [0xFF, 0xD9] + end)) == nil)
  }

  /// A photo that is cut off anywhere has no film.
  @Test func aPhotoThatIsCutOffHasNoFilm() throws {
    for photo in [try Self.photo(), try Self.photo(MotionPhotoFile.listing(10))] {
      for count in 0..<photo.count {
        #expect(EmbeddedFilm(in: .bytes(Array(photo.prefix(count)))) == nil)
      }
    }
  }

  /// A film that is cut off is damaged; a photo of which a program has removed the film is not.
  @Test func aFilmThatIsCutOffIsDamaged() throws {
    let photo = try Self.photo(MotionPhotoFile.listing(10))
    let part = Self.film().dropLast(20)
    func search(_ file: [UInt8]) -> EmbeddedFilm.Search { EmbeddedFilm.search(.bytes(file)) }
    #expect(search(photo + part) == .damaged)
    // Other pictures, whose bytes are read in parts, can be between the photo and the film.
    for shift in 0..<6 {
      let others = [UInt8](repeating: 9, count: 1_048_572 + shift)
      #expect(search(photo + others + part) == .damaged)
    }
    #expect(search(photo) == .none)
    #expect(search(try Self.photo() + part) == .none)
    let whole = search(photo + Self.film())
    #expect(whole == EmbeddedFilm(in: .bytes(photo + Self.film())).map { .film($0) })
  }

  /// Each of the boxes could be the start of a film that extends to the end of the file, so a
  /// search without a limit would take hours.
  @Test func theSearchForAFilmInManyNestedBoxesEnds() throws {
    let boxes = [[UInt8]](repeating: [0, 0, 0, 8] + Array("ftyp".utf8), count: 200_000)
    #expect(
      EmbeddedFilm(in: .bytes(try Self.photo(MotionPhotoFile.listing(10)) + boxes.joined())) == nil)
  }

  @Test(.enabled(if: Corpus.isHere)) func theFilmOfARealPhotoWithAWrongLengthIsFound() throws {
    let folder = try #require(Corpus.folder)
    let file = try Array(Data(contentsOf: URL(filePath: "\(folder)/live/samsung-one-ui-6.heic")))
    let found = try #require(EmbeddedFilm(in: .bytes(file)))
    // ExifTool finds the same box; the length in the metadata includes the data that Samsung
    // appends to the film.
    #expect(found.range == 452_284..<3_678_753)
    #expect(found.statedLength == 3_226_668)
    #expect(found.microseconds == 3_000_000)
    let path = "\(folder)/aux/lychee/google_motion_photo_broken.jpg"
    let broken = try Array(Data(contentsOf: URL(filePath: path)))
    #expect(EmbeddedFilm(in: .bytes(broken)) == nil)
    #expect(!Metadata(of: .bytes(broken)).attachments.contains(.video))
  }
}
