import PhotoRecipes
import PhotoRender
import TestSupport
import Testing

/// Warnings about pictures of the photo's file that renditions do not contain.
@Suite struct LostPictureTests {
  private static let file = AuxiliaryJPEGFile(
    photo: Samples.waves(192, 128, maximum: 255), levels: Samples(96, 64) { x, _ in [100 + x] })

  /// A warning names the outputs unless all of them lack the picture.
  @Test(arguments: [
    (["jpeg", "png"], "not in 'b': the photo's depth map"),
    (["png", "jpeg", "tiff"], "not in 'a', 'c': the photo's depth map"),
    (["png", "tiff"], "not in the renditions: the photo's depth map"),
    (["jpeg", "avif"], nil),
  ])
  func aLostDepthMapIsReportedForTheOutputsWithoutIt(
    _ formats: [String], _ warning: String?
  ) throws {
    let outputs = zip(["a", "b", "c"], formats).map { name, format in
      #"{"name": "\#(name)", "format": "\#(format)", "metadata": "all"}"#
    }
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [],
         "outputs": [\(outputs.joined(separator: ", "))]}
        """)
    let (_, report) = try Studio.render(Self.file.indexed("disparity", nil), recipe)
    #expect(report.warnings.filter { $0.contains("depth map") } == [warning].compactMap { $0 })
  }
}
