import Foundation
import TestSupport
import Testing
import Vips

/// The focal point and the marked faces of the original in edits that start from a rendition.
@Suite struct RenditionFrameTests {
  private let place: Workplace
  private var photo: String { place.path("photos/a.png") }

  /// The photo is 900 × 300 pixels large; red grows with the column.
  init() throws {
    place = try Workplace([])
    try place.folder.write(Self.ramp.file(), to: "photos/a.png")
  }

  private static var ramp: Samples {
    let values = (0..<300 * 900).flatMap { [$0 % 900 / 4, 60, 60] }
    return Samples(width: 900, height: 300, bands: 3, maximum: 255, values: values)
  }

  private func recipe(
    _ name: String, variant: Bool = true, from: String = "original", _ filters: String
  ) throws {
    let stack = variant ? #""variant": "\#(name)", "from": "\#(from)","# : ""
    try place.folder.write(
      """
      {
        "identifier": "org.example.\(name)", "version": "1.0.0", \(stack)
        "filters": [ \(filters) ], "outputs": [ { "name": "\(name)", "format": "png" } ]
      }
      """, to: "\(name).json")
  }

  private func run(_ recipes: String...) throws {
    for recipe in recipes {
      let run = try place.run(recipe)
      #expect(run.code == 0, "\(run.messages)")
    }
  }

  private func samples(_ output: String) throws -> Samples {
    try Samples(file: place.read("a.\(output).png"))
  }

  private static let square = #"{ "filter": "smartCrop", "aspect": "1:1" }"#
  private static let flip = #"{ "filter": "flip" }"#

  /// A point is at the same place of the scene in one recipe and in a variant of its first part.
  @Test(arguments: [
    flip, #"{ "filter": "rotate", "angle": 90 }"#,
    #"{ "filter": "crop", "left": 0.5, "width": 0.5 }"#,
    #"{ "filter": "smartCrop", "aspect": "2:1" }"#,
  ])
  func theFocalPointFollowsTheMainEdit(_ filter: String) throws {
    try recipe("main", variant: false, filter)
    try recipe("v", from: "current", Self.square)
    let square = #"{ "filter": "smartCrop", "id": "square", "aspect": "1:1" }"#
    try recipe("one", "\(filter), \(square)")
    let adjusted = try Command.run(
      ["adjust", photo, "--recipe", place.path("v.json"), "--library", place.library]
        + ["--focal-point", "0.9,0.5"])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    try run("v", "one", "main", "v")
    let (v, one) = (try samples("v"), try samples("one"))
    #expect(v.difference(from: one) <= 1, "\(v[0, 0]) \(one[0, 0])")
  }

  /// The edits below are recorded, and rendered again if their renditions are missing.
  @Test func theFocalPointFollowsAllEditsOfAStack() throws {
    let crop = #"{ "filter": "crop", "width": 0.6 }"#
    try recipe("first", variant: false, Self.flip)
    try recipe("second", variant: false, crop)
    try recipe("third", variant: false, Self.square)
    try recipe("one", "\(Self.flip), \(crop), \(Self.square)")
    try run("first", "second", "third")
    for point in ["0.55,0.5", "0.8,0.5"] {
      #expect(try Command.run(["adjust", photo, "--focal-point", point]).code == 0)
      try run("third", "one")
      #expect(try samples("third").difference(from: samples("one")) <= 1)
      for name in ["first", "second"] {
        try FileManager.default.removeItem(atPath: place.path("photos/a.\(name).png"))
      }
    }
  }

  @Test func onlyAnotherFrameIsRecorded() throws {
    try recipe("plain", #"{ "filter": "resize", "width": 90 }, { "filter": "sepia" }"#)
    try recipe("turned", Self.flip)
    try run("plain", "turned")
    let renditions = try place.sidecar("a.png").components(separatedBy: #""renditions""#)
    #expect(renditions.map { $0.contains(#""frame""#) } == [false, false, true])
    let numbers = renditions[2].components(separatedBy: #""frame": ["#)[1]
      .prefix { $0 != "]" }.filter { !$0.isWhitespace }
    #expect(numbers == "-1,0,1,0,1,0,0,0,1")
  }

  /// A frame without an inverse is damaged, like any other record that cannot be true.
  @Test func aDamagedFrameIsReported() throws {
    try recipe("turned", Self.flip)
    try run("turned")
    try place.edit("a.png") { text in
      text.replacing(/"frame": \[\s+-1,/, with: "\"frame\": [0,")
    }
    #expect(try place.reasons("turned").reasons == ["a.png": "corrupt-sidecar"])
  }

  /// The main rendition does not contain the marks, because the metadata policy removes them.
  @Test func markedFacesFollowTheMainEdit() throws {
    try FileManager.default.removeItem(atPath: photo)
    try place.folder.write(
      Self.marked(try Self.ramp.file("jpegsave_target", ["Q": .integer(95)])),
      to: "photos/a.jpg")
    try recipe("main", variant: false, Self.flip)
    try recipe("mask", from: "current", #"{ "filter": "invert", "mask": { "face": "all" } }"#)
    try recipe("crop", from: "current", Self.square)
    try run("main", "mask", "crop")
    let (plain, masked) = (try samples("main"), try samples("mask"))
    // The face is from 85 % to 95 % of the width, and from 35 % to 65 % of the height.
    #expect(abs(plain[90, 150, 1] - masked[90, 150, 1]) > 100)
    #expect(plain[810, 150, 1] == masked[810, 150, 1])
    // Red decreases after the flip.
    #expect(try samples("crop")[0, 150, 0] > 200)
  }

  /// A JPEG file with XMP that marks one face.
  private static func marked(_ file: [UInt8]) -> [UInt8] {
    let packet = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
       xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
      <rdf:Description rdf:about=""><mwg-rs:Regions rdf:parseType="Resource">
      <mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
      <mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Area stArea:x="0.9" stArea:y="0.5" stArea:w="0.1"
       stArea:h="0.3" stArea:unit="normalized"/></rdf:li></rdf:Bag></mwg-rs:RegionList>
      </mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let content = Array(packet.utf8)
    let length = [UInt8((content.count + 2) >> 8), UInt8(truncatingIfNeeded: content.count + 2)]
    return file[..<2] + [0xFF, 0xE1] + length + content + file[2...]
  }
}
