import Glibc
import Notation
import PhotoBatch
import PhotoImport
import PhotoLibrary
import PhotoRender
import SystemPackage
import Testing

/// The exit codes of errors that programs get from the library products.
@Suite struct ExitCodeTests {
  @Test func aPhotoThatCannotBeRenderedHasTheExitCodeOfAFailedPhoto() {
    #expect(ExitCode(RenderError.unreadable("no photo")) == .assetFailed)
    #expect(ExitCode(RenderError.cancelled) == .interrupted)
    #expect(ExitCode(CancellationError()) == .interrupted)
  }

  @Test func everyErrorHasAnExitCode() {
    let refused = FileSystemError(.open, "a", .permissionDenied)
    #expect(ExitCode(ForeignFileError.unknownFormat) == .invalidRecipe)
    #expect(ExitCode(ColourDecisionExportError.steps(2)) == .invalidRecipe)
    #expect(ExitCode(ColourDecisionExportError.unknownKind("x")) == .usage)
    #expect(ExitCode(SidecarError.empty) == .needsPerson)
    #expect(ExitCode(SidecarError.wrongFocalPoint(.init(x: 2, y: 0))) == .assetFailed)
    #expect(ExitCode(FileChangedError()) == .assetFailed)
    #expect(ExitCode(ScanError.folder(refused)) == .noPermission)
    #expect(ExitCode(ForeignReadError.file(refused)) == .noPermission)
    #expect(ExitCode(ForeignReadError.content(.unknownFormat)) == .invalidRecipe)
    #expect(ExitCode(ExternalFailure("it failed", hint: "")) == .assetFailed)
    #expect(ExitCode(RenderError.unwritable(ENOSPC)) == .cannotCreate)
    #expect(ExitCode(RenderError.unusableTarget(output: "web", "it has no file")) == .usage)
  }

  @Test func aPatternThatCannotBeReadHasTheExitCodeOfARecipe() throws {
    #expect {
      _ = try Glob("[")
    } throws: { ExitCode($0) == .invalidRecipe }
  }

  @Test func aFileThatCannotBeCreatedWithoutItsFolderIsNoMissingInput() {
    for errno in [Errno.noSuchFileOrDirectory, .notDirectory] {
      #expect(ExitCode(FileSystemError(.create, "none/a", errno)) == .cannotCreate)
      #expect(ExitCode(FileSystemError(.open, "none/a", errno)) == .noInput)
    }
  }
}
