import Foundation
import Notation
import PhotoRecipes
import PhotoRender

func renderPhoto(_ photo: URL, recipe: URL, into folder: URL) throws {
  let text = SourceText(name: recipe.path, bytes: Array(try Data(contentsOf: recipe)))
  let document = try RecipeDocument(text) { file throws(Problem) in
    throw .missingFile(file.path)
  }
  let renderer = Renderer(try document.recipe().recipe)
  var files: [String: FileHandle] = [:]
  for output in renderer.recipe.outputs {
    let file = folder.appending(path: "\(output.name).jpg")
    try Data().write(to: file)
    files[output.name] = try FileHandle(forUpdating: file)
  }
  let source = try FileHandle(forReadingFrom: photo)
  let rendering = try renderer.render(
    .descriptor(source.fileDescriptor), into: files.mapValues(\.fileDescriptor))
  for rendition in rendering.renditions { print(rendition.output, rendition.size) }
}
