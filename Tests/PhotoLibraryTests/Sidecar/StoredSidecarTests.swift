import Notation
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Sidecars written by earlier versions stay readable; see Stored/README.md.
@Suite struct StoredSidecarTests {
  @Test(arguments: StoredLibrary.all)
  func sidecarsOfEarlierVersionsAreRewrittenWithTheSameBytes(_ name: String) throws {
    let stored = try StoredLibrary(name)
    defer { withExtendedLifetime(stored) {} }
    let files = try RealFileSystem(root: stored.folder.path)
    var count = 0
    for case .success(let folder) in Scan(files) {
      for file in folder.sidecars {
        let path = folder.path.appending(try #require(file.name.component))
        let bytes = try files.read(path, limit: Sidecar.sizeLimit)
        #expect(try Sidecar(SourceText(name: "sidecar", bytes: bytes)).text() == bytes)
        count += 1
      }
    }
    #expect(count > 0)
  }

  private static func sidecar(_ library: String, _ photo: String = "a.png") throws -> Sidecar {
    let stored = try StoredLibrary("0.1.0/\(library)")
    let bytes = try stored.folder.read("library/\(photo).phbatch.json")
    return try Sidecar(SourceText(name: photo, bytes: bytes))
  }

  @Test func aSidecarOfAnEarlierVersionWithOneEditIsRead() throws {
    let sidecar = try Self.sidecar("plain", "trip/day 2/c.png")
    #expect(sidecar.original.file.text == "c.png")
    #expect(sidecar.original.width == 24 && sidecar.original.height == 16)
    #expect(sidecar.original.bytes == 1007)
    #expect(sidecar.original.date == "2020-09-13T12:26:40")
    let adjustment = try #require(sidecar.adjustments.first)
    #expect(sidecar.adjustments.count == 1)
    #expect(adjustment.formatIdentifier == "org.example.web")
    #expect(adjustment.version == SemanticVersion("1.0.0"))
    #expect(adjustment.variant == "web" && adjustment.base == .original)
    #expect(adjustment.date == "2023-11-14T22:13:20Z")
    #expect(adjustment.settings.count == 64)
    #expect(adjustment.engine["revision"]?.integer == 1)
    #expect(adjustment.recipe["filters"]?.array?.first?["stops"]?.number == 0.5)
    let rendition = try #require(adjustment.current)
    #expect(rendition.output == "web" && rendition.file.text == "c.web.png")
    #expect(rendition.bytes == 562 && rendition.width == 24)
    #expect(
      adjustment.path(of: rendition, original: "trip/day 2/c.png", sidecar.original)
        == "trip/day 2/c.web.png")
  }

  @Test func aSidecarOfAnEarlierVersionWithStackedEditsIsRead() throws {
    let adjustments = try Self.sidecar("stack").stack(nil).map(\.adjustment)
    #expect(adjustments.map(\.formatIdentifier) == ["org.example.first", "org.example.second"])
    #expect(adjustments[1].base == adjustments[0].currentBase)
  }

  @Test func aSidecarOfAnEarlierVersionWithVariantsAndPathsIsRead() throws {
    let sidecar = try Self.sidecar("variants")
    #expect(sidecar.adjustments.map(\.variant) == [nil, "web", "dated"])
    #expect(sidecar.adjustments[1].base == sidecar.adjustments[0].currentBase)
    #expect(Array(sidecar.adjustments[1].files.keys) == ["mark.png"])
    let paths = sidecar.adjustments.flatMap { adjustment in
      adjustment.renditions.map {
        adjustment.path(of: $0, original: "a.png", sidecar.original)
      }
    }
    #expect(
      paths == ["a.web.png", "all/a.png.large.webp", "web/a-12x8.jpg", "2017/d274a6a0.tif"])
  }

  @Test(arguments: ["resumed", "replaced", "undone"])
  func aSidecarOfAnEarlierVersionWithOneRemainingEditIsRead(_ library: String) throws {
    let sidecar = try Self.sidecar(library)
    let version = library == "resumed" ? "1.1.0" : "1.0.0"
    #expect(sidecar.adjustments.map(\.formatVersion) == [version])
    #expect(sidecar.reversions.isEmpty && sidecar.kept.isEmpty)
  }

  @Test func aSidecarOfAnEarlierVersionWithARevertedEditIsRead() throws {
    let sidecar = try Self.sidecar("reverted")
    #expect(sidecar.adjustments.map(\.formatIdentifier) == ["org.example.web"])
    let reversion = try #require(sidecar.reversions.first)
    #expect(reversion.formatIdentifier == "org.example.edit" && reversion.variant == nil)
    #expect(reversion.overrides["exposure.stops"]?.number == 0.7)
  }

  @Test func aSidecarOfAnEarlierVersionWithThePhotosOwnSettingsIsRead() throws {
    let sidecar = try Self.sidecar("adjusted")
    let overrides = try #require(sidecar.adjustments.first?.overrides)
    #expect(overrides["exposure.stops"]?.number == 0.7)
    #expect(overrides["saturation.enabled"]?.bool == false)
    #expect(sidecar.focalPoint == Sidecar.FocalPoint(x: 0.25, y: 0.5))
  }

  @Test func aSidecarOfAnEarlierVersionWithAnAdoptedRenditionIsRead() throws {
    let adjustments = try Self.sidecar("adopted").adjustments
    #expect(adjustments.map(\.isForeign) == [false, true])
    #expect(adjustments[0].renditions.isEmpty)
    #expect(adjustments[1].foreign?.kind == ForeignRecord.adopted)
    #expect(adjustments[1].foreign?.current?.bytes == 1045)
    #expect(adjustments[1].renditions.map(\.bytes) == [554])
  }

  @Test func aSidecarOfAnEarlierVersionWithAKeptRenditionIsRead() throws {
    let sidecar = try Self.sidecar("kept")
    let kept = try #require(sidecar.kept.first)
    #expect(kept.formatIdentifier == "org.example.web" && kept.variant == "web")
    #expect(kept.path(of: "a.png", sidecar.original) == "a.web.png")
    #expect(sidecar.reversions.map(\.formatIdentifier) == ["org.example.web"])
  }

  @Test func aSidecarOfAnEarlierVersionWithAChangedOriginalIsRead() throws {
    let sidecar = try Self.sidecar("changed")
    let digests = sidecar.adjustments.map(\.originalSHA256)
    #expect(digests[0] == nil)
    #expect(digests[1]?.count == 64 && digests[1] != sidecar.original.sha256)
  }

  @Test(arguments: [
    ("a.png", "rawtherapee", "5.9", "a.png.pp3"), ("b.png", "camera-raw", "", "b.xmp"),
    ("IMG_1.png", "aae", "2.0", "IMG_1.AAE"),
  ])
  func aSidecarOfAnEarlierVersionWithAnotherProgramsEditIsRead(
    _ photo: String, _ kind: String, _ version: String, _ file: String
  ) throws {
    let adjustments = try Self.sidecar("other-programs", photo).adjustments
    let first = try #require(adjustments.first)
    #expect(adjustments.count == 2)
    #expect(first.foreign?.kind == kind && first.foreign?.file.text == file)
    #expect(first.formatVersion == version)
    #expect((first.foreign?.settingsSHA256 == nil) == (kind == "aae"))
    #expect(adjustments[1].base == (first.currentBase ?? .original))
  }

  @Test func aSidecarOfAnEarlierVersionForANonUTF8NameIsRead() throws {
    let stored = try StoredLibrary("0.1.0/names")
    let path = try #require(FilePath(bytes: Array("caf".utf8) + [0xE9] + Array(".png".utf8)))
    let files = try RealFileSystem(root: stored.library)
    let bytes = try files.read(Sidecar.path(of: path), limit: Sidecar.sizeLimit)
    let sidecar = try Sidecar(SourceText(name: "sidecar", bytes: bytes))
    #expect(sidecar.original.file.bytes == path.bytes)
    let rendition = Array("caf".utf8) + [0xE9] + Array(".web.png".utf8)
    #expect(sidecar.adjustments.first?.current?.file.bytes == rendition)
  }
}
