import PhotoBatch
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

  @Test func aFileThatCannotBeCreatedWithoutItsFolderIsNoMissingInput() {
    for errno in [Errno.noSuchFileOrDirectory, .notDirectory] {
      #expect(ExitCode(FileSystemError(.create, "none/a", errno)) == .cannotCreate)
      #expect(ExitCode(FileSystemError(.open, "none/a", errno)) == .noInput)
    }
  }
}
