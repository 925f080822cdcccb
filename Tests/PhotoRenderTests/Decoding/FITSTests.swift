import PhotoRender
import TestSupport
import Testing

/// FITS files with one picture, and FITS cubes with several pictures.
@Suite struct FITSTests {
  @Test(arguments: [2, 4, 5]) func eachPlaneOfAFITSCubeIsReadAsAPicture(_ count: Int) throws {
    let planes = (0..<count).map { UInt8(40 * $0 + 20) }
    let file = ScienceFiles.fits(planes, width: 12, height: 8)
    for number in 1...count {
      let (picture, report) = try ScienceFiles.render(
        file, #"{"formats": ["fits"], "frames": \#(number)}"#)
      let pixel = picture[3, 3]
      #expect(report.header.pages == count && report.header.bands == 1)
      #expect(
        pixel.prefix(3).allSatisfy { $0 == planes[number - 1] } && pixel.count != 2, "\(pixel)")
    }
    let first = try ScienceFiles.render(file, #"{"formats": ["fits"]}"#)
    #expect(first.picture[3, 3, 0] == 20 && first.picture.bands != 4)
    #expect(first.report.warnings.contains { $0.contains("contains \(count) pictures") })
    let error = #expect(throws: RenderError.self) {
      try ScienceFiles.render(file, #"{"formats": ["fits"], "frames": \#(count + 1)}"#)
    }
    #expect(error == .missingFrame(count + 1, count: count))
  }

  @Test func aCubeWithOnePlaneIsGreyAndOneWithThreePlanesIsRGB() throws {
    let grey = try ScienceFiles.render(
      ScienceFiles.fits([90], width: 12, height: 8), #"{"formats": ["fits"]}"#)
    #expect(grey.picture[3, 3].allSatisfy { $0 == 90 } && grey.report.warnings.isEmpty)
    let colours = try ScienceFiles.render(
      ScienceFiles.fits([200, 100, 50], width: 12, height: 8), #"{"formats": ["fits"]}"#)
    #expect(colours.picture[3, 3] == [200, 100, 50])
  }
}
