import PhotoRender
import TestSupport
import Testing

/// Masks of faces in photos that are decoded while they are read.
@Suite(.enabled(if: FaceDetector.library != nil)) struct FaceMaskTests {
  /// The search for faces reads the photo's file, too; a JPEG of many rows is not yet read to its end
  /// when its first rows are rendered.
  @Test(arguments: [
    #"{"face": "skin"}"#, #"{"intersect": [{"face": "all"}, {"radial": {"radius": 0.5}}]}"#,
  ])
  func aLargePhotoWithAMaskOfFacesIsReducedAsWithoutTheMask(_ mask: String) throws {
    let place = try Workplace([])
    try place.folder.write(
      SyntheticPhoto.jpeg(width: 3200, height: 2400, quality: 97), to: "photos/a.jpg")
    for (name, mask) in [("masked", #", "mask": \#(mask)"#), ("plain", "")] {
      let amount = mask.isEmpty ? 0 : 0.4
      try place.folder.write(
        """
        {
          "identifier": "org.example.\(name)", "version": "1.0.0", "variant": "\(name)",
          "filters": [{"filter": "brightness", "amount": \(amount)\(mask)}],
          "outputs": [{
            "name": "\(name)", "format": "png",
            "filters": [{"filter": "resize", "longEdge": 400}]
          }]
        }
        """, to: "\(name).json")
      let run = try place.run(name)
      #expect(run.code == 0, "\(run.messages)")
    }
    // There is no face in the photo; the two are reduced in different colour spaces.
    let means = try ["masked", "plain"].map { name in
      let values = try Samples(file: place.read("a.\(name).png")).values
      return Double(values.reduce(0, +)) / Double(values.count)
    }
    #expect(abs(means[0] - means[1]) < 1, "\(means)")
  }
}
