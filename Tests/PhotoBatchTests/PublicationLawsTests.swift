import Foundation
import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// Rules that hold whenever a run publishes an edit, for all states of the disk and all options.
@Suite struct PublicationLawsTests {
  /// The file at the path of an earlier edit's rendition.
  private enum Found: CaseIterable {
    case nothing, ours, changed
  }

  private static let ours = Array("as phbatch wrote it".utf8)
  private static let theirs = Array("as somebody left it".utf8)
  private static let new = Array("as it is rendered now".utf8)

  private static func context(
    of place: Library, _ options: BatchOptions = BatchOptions()
  ) throws -> EditContext {
    let root = try OutputRoot(recognizing: place.folder["photos"])
    try root.prepare()
    let session = LibrarySession(reading: root, options, nil)
    return session.context(
      options, originals: session.contents.originals, registry: FileRegistry(of: root))
  }

  private static func recipe(of place: Library) throws -> Recipe {
    try RecipeDocument(contentsOf: place.folder["recipe.json"]).recipe().recipe
  }

  private static func staged(
    _ bytes: [UInt8], _ context: EditContext
  ) throws -> StagedFile<OpenFile> {
    let staged = try context.publisher.stage(in: "")
    try context.root.files.write(bytes, to: staged.file)
    return staged
  }

  private static func record(_ bytes: [UInt8]) -> RenditionRecord {
    RenditionRecord(
      output: "web", file: RecordedName(bytes: Array("a.web.jpg".utf8)), bytes: bytes.count,
      sha256: "\(Digest(of: bytes))", width: 4, height: 3, isCurrent: false)
  }

  private static func adjustment(_ recipe: Recipe, _ bytes: [UInt8]) -> Adjustment {
    Adjustment(
      formatIdentifier: recipe.identifier, formatVersion: "1.0.0", variant: recipe.variant,
      base: .original, date: "", overrides: JSON.Object(), recipe: recipe.record,
      renditions: [record(bytes)], settings: "", engine: .object(JSON.Object()))
  }

  /// A file is replaced or removed without a copy only if a sidecar records it and its bytes are
  /// those that phbatch wrote.
  ///
  /// Any other file is replaced only if an option requires it, and is then kept in the trash.
  @Test func aFileThatPhbatchDidNotWriteIsReplacedOnlyByOptionAndKeptInTheTrash() throws {
    for found in Found.allCases {
      for isRecorded in [false, true] {
        for policy in ModifiedPolicy.allCases {
          for isMade in [false, true] {
            try Self.expectOwnersRight(found, isRecorded, policy, isMade)
          }
        }
      }
    }
  }

  private static func expectOwnersRight(
    _ found: Found, _ isRecorded: Bool, _ policy: ModifiedPolicy, _ isMade: Bool
  ) throws {
    let place = try Library(["a.jpg"])
    let recipe = try recipe(of: place)
    let digest = Digest(of: try place.folder.read("photos/a.jpg"))
    let original = OriginalRecord(
      file: RecordedName(bytes: Array("a.jpg".utf8)), bytes: Int(digest.count),
      sha256: "\(digest)", width: 400, height: 300, date: nil)
    if isRecorded {
      var sidecar = Sidecar(original: original)
      sidecar.adjustments = [adjustment(recipe, ours)]
      try place.folder.write(try sidecar.text(), to: "photos/a.jpg.phbatch.json")
    }
    switch found {
    case .nothing: break
    case .ours: try place.folder.write(ours, to: "photos/a.web.jpg")
    case .changed: try place.folder.write(theirs, to: "photos/a.web.jpg")
    }
    var options = BatchOptions()
    options.onModified = policy
    let context = try context(of: place, options)
    let asset = try #require(context.contents.assets.first { $0.path == "a.jpg" })
    let state = StackState(
      asset.path, try context.contents.usableSidecar(of: asset), recipe, context)
    var layers: [NewLayer] = []
    if isMade {
      let rendition = FinishedRendition(
        record: record(new), path: "a.web.jpg", digest: Digest(of: new),
        staged: try staged(new, context),
        facts: Rendering.Rendition(output: "web", size: Size(4, 3)))
      layers = [
        NewLayer(
          adjustment: adjustment(recipe, new), index: state.stack.first?.index,
          finished: [rendition])
      ]
    }
    let commit = StackCommit(
      context: context, asset: asset, state: state, layers: layers, original: original)
    do throws(PhotoFailure) {
      let edit = try commit.prepare(AssetOutcome(asset.path, .rendered))
      _ = context.publisher.publish([edit.group], isAtomic: false)
    } catch {
      #expect(error.reason == (isRecorded && found == .changed ? .modified : .occupied))
    }

    let name = "\(found), recorded: \(isRecorded), \(policy), made: \(isMade)"
    let after = try? place.folder.read("photos/a.web.jpg")
    let isOurs = isRecorded && found == .ours
    if found == .nothing || isOurs {
      #expect(after == (isMade ? new : nil), "\(name)")
    } else if isMade && isRecorded && policy == .overwrite {
      #expect(after == new, "\(name)")
      let trash = try place.folder.files().filter { $0.contains("/.phbatch/trash/") }
      #expect(try trash.contains { try place.folder.read($0) == theirs }, "\(name)")
    } else {
      #expect(after == (found == .ours ? ours : theirs), "\(name)")
    }
    #expect(Digest(of: try place.folder.read("photos/a.jpg")) == digest, "\(name)")
    // A file that was kept at a rendition's path is not treated as a photo.
    if isRecorded {
      #expect(try Self.context(of: place).contents.assets.map(\.path) == ["a.jpg"], "\(name)")
    }
  }

  /// No path template of an output gives a rendition the name of a photo.
  @Test func noPathTemplateGivesARenditionTheNameOfAPhoto() throws {
    let photos = ["a.jpg", "a.web.jpg", "b.jpg", "trip/a.jpg", "trip/b.web.jpg"]
    let templates = [
      "{name}", "{stem}.{ext}", "{stem}.jpg", "{stem}.{output}.{ext}", "{stem}.web.jpg",
      "{root}/{name}", "{root}/{stem}.jpg", "{root}/trip/{name}", "{root}/trip/{stem}.{output}.jpg",
      "{stem}.{digest:8}.{ext}",
    ]
    var (refused, named) = (0, 0)
    let place = try Library(photos)
    for template in templates {
      try place.folder.write(
        """
        {"identifier": "org.example.stub", "version": "1.0.0", "filters": [],
         "outputs": [{"name": "web", "format": "jpeg", "path": "\(template)"}]}
        """, to: "recipe.json")
      let recipe = try Self.recipe(of: place)
      let context = try Self.context(of: place)
      #expect(context.contents.assets.count == photos.count)
      for asset in context.contents.assets {
        let made = JobRenderer.Rendered(
          files: [
            (
              recipe.outputs[0], Rendering.Rendition(output: "web", size: Size(4, 3)),
              try Self.staged(Self.new, context)
            )
          ], leftOut: [], summary: PhotoSummary(size: Size(4, 3)), warnings: [], libvips: "")
        var taken: [FilePath: FinishedRendition] = [:]
        do throws(PhotoFailure) {
          let finished = try made.named(
            by: RenditionPaths(of: recipe), of: asset, captureDate: "2026-01-31T10:00:00",
            taken: &taken, context)
          named += 1
          for rendition in finished {
            #expect(!photos.contains(rendition.path.string), "\(template): \(rendition.path)")
          }
        } catch {
          #expect(error.reason == .collision, "\(template): \(asset.path)")
          refused += 1
        }
      }
    }
    #expect(refused >= 20 && named >= 10, "\(refused) refused, \(named) named")
  }
}
