import Glibc
import Testing

@testable import Vips

@Suite struct FileTests {
  /// A file format: the operation that saves it, and the loader that recognizes its bytes.
  struct Format: CustomTestStringConvertible, Sendable {
    let saver: String
    let loader: String
    var arguments: [String: Argument] = [:]
    /// True if saving and loading keep the pixels unchanged.
    var isLossless = false

    var testDescription: String { loader }
  }

  static let formats = [
    Format(saver: "jpegsave_target", loader: "jpegload_source", arguments: ["Q": .integer(95)]),
    Format(saver: "pngsave_target", loader: "pngload_source", isLossless: true),
    Format(
      saver: "webpsave_target", loader: "webpload_source", arguments: ["lossless": .flag(true)],
      isLossless: true),
    Format(saver: "tiffsave_target", loader: "tiffload_source", isLossless: true),
    Format(
      saver: "tiffsave_target", loader: "tiffload_source",
      arguments: ["tile": .flag(true), "pyramid": .flag(true), "compression": .choice("deflate")],
      isLossless: true),
    Format(saver: "gifsave_target", loader: "gifload_source"),
    Format(
      saver: "heifsave_target", loader: "heifload_source",
      arguments: ["compression": .choice("av1"), "Q": .integer(90)]),
  ].filter { VipsRuntime.hasOperation($0.saver) && VipsRuntime.hasOperation($0.loader) }

  @Test(arguments: formats)
  func imagesAreSavedToAndLoadedFromFileDescriptors(_ format: Format) throws {
    let image = try Image.ramp()
    let file = try ScratchFile()
    try image.save(to: Target(descriptor: file.descriptor), as: format.saver, format.arguments)
    #expect(file.size > 0)
    #expect(try Image.loader(for: Source(descriptor: file.descriptor)) == format.loader)
    // After a save the file position is at the end of the file, but the new source reads from the
    // start.
    let loaded = try Image.load(
      from: Source(descriptor: file.descriptor),
      ["access": .choice("sequential"), "fail_on": .choice("error")],
      ifSupported: ["no such argument": .integer(1)])
    #expect(loaded.width == image.width && loaded.height == image.height)
    if format.isLossless {
      #expect(try loaded.pixels() == image.pixels())
    } else {
      #expect(abs(try loaded.extract(bands: 3).mean() - image.mean()) < 2)
    }
  }

  @Test(arguments: formats)
  func aFileInMemoryEqualsAFileOnDisk(_ format: Format) throws {
    let image = try Image.ramp()
    let target = Target()
    #expect(target.bytes().isEmpty)
    try image.save(to: target, as: format.saver, format.arguments)
    let bytes = target.bytes()
    #expect(bytes == target.bytes())
    let loaded: Image
    do {
      // The source is released before any pixel is requested.
      loaded = try Image.load(from: Source(bytes: bytes))
    }
    #expect(try loaded.extract(bands: 3).mean() > 1)
  }

  @Test func aTruncatedFileFailsOnlyIfFailOnRequestsIt() throws {
    let bytes = try Image.ramp(width: 256, height: 256).encoded(as: "jpegsave_target")
    let cut = Array(bytes.prefix(bytes.count / 2))
    let strict = try Image.load(from: Source(bytes: cut), ["fail_on": .choice("truncated")])
    #expect(throws: VipsError.self) { try strict.pixels() }
    let lenient = try Image.load(from: Source(bytes: cut), ["fail_on": .choice("none")])
    #expect(try lenient.pixels().count == 256 * 256 * 3)
  }

  @Test func anImageIsLoadedFromAPath() throws {
    var template = Array("/tmp/phbatch-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    defer { unlink(template) }
    try Image.ramp().save(to: Target(descriptor: descriptor), as: "pngsave_target")
    close(descriptor)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect(try Image.load(from: Source(file: path)).width == 64)
  }

  @Test func sourcesThatCannotBeReadThrow() throws {
    let sources = [
      Source(file: "/nonexistent/photo.jpg"), Source(file: "/"), Source(file: "a\0b"),
      Source(descriptor: -1), Source(descriptor: 9999), Source(bytes: []),
    ]
    for source in sources {
      #expect(throws: VipsError.self) { try Image.loader(for: source) }
      #expect(throws: VipsError.self) { try Image.load(from: source) }
      #expect(throws: VipsError.self) {
        try Image.calling("jpegload_source", ["source": .source(source)])
      }
    }
  }

  @Test func bytesThatAreNotAnImageHaveNoLoader() throws {
    let text = Source(bytes: Array("no image at all, only text".utf8))
    #expect(try Image.loader(for: text) == nil)
    #expect(throws: VipsError.self) { try Image.load(from: text) }
    let empty = try ScratchFile()
    #expect(try Image.loader(for: Source(descriptor: empty.descriptor)) == nil)
  }

  @Test func argumentsOfAnotherLoaderThrow() throws {
    let bytes = try Image.ramp().encoded(as: "pngsave_target")
    #expect(throws: VipsError.unknownArgument("shrink", operation: "pngload_source")) {
      try Image.load(from: Source(bytes: bytes), ["shrink": .integer(2)])
    }
    let loaded = try Image.load(from: Source(bytes: bytes), ifSupported: ["shrink": .integer(2)])
    #expect(loaded.width == 64)
  }

  @Test func anImageIsLoadedFromAPipe() throws {
    let bytes = try Image.ramp().encoded(as: "jpegsave_target")
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    let image = try Image.load(from: Source(descriptor: ends[0]))
    close(ends[0])
    #expect(try image.pixels().count == 64 * 48 * 3)
  }

  @Test func aTargetAcceptsOnlyOneSave() throws {
    let target = Target()
    try Image.ramp().save(to: target, as: "pngsave_target")
    #expect(throws: VipsError.self) { try Image.ramp().save(to: target, as: "pngsave_target") }
  }

  @Test func targetsThatCannotBeWrittenThrow() throws {
    let image = try Image.ramp(width: 512, height: 512)
    for path in ["/dev/full", "/dev/null"] {
      // `/dev/full` refuses all data, and `/dev/null` is opened for reading only, so neither can be
      // written.
      let descriptor = open(path, path == "/dev/full" ? O_WRONLY : O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      #expect(throws: VipsError.self) {
        try image.save(to: Target(descriptor: descriptor), as: "pngsave_target")
      }
    }
    #expect(throws: VipsError.self) {
      try image.save(to: Target(descriptor: -1), as: "pngsave_target")
    }
    #expect(throws: VipsError.unknownOperation("bmpsave_target")) {
      try image.save(to: Target(), as: "bmpsave_target")
    }
  }

  /// The levels of a TIFF pyramid are linked if the file descriptor can be read.
  ///
  /// To link the levels, the TIFF encoder reads its output back. If it cannot read, it drops the
  /// levels and still reports success.
  @Test func pyramidsAreLinkedInADescriptorThatCanBeRead() throws {
    let file = try ScratchFile()
    try Image.ramp(width: 1000, height: 1000).save(
      to: Target(descriptor: file.descriptor), as: "tiffsave_target",
      ["tile": .flag(true), "pyramid": .flag(true)])
    let image = try Image.load(from: Source(descriptor: file.descriptor))
    guard case .integer(4) = image.field("n-pages") else {
      Issue.record("\(String(describing: image.field("n-pages"))) pages")
      return
    }
  }
}

extension Image {
  /// Returns the first `bands` bands, without the alpha that a format may have added.
  fileprivate func extract(bands: Int) throws -> Image {
    try applying("extract_band", ["band": .integer(0), "n": .integer(bands)])
  }
}
