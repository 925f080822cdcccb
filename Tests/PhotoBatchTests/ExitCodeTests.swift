import PhotoBatch
import PhotoRender
import Testing

/// The exit codes of errors that programs get from the library products.
@Suite struct ExitCodeTests {
  @Test func aPhotoThatCannotBeRenderedHasTheExitCodeOfAFailedPhoto() {
    #expect(ExitCode(RenderError.unreadable("no photo")) == .assetFailed)
    #expect(ExitCode(RenderError.cancelled) == .interrupted)
    #expect(ExitCode(CancellationError()) == .interrupted)
  }
}
