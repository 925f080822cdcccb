import FileStructure
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// AVIF files that state a matrix from YCbCr to RGB which libheif 1.15 converts wrongly.
@Suite struct UnreadMatrixTests {
  /// A small AVIF file whose container states the matrix from YCbCr to RGB by its code.
  private static func file(matrix: Int, isFullRange: Bool = true, depth: Int = 8) throws -> [UInt8]
  {
    var file = try Studio.develop(
      SyntheticPhoto.png(width: 32, height: 16), "[]",
      output: #""format": "avif", "bitDepth": "\#(depth)", "metadata": "none""#)
    let place = try #require(
      (4..<file.count - 12).first { file[$0..<$0 + 4].elementsEqual("nclx".utf8) })
    file[place + 9] = UInt8(matrix)
    file[place + 10] = isFullRange ? 0x80 : 0
    return file
  }

  @Test(arguments: [0, 1, 2, 4, 5, 6, 7, 9, 3, 255]) func avifFilesWithACommonMatrixAreRead(
    _ matrix: Int
  ) throws {
    #expect(UnreadColours(matrixIn: .bytes(try Self.file(matrix: matrix))) == nil)
  }

  @Test(arguments: [10, 11, 12, 13, 14, 15, 16, 17])
  func avifFilesWithAnUnsupportedMatrixAreRefused(_ matrix: Int) throws {
    let file = try Self.file(matrix: matrix)
    let error = #expect(throws: RenderError.self) { try Studio.develop(file, "[]") }
    guard case .unsupportedColours(.matrix) = error else {
      Issue.record("\(matrix): \(String(describing: error))")
      return
    }
  }

  /// Files with the matrix YCgCo are read only if they have 8 bits and the full range, because
  /// libheif converts other YCgCo files wrongly.
  @Test func yCgCoFilesAreReadOnlyInEightBitsAndFullRange() throws {
    let right = try Samples(file: Studio.develop(Self.file(matrix: 8), "[]"))
    #expect(right.width == 32)
    for file in [
      try Self.file(matrix: 8, isFullRange: false), try Self.file(matrix: 8, depth: 10),
    ] {
      let error = #expect(throws: RenderError.self) { try Studio.develop(file, "[]") }
      #expect(error == .unsupportedColours(.matrix("YCgCo")))
    }
  }
}
