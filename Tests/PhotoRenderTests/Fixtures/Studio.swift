import Foundation
import Notation
import PhotoRecipes
import PhotoRender
import Testing
import Vips

/// Renders photos in memory by recipes written as text.
enum Studio {
  /// A recipe with one output named `out`.
  ///
  /// `filters` is a JSON array; `output` is a list of further members of the output. Highlights are
  /// clipped, so that bright colours follow the filters' formulas.
  static func recipe(
    _ filters: String, output: String = #""format": "png""#, rendering: String = "balanced"
  ) throws -> Recipe {
    try recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "rendering": "\(rendering)",
         "highlights": {"rolloff": "hard"}, "filters": \(filters),
         "outputs": [{"name": "out", \(output)}]}
        """)
  }

  static func recipe(text: String) throws -> Recipe {
    let source = SourceText(name: "test", text: text)
    let document = try RecipeDocument(source) { file throws(Problem) in
      throw .contradiction("no file \(file.path)", remedy: "name none")
    }
    return try document.recipe().recipe
  }

  /// Expects that a recipe with this output is refused with an error that contains these words.
  static func expectRefusal(of output: String, _ words: String) {
    do {
      _ = try recipe("[]", output: output)
      Issue.record("\(output) was taken")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }

  /// Renders all outputs of a recipe.
  ///
  /// Returns their files by name, and the report.
  static func render(
    _ photo: [UInt8], _ recipe: Recipe, files: [String: [UInt8]] = [:],
    values: [String: String] = [:], runner: any ExternalRunner = EchoingProgram()
  ) throws -> (files: [String: [UInt8]], report: Rendering) {
    var handles: [String: UnsafeMutablePointer<FILE>] = [:]
    defer { for handle in handles.values { fclose(handle) } }
    for output in recipe.outputs { handles[output.name] = tmpfile() }
    let report = try Renderer(recipe, files: files, values: values, runner: runner)
      .render(.bytes(photo), into: handles.mapValues { fileno($0) })
    return (try handles.mapValues(content), report)
  }

  /// Returns the file of a recipe's only output.
  static func develop(
    _ photo: [UInt8], _ filters: String, output: String = #""format": "png""#,
    rendering: String = "balanced", files: [String: [UInt8]] = [:]
  ) throws -> [UInt8] {
    let recipe = try recipe(filters, output: output, rendering: rendering)
    return try #require(try render(photo, recipe, files: files).files["out"])
  }

  static func content(of handle: UnsafeMutablePointer<FILE>) throws -> [UInt8] {
    let descriptor = fileno(handle)
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, 0) }
    #expect(read == size)
    return bytes
  }
}

/// The samples of an 8-bit or 16-bit picture, as integers.
struct Samples: Equatable {
  var width: Int
  var height: Int
  var bands: Int
  /// The value of white: 255 or 65,535.
  var maximum: Int
  var values: [Int]

  init(width: Int, height: Int, bands: Int, maximum: Int, values: [Int]) {
    (self.width, self.height, self.bands) = (width, height, bands)
    (self.maximum, self.values) = (maximum, values)
  }

  /// Reads a file of any format.
  init(file: [UInt8]) throws { try self.init(Image.load(from: Source(bytes: file))) }

  init(_ image: Image) throws {
    (width, height, bands) = (image.width, image.height, image.bands)
    if image.format == .ushort {
      maximum = 65_535
      values = try image.samples(as: UInt16.self).map { Int($0) }
    } else {
      maximum = 255
      values = try image.samples(as: UInt8.self).map { Int($0) }
    }
  }

  func image() throws -> Image {
    let wide = maximum > 255
    let image =
      wide
      ? try Image(samples: values.map { UInt16($0) }, width: width, height: height, bands: bands)
      : try Image(samples: values.map { UInt8($0) }, width: width, height: height, bands: bands)
    let space = bands < 3 ? (wide ? "grey16" : "b-w") : (wide ? "rgb16" : "srgb")
    return try image.applying("copy", ["interpretation": .choice(space)])
  }

  /// The picture as a file.
  func file(
    _ saver: String = "pngsave_target", _ arguments: [String: Argument] = [:],
    fields: [String: Vips.Field?] = [:]
  ) throws -> [UInt8] {
    let target = Target()
    try image().setting(fields).save(to: target, as: saver, arguments)
    return target.bytes()
  }

  subscript(x: Int, y: Int) -> [Int] {
    let start = (y * width + x) * bands
    return Array(values[start..<start + bands])
  }

  /// The largest difference between two corresponding samples.
  func difference(from other: Samples) -> Int {
    guard (width, height, bands) == (other.width, other.height, other.bands) else { return .max }
    return zip(values, other.values).map { abs($0 - $1) }.max() ?? 0
  }

  /// A picture of one colour.
  static func flat(_ colour: [Int], _ width: Int, _ height: Int, maximum: Int = 255) -> Samples {
    let values = (0..<width * height).flatMap { _ in colour }
    return Samples(
      width: width, height: height, bands: colour.count, maximum: maximum, values: values)
  }
}
