import Foundation
import Notation
import PhotoRecipes
import PhotoRender
import TestSupport
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
    values: [String: String] = [:], runner: any ExternalRunner = EchoingProgram(),
    lenses: (any LensFinder)? = nil
  ) throws -> (files: [String: [UInt8]], report: Rendering) {
    var renderer = Renderer(recipe, files: files, values: values, runner: runner)
    renderer.lenses = lenses
    return try render(photo, renderer)
  }

  /// Renders all outputs of a renderer's recipe.
  static func render(
    _ photo: [UInt8], _ renderer: Renderer
  ) throws -> (files: [String: [UInt8]], report: Rendering) {
    var handles: [String: UnsafeMutablePointer<FILE>] = [:]
    defer { for handle in handles.values { fclose(handle) } }
    for output in renderer.recipe.outputs { handles[output.name] = tmpfile() }
    let report = try renderer.render(.bytes(photo), into: handles.mapValues { fileno($0) })
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
