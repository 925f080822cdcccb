import FileStructure
import FoundationEssentials
import PhotoMetadata
import PhotoRecipes
import Vips

/// A film, and its first frame as a photo.
///
/// Recipes are planned for this photo: its header, its measured values and its previews represent all
/// frames. Only maps of places are measured in each frame; see `FrameMaps`.
public struct FilmPhoto: Sendable {
  let descriptor: Int32
  let codec: any FilmCodec
  public let facts: FilmFacts
  /// The part of the film that is rendered; nil for the whole film.
  private(set) var span: FilmSpan?
  /// True for the film of a motion photo or of a Live Photo.
  var belongsToPhoto = false
  /// True for the film of a Live Photo, whose identifier joins it with the photo.
  var isPaired = false
  /// The first frame as an uncompressed TIFF file with the film's orientation, and with its profile
  /// unless the film is HDR; the header states the range of an HDR film.
  ///
  /// The first frame of the part, if only a part of the film is rendered.
  public private(set) var still: PhotoFile
  public let header: PhotoHeader

  /// Reads a film's header and decodes its first frame.
  ///
  /// - Throws: `unreadableFilm` for a damaged film, `unsupportedFilm` for a film whose colours or
  ///   fields cannot be edited.
  public init(_ descriptor: Int32, _ codec: any FilmCodec) throws(RenderError) {
    if FilmEnd.isMissing(in: .descriptor(descriptor)) {
      throw .unreadableFilm("the file ends early")
    }
    let reader = try codec.film(in: descriptor, ignoresEdits: false, threads: 1)
    guard try reader.next() != nil else { throw .unreadableFilm("the file contains no frame") }
    let facts = reader.facts
    if let obstacle = facts.obstacle { throw .unsupportedFilm(obstacle) }
    self.descriptor = descriptor
    self.codec = codec
    self.facts = facts
    still = try reader.photo()
    var header = try PhotoHeader(of: still, InputSettings())
    header.dynamicRange = facts.dynamicRange
    header.captureDate = FilmDate.recorded(in: .descriptor(descriptor))
    header.texts["date"] = header.captureDate
    self.header = header
  }

  /// The share of the film's frames, 0…1, that an output shows.
  func share(of output: Output) -> Double {
    if output.frame != nil { return 0 }
    if output.range.isWhole { return 1 }
    return (try? FilmSpan(output.range, of: facts, output: output.name))?.share(of: facts) ?? 1
  }

  /// The part of the film from which an output is made.
  ///
  /// - Throws: `missingPart` if the film does not have this part.
  func part(for output: Output) throws(RenderError) -> FilmPhoto {
    if output.range.isWhole { return self }
    let span = try FilmSpan(output.range, of: facts, output: output.name)
    let reader = try codec.film(in: descriptor, ignoresEdits: false, threads: 1)
    let stamps = span.stamps(in: reader)
    guard !stamps.isEmpty, try reader.cut(to: stamps), try reader.next() != nil else {
      throw .missingPart(output: output.name, "no frame of the film begins in this part")
    }
    var part = self
    (part.span, part.still) = (span, try reader.photo())
    return part
  }

  /// Decodes the frame at a moment, as a photo.
  ///
  /// - Returns: The photo, and the film's duration if the film ends before the moment; the photo is
  ///   then the last frame.
  /// - Throws: `unreadableFilm` for a damaged film.
  func photo(at moment: FilmMoment) throws(RenderError) -> (photo: PhotoFile, endsAt: Double?) {
    let reader = try codec.film(in: descriptor, ignoresEdits: false, threads: 1)
    let found: Bool?
    switch moment {
    case .seconds(let seconds): found = try reader.find(seconds: seconds)
    // The frame at the end of the film is the last one.
    case .fraction(let fraction):
      found = try reader.find(seconds: fraction * facts.seconds).map { _ in true }
    }
    guard let found else { throw .unreadableFilm("it contains no frame") }
    return (try reader.photo(), found ? nil : facts.seconds)
  }
}

extension FilmFacts {
  /// The reason why the film cannot be edited; nil if it can.
  fileprivate var obstacle: String? {
    if isInterlaced { return "the frames consist of two fields (interlaced)" }
    return needsDolbyVision ? "only players with Dolby Vision show its colours" : nil
  }

  /// The coding of light of an HDR film; nil for a film of the standard range.
  var transfer: HDRTransfer? {
    switch coding.transfer {
    case 16: .pq
    case 18: .hlg
    default: nil
    }
  }

  /// The space of an HDR film's colours; BT.2020 if the film states none.
  var brightSpace: OutputProfile {
    switch coding.primaries {
    case 1, 4, 5, 6, 7: .srgb
    case 11, 12: .displayP3
    default: .rec2020
    }
  }

  /// The range of an HDR film; nil for a film of the standard range.
  fileprivate var dynamicRange: HighDynamicRange? {
    guard let transfer else { return nil }
    let points = CodePoints(transfer, brightSpace)
    return HighDynamicRange(
      transfer == .pq ? .pq : .hlg, points.spacePrimaries ?? .rec2020,
      peak: peak > 0 ? peak : nil)
  }

  /// The space of the film's colours; nil for most films, whose primaries are almost the primaries
  /// of sRGB.
  ///
  /// The tones are taken as sRGB's, as players on computers and phones show them.
  fileprivate var profile: StandardProfile? {
    // The code points state the space of an HDR film; no profile describes it.
    if dynamicRange != nil { return nil }
    return switch coding.primaries {
    case 9:
      StandardProfile(
        description: "BT.2020 with sRGB's curve", primaries: .rec2020,
        tone: StandardProfile.srgb.tone)
    case 11, 12: .displayP3
    default: nil
    }
  }
}

extension FilmReader {
  /// The last frame as an uncompressed TIFF file with the film's profile and orientation.
  fileprivate func photo() throws(RenderError) -> PhotoFile {
    do throws(VipsError) {
      var fields: [String: Vips.Field?] = ["orientation": .integer(facts.orientation.rawValue)]
      if let profile = facts.profile { fields["icc-profile-data"] = .blob(profile.bytes) }
      let target = Target()
      try image().setting(fields)
        .save(to: target, as: "tiffsave_target", ["compression": .choice("none")])
      return .bytes(target.bytes())
    } catch {
      throw RenderError(error)
    }
  }

  /// The last frame as an image.
  func image() throws(VipsError) -> Image {
    let (size, isDeep) = (facts.stored, facts.coding.bits > 8)
    return try Image(
      width: size.width, height: size.height, bands: 3, format: isDeep ? .ushort : .uchar
    ) { copySamples(to: &$0) }
    .applying("copy", ["interpretation": .choice(isDeep ? "rgb16" : "srgb")])
  }
}

/// The date in the header of a film.
enum FilmDate {
  /// The seconds from 1904, the origin of QuickTime's dates, to 1970.
  private static let epoch = 2_082_844_800

  /// The date at which a film was recorded, `yyyy-MM-ddTHH:mm:ss`; nil if none is stated.
  ///
  /// Apple's key states it in local time; the header of the film states it in UTC.
  static func recorded(in file: ByteSource) -> String? {
    let top = Box.all(in: file, 0..<file.count)
    guard let movie = top.first(where: { $0.name == "moov" }) else { return nil }
    let boxes = Box.all(in: file, movie.content)
    if let meta = boxes.first(where: { $0.name == "meta" }),
      let text = file.whole(at: meta.offset, meta.length, limit: 1 << 20).flatMap(appleDate)
    {
      return text
    }
    guard let header = boxes.first(where: { $0.name == "mvhd" }),
      let version = file.number(at: header.content.lowerBound, 1, .big),
      let time = file.number(at: header.content.lowerBound + 4, version == 1 ? 8 : 4, .big),
      time > epoch, time < 1 << 40
    else { return nil }
    let date = Date(timeIntervalSince1970: Double(time - epoch))
    return String(date.formatted(.iso8601).prefix(19))
  }

  /// Finds a date such as `2024-01-31T10:00:00+0100` behind the name of Apple's key.
  private static func appleDate(_ meta: [UInt8]) -> String? {
    let text = String(decoding: meta.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
    guard text.contains("com.apple.quicktime.creationdate") else { return nil }
    let bytes = Array(text.utf8)
    let shape = Array("0000-00-00T00:00:00".utf8)
    guard bytes.count >= shape.count else { return nil }
    for start in 0...(bytes.count - shape.count) {
      let part = bytes[start..<(start + shape.count)]
      let fits = zip(part, shape).allSatisfy { byte, sign in
        sign == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sign
      }
      if fits { return String(decoding: part, as: UTF8.self) }
    }
    return nil
  }
}
