import Glibc
import Testing

@testable import Vips

@Suite(.serialized) struct WriteErrorTests {
  /// Every write to the device `/dev/full` fails, as on a full disk.
  @Test(arguments: ["jpegsave_target", "pngsave_target", "tiffsave_target"])
  func theErrorOfAFailedWriteIsKeptUntilItIsTakenForItsFile(_ saver: String) throws {
    let file = open("/dev/full", O_RDWR | O_CLOEXEC)
    let other = try #require(tmpfile())
    defer {
      close(file)
      fclose(other)
    }
    let image = try Image.ramp()
    #expect(throws: VipsError.self) {
      try image.save(to: Target(descriptor: file), as: saver, [:])
    }
    #expect(WriteError.take(of: fileno(other)) == nil)
    #expect(WriteError.take(of: file) == ENOSPC)
    #expect(WriteError.take(of: file) == nil)
  }
}
