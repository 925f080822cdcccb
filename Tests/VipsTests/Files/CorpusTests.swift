import Foundation
import TestSupport
import Testing

@testable import Vips

@Suite struct CorpusTests {
  /// A photo and its size as reported by `vipsheader` 8.14.1.
  private struct Photo {
    let path: String
    let size: String
  }

  private static func photos() throws -> [Photo] {
    let folder = try #require(Corpus.folder)
    let formats = ["JPEG", "PNG", "WEBP", "Extended WEBP", "TIFF", "GIF", "HEIC", "HEIF", "AVIF"]
    var photos: [Photo] = []
    for columns in try Corpus.index() {
      guard columns.count > 7, formats.contains(columns[4]), columns[7] == "ok",
        !columns[0].hasPrefix("broken/")
      else { continue }
      photos.append(Photo(path: "\(folder)/\(columns[0])", size: columns[5]))
    }
    return photos
  }

  /// The photos of the corpus can be opened from file descriptors.
  ///
  /// The test runs in a separate process, because an untrusted file may crash it.
  @Test(.enabled(if: Corpus.isHere))
  func photosOfTheCorpusOpenFromFileDescriptors() async {
    await #expect(processExitsWith: .success) {
      VipsRuntime.captureWarnings()
      VipsRuntime.blockUntrusted()
      let photos = try CorpusTests.photos()
      #expect(photos.count > 100)
      for photo in photos {
        let descriptor = open(photo.path, O_RDONLY)
        try #require(descriptor >= 0)
        let image = try Image.load(
          from: Source(descriptor: descriptor),
          ["access": .choice("sequential"), "fail_on": .choice("error")])
        close(descriptor)
        #expect("\(image.width)x\(image.height)" == photo.size, "\(photo.path)")
        // The image was loaded from a descriptor, so it has no file name.
        for name in image.fieldNames where name != "filename" {
          #expect(image.field(name) != nil, "\(photo.path): \(name)")
        }
      }
      #expect(VipsRuntime.usage.files == 0)
    }
  }
}
