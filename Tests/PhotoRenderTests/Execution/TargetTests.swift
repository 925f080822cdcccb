import Glibc
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing

/// The files that a program passes to a renderer.
@Suite struct TargetTests {
  private func error(_ targets: [String: Int32]) throws -> RenderError? {
    let renderer = Renderer(try Studio.recipe("[]"))
    let photo = try Samples.noise(40, 30).file()
    do throws(RenderError) {
      _ = try renderer.render(.bytes(photo), into: targets)
      return nil
    } catch { return error }
  }

  /// The photo is not reported as damaged.
  @Test func aFileThatCannotBeWrittenIsNamedAsTheCause() throws {
    // The kernel takes only numbers for this file.
    let file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(try error(["out": file]) == .unwritable(EINVAL))
  }

  /// A pipe has no size, and -1 is no file.
  @Test func whatIsNoFileIsAnError() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    for descriptor in [ends[1], -1] {
      #expect(
        try error(["out": descriptor])
          == .unusableTarget(output: "out", "its descriptor is not that of an open file"))
    }
  }

  @Test func anOutputWithoutAFileIsAnError() throws {
    #expect(try error([:]) == .unusableTarget(output: "out", "it has no file"))
  }

  @Test func aFileOfAnUnknownOutputIsAnError() throws {
    let (file, other) = (try TemporaryFile(), try TemporaryFile())
    #expect(
      try error(["out": file.descriptor, "web": other.descriptor])
        == .unusableTarget(output: "web", "the recipe has no such output"))
  }

  /// The end of a longer file would stay behind the rendition.
  @Test func aFileThatIsNotEmptyIsKept() throws {
    let file = try TemporaryFile()
    #expect(write(file.descriptor, "some", 4) == 4)
    #expect(
      try error(["out": file.descriptor])
        == .unusableTarget(output: "out", "its file is not empty"))
    #expect(lseek(file.descriptor, 0, SEEK_END) == 4)
  }

  @Test func aFileThatIsOnlyReadIsAnError() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    #expect(
      try error(["out": file])
        == .unusableTarget(output: "out", "its file is not open for reading and writing"))
  }
}
