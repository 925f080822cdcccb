import Foundation
import TestSupport
import Testing

/// The digest of the original in renditions of films, by which phbatch recognizes them.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmOriginTests {
  private func recipe(
    _ place: Workplace, _ name: String, _ output: String, filters: String = resize
  ) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.\(name)", "version": "1.0.0", "variant": "\(name)",
        "filters": [ \(filters) ], "outputs": [ { "name": "\(name)", \(output) } ] }
      """, to: "\(name).json")
  }

  private static let resize = #"{ "filter": "resize", "longEdge": 64 }"#

  /// XMP in a box at the end of a film.
  private static let known: [UInt8] = {
    let packet =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF "#
      + #"xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description "#
      + #"xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="Winner"/></rdf:RDF></x:xmpmeta>"#
    let identifier: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
      0xAC,
    ]
    return box("uuid", identifier + Array(packet.utf8))
  }()

  /// The same XMP in a box of QuickTime's user data.
  private static var userData: [UInt8] {
    box("udta", box("XMP_", Array(known.dropFirst(24))))
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 8
    return [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(name.utf8) + content
  }

  /// An original, an output's format, and settings of the output.
  static let films: [(kind: FilmCommandTests.Kind, settings: String, ending: String)] = [
    (FilmCommandTests.kinds[0], #""format": "mp4""#, "mp4"),
    (FilmCommandTests.kinds[0], #""format": "mp4", "from": "0.2s", "to": "0.8s""#, "mp4"),
    (FilmCommandTests.kinds[3], #""format": "mp4""#, "mp4"),
    (FilmCommandTests.kinds[0], #""format": "mov", "metadata": "all""#, "mov"),
    (FilmCommandTests.kinds[2], #""format": "webm", "metadata": "all""#, "webm"),
  ]

  @Test(arguments: films) func aRenditionIsRecognizedWithoutSidecarAndStateFolder(
    _ kind: FilmCommandTests.Kind, _ settings: String, _ ending: String
  ) throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/\(kind.name)"), kind.options)
    try recipe(place, "small", settings)
    #expect(try place.reasons("small").reasons == [kind.name: "rendered"])
    let made = "\((kind.name as NSString).deletingPathExtension).small.\(ending)"
    #expect(try !FFmpeg.probe(place.path("photos/\(made)"), "stream=codec_name").isEmpty)
    for name in ["\(kind.name).phbatch.json", ".phbatch"] {
      try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    }
    try recipe(place, "other", #""format": "\#(ending)""#)
    #expect(try place.reasons("other").reasons == [kind.name: "rendered", made: "orphan"])
  }

  /// A part that is cut without encoding has the mark, too; a copy of the whole film has none.
  @Test func aPartHasTheMarkAndACopyHasNot() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), FilmCommandTests.kinds[0].options)
    let mark = "urn:phbatch:sha256:"
    for (name, span, isMarked) in [
      ("part", #", "from": "0.2s", "to": "0.8s""#, true), ("whole", "", false),
    ] {
      try recipe(place, name, #""format": "mp4""# + span, filters: "")
      #expect(try place.reasons(name).reasons["a.mp4"] == "rendered")
      let text = String(decoding: try place.read("a.\(name).mp4"), as: UTF8.self)
      #expect(text.contains(mark) == isMarked, "\(name)")
    }
  }

  /// A film with XMP at its end, or in the user data of its header, which is its last box.
  private static func described(_ film: [UInt8], inHeader: Bool) throws -> [UInt8] {
    if !inHeader { return film + known }
    let name = Array("moov".utf8)
    let place = try #require((4..<film.count - 4).last { film[$0..<$0 + 4].elementsEqual(name) })
    let length = film[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
    #expect(place - 4 + length == film.count)
    let new = length + userData.count
    var film = film
    for byte in 0..<4 { film[place - 4 + byte] = UInt8(new >> (24 - 8 * byte) & 0xFF) }
    return film + userData
  }

  @Test(arguments: [("web", false, true), ("all", true, true), ("none", false, false)])
  func theMarkIsAddedToTheXMPThatAFilmKeeps(
    _ policy: String, keepsXMP: Bool, isMarked: Bool
  ) throws {
    for inHeader in [false, true] {
      let place = try Workplace([])
      let film = place.path("photos/a.mp4")
      try FFmpeg.makeFilm(film, FilmCommandTests.kinds[0].options)
      let original = try Self.described(place.read("a.mp4"), inHeader: inHeader)
      try Data(original).write(to: URL(filePath: film))
      try recipe(place, "small", #""format": "mp4", "metadata": "\#(policy)""#)
      #expect(try place.reasons("small").reasons == ["a.mp4": "rendered"])
      let text = String(decoding: try place.read("a.small.mp4"), as: UTF8.self)
      #expect(text.contains("Winner") == keepsXMP)
      #expect(text.contains("urn:phbatch:sha256:") == isMarked)
      #expect(text.components(separatedBy: "<rdf:RDF").count == (keepsXMP || isMarked ? 2 : 1))
      #expect(try FFmpeg.times(place.path("photos/a.small.mp4")) == FFmpeg.times(film))
    }
  }
}
