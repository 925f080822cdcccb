import Foundation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// Links, folders and unreadable files in place of recorded renditions.
@Suite struct UnreadableRenditionTests {
  /// Only renditions that are modified by the facts are checked, because the check reads a file once
  /// more.
  @Test func renditionsThatAreNotModifiedAreNotReadAgain() async throws {
    let library = try Library(["a.jpg"])
    #expect(try await library.run(WatchedPlace.options).map(\.reason) == [.rendered])
    let root = try OutputRoot(library: library.folder["photos"])
    let options = BatchOptions()
    let session = LibrarySession(reading: root, options, nil)
    let asset = try #require(session.contents.assets.first)
    let context = session.context(
      options, originals: [asset.path], registry: FileRegistry(of: root))
    let state = StackState(
      asset.path, try session.contents.usableSidecar(of: asset), variant: "web", context)
    let digest = Digest(of: [UInt8]())
    let facts = state.facts(original: digest)
    let rendition = library.folder["photos/a.web.jpg"].string
    try FileManager.default.removeItem(atPath: rendition)
    try FileManager.default.createSymbolicLink(atPath: rendition, withDestinationPath: "a.jpg")
    try state.checkReadable([0], facts)
    #expect(throws: PhotoFailure.self) {
      try state.checkReadable([0], state.facts(original: digest))
    }
  }
}
