import PhotoBatch
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

/// Arguments that the command line refuses before it calls `LibraryEditor`.
@Suite struct LibraryEditorTests {
  let place: Library
  let editor: LibraryEditor

  init() throws {
    place = try Library(["a.jpg"])
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    editor = LibraryEditor(options)
  }

  @Test(arguments: [(640.0, 480.0), (.nan, 0.5)])
  func aFocalPointOutsideOfThePhotoIsAnInvalidSetting(_ x: Double, _ y: Double) async throws {
    var change = AdjustmentChange()
    change.focalPoint = .set(Sidecar.FocalPoint(x: x, y: y))
    let outcomes = Outcomes()
    let summary = try await editor.adjust(
      [place.folder["photos/a.jpg"]], library: place.folder["photos"], change
    ) { event in
      if case .finished(let outcome) = event { outcomes.add(outcome) }
    }
    #expect(outcomes.all.map(\.reason) == [.invalidSettings])
    #expect(outcomes.all.first?.detail?.contains("is not in the photo") == true)
    #expect(summary.exitCode(reportsDue: false) == .assetFailed)
    #expect(try !place.folder.files().contains { $0.hasSuffix(Sidecar.suffix) })
  }

  @Test(arguments: [0, -1]) func lessThanOneStepCannotBeUndone(_ steps: Int) async throws {
    await #expect(throws: InvalidArgument.self) {
      try await editor.undo([place.folder["photos"]], steps: steps) { _ in }
    }
  }

  @Test func aChangeOfNoPhotoIsRefused() async throws {
    await #expect(throws: InvalidArgument.self) {
      try await editor.adjust([], AdjustmentChange()) { _ in }
    }
  }
}
