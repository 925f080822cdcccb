import Foundation
import Glibc
import Notation
import PhotoRecipes
import PhotoRender

/// Renders photos in this very process and does nothing else, `InProcess RECIPE OUT PHOTO…`: what
/// workers, their sandbox, hashing and publishing are measured against.
@main
enum InProcess {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count > 3 else {
      FileHandle.standardError.write(Data("usage: InProcess RECIPE OUT PHOTO...\n".utf8))
      exit(64)
    }
    let text = SourceText(
      name: words[1], bytes: Array(try Data(contentsOf: URL(filePath: words[1]))))
    let document = try RecipeDocument(text) { file throws(Problem) in
      throw .missingFile(file.path)
    }
    let renderer = Renderer(try document.recipe().recipe)
    for photo in words.dropFirst(3) { try render(URL(filePath: photo), renderer, into: words[2]) }
  }

  private static func render(_ photo: URL, _ renderer: Renderer, into folder: String) throws {
    let source = try FileHandle(forReadingFrom: photo)
    let stem = photo.deletingPathExtension().lastPathComponent
    var files: [String: FileHandle] = [:]
    for output in renderer.recipe.outputs {
      let path = "\(folder)/\(stem).\(output.name).jpg"
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
      }
      files[output.name] = try FileHandle(forUpdating: URL(filePath: path))
    }
    _ = try renderer.render(
      .descriptor(source.fileDescriptor), into: files.mapValues(\.fileDescriptor))
    for file in files.values { try file.close() }
    try source.close()
  }
}
