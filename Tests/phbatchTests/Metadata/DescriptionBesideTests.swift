import Foundation
import TestSupport
import Testing

/// Texts in XMP files beside a photo, which renditions get in place of the photo's own.
@Suite struct DescriptionBesideTests {
  private static func xmp(_ title: String, keywords: [String] = ["harbour", "boat"]) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
     xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
     xmlns:darktable="http://darktable.sf.net/" xmp:Rating="4" tiff:Orientation="6"
     tiff:Model="Another" exif:GPSLatitude="48,51.5N" exif:GPSLongitude="2,17.6E"
     darktable:xmp_version="5">
     <dc:title><rdf:Alt><rdf:li xml:lang="x-default">\(title)</rdf:li>
     <rdf:li xml:lang="fr">Le port</rdf:li></rdf:Alt></dc:title>
     <dc:creator><rdf:Seq><rdf:li>Ada</rdf:li></rdf:Seq></dc:creator>
     <dc:subject><rdf:Bag>\(keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined())</rdf:Bag>
     </dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
    """
  }

  private func text(_ place: Workplace, _ name: String) throws -> String {
    String(decoding: try place.read(name), as: UTF8.self)
  }

  @Test(arguments: ["a.xmp", "a.jpg.xmp"])
  func renditionsGetTheTextsOfTheFileBesideThePhoto(_ name: String) throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("The harbour"), to: "photos/\(name)")
    try place.recipe(
      output: #""name": "all", "format": "jpeg", "metadata": "all""#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let made = try text(place, "a.all.jpg")
    for kept in ["The harbour", "Le port", "Ada", "harbour", "boat", "48,51.5", "Rating>4<"] {
      #expect(made.contains(kept), "\(kept)")
    }
    for dropped in ["Another", "darktable", "Orientation"] {
      #expect(!made.contains(dropped), "\(dropped)")
    }
    // The photo itself, and a rendition whose policy keeps none of them, are as before.
    #expect(try !text(place, "a.jpg").contains("harbour"))
    try place.recipe(
      "none", variant: "none", output: #""name": "none", "format": "jpeg", "metadata": "none""#)
    #expect(try place.reasons("none").reasons["a.jpg"] == "rendered")
    #expect(try !text(place, "a.none.jpg").contains("harbour"))
  }

  /// As in renditions, coordinates and texts are those of the file beside the photo, and the camera
  /// is that of the photo.
  @Test(arguments: [
    (#""gps": true, "keywords": "harbour", "rating": 4"#, "rendered"),
    (#""camera": "Another""#, "not-selected"),
  ])
  func aRecipeSelectsPhotosByTheDescriptionBesideThem(_ condition: String, _ reason: String) throws
  {
    let place = try Workplace()
    try place.folder.write(Self.xmp("The harbour"), to: "photos/a.xmp")
    try place.recipe(more: #""select": { "where": { \#(condition) } },"#)
    #expect(try place.reasons().reasons == ["a.jpg": reason])
  }

  /// `web` keeps the creator only.
  @Test func thePolicyAppliesToTheTexts() throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("The harbour"), to: "photos/a.xmp")
    try place.recipe(output: #""name": "web", "format": "jpeg""#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let made = try text(place, "a.web.jpg")
    #expect(made.contains("Ada"))
    #expect(!made.contains("harbour") && !made.contains("GPS"))
  }

  /// A file named after the photo's whole name precedes one named after its stem.
  @Test func theFileWithTheWholeNameComesFirst() throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("By the stem"), to: "photos/a.xmp")
    try place.folder.write(Self.xmp("By the name"), to: "photos/a.jpg.xmp")
    try place.recipe(
      output: #""name": "all", "format": "jpeg", "#
        + #""metadata": { "preset": "web", "set": { "headline": "{title}" } }"#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let made = try text(place, "a.all.jpg")
    #expect(made.contains("By the name") && !made.contains("By the stem"))
  }

  /// EXIF and placeholders have one language, the first one.
  @Test func textsOfOtherLanguagesAreOnlyInXMP() throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("The harbour"), to: "photos/a.xmp")
    try place.recipe(
      output: #""name": "all", "format": "jpeg", "metadata": { "preset": "all", "#
        + #""set": { "description": "About {title}" } }"#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let made = try text(place, "a.all.jpg")
    #expect(made.contains("About The harbour") && !made.contains("harbour; Le port"))
  }

  /// A rendition cannot be rendered again with texts that are gone, so it is kept until `undo`.
  @Test func undoBringsBackTheTextsThatARenditionHad() throws {
    let place = try Workplace()
    func run(_ version: String, title: String) throws -> [UInt8] {
      try place.folder.write(Self.xmp(title), to: "photos/a.xmp")
      try place.folder.write(
        """
        { "identifier": "org.example.described", "version": "1.0.0",
          "filters": [ { "filter": "exposure", "stops": \(version) } ],
          "outputs": [ { "name": "all", "format": "jpeg", "metadata": "all" } ] }
        """, to: "recipe.json")
      #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
      return try place.read("a.all.jpg")
    }
    let first = try run("0.5", title: "Alpha")
    _ = try run("1", title: "Beta")
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("a.all.jpg") == first)
  }

  /// An edit on top of another one gets what that one has set.
  @Test func anEditThatStartsFromARenditionKeepsItsTexts() throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("The harbour"), to: "photos/a.xmp")
    try place.recipe(
      "first", variant: nil,
      output: #""name": "first", "format": "jpeg", "current": true, "#
        + #""metadata": { "preset": "all", "drop": ["keywords"], "set": { "title": "Mine" } }"#)
    #expect(try place.reasons("first").reasons == ["a.jpg": "rendered"])
    try place.recipe(
      "second", variant: "second", from: "current",
      output: #""name": "second", "format": "jpeg", "metadata": "all""#)
    #expect(try place.reasons("second").reasons["a.jpg"] == "rendered")
    let made = try text(place, "a.second.jpg")
    #expect(made.contains("Mine") && made.contains("Ada"))
    #expect(!made.contains("The harbour") && !made.contains("boat"))
  }

  @Test func aChangedTextDoesNotMakeRenditionsStale() throws {
    let place = try Workplace()
    try place.folder.write(Self.xmp("Before"), to: "photos/a.xmp")
    try place.recipe(output: #""name": "all", "format": "jpeg", "metadata": "all""#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try place.folder.write(Self.xmp("After"), to: "photos/a.xmp")
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(try Command.run(["revert", place.path("photos/a.jpg"), "--yes"]).code == 0)
    #expect(try place.reasons("recipe", "--redo").reasons == ["a.jpg": "rendered"])
    #expect(try text(place, "a.all.jpg").contains("After"))
  }

  /// A web set describes a photo as its renditions do; a rating that is none leaves the photo's own.
  @Test func webSetsDescribeThePhotoByTheFileBesideIt() throws {
    let place = try Workplace()
    let file = Self.xmp("The harbour").replacingOccurrences(
      of: "Rating=\"4\"", with: "Rating=\"9\"")
    try place.folder.write(file, to: "photos/a.xmp")
    try place.recipe(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [40], "formats": ["jpeg"],
        "path": "{root}/img/{stem}-{width}.{ext}", "metadata": "all"
        """#)
    #expect(try place.run().code == 0)
    #expect(try text(place, "web.json").contains("\"alt\": \"The harbour\""))
    #expect(try !text(place, "img/a-40.jpg").contains("Rating"))
  }
}
