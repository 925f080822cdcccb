import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// One photo of a web set, with the renditions that its sidecar records and that exist on disk.
struct WebSetEntry {
  /// One rendition of the photo.
  struct File {
    /// The path from the output root.
    let path: FilePath
    let size: Size
    let bytes: Int
  }

  /// The photo's path from the library's root.
  let photo: FilePath
  /// The files by format, in the order of the set; within a format, the smallest file is first.
  let sources: [(format: String, files: [File])]
  let placeholder: Placeholder?
  let alternative: String

  /// Reads the renditions of the recipe's newest adjustment; nil if no rendition of the set exists.
  init?(
    _ set: WebSet, of recipe: Recipe, _ photo: FilePath, _ sidecar: Sidecar, _ files: RealFileSystem
  ) {
    let own = sidecar.stack(recipe.variant).map(\.adjustment).last(where: recipe.handles)
    guard let own else { return nil }
    var found: [String: File] = [:]
    for rendition in own.renditions {
      guard let path = own.path(of: rendition, original: photo, sidecar.original),
        let status = try? files.status(at: path), status.kind == .regular,
        Int(status.identity.size) == rendition.bytes
      else { continue }
      found[rendition.output] = File(
        path: path, size: Size(rendition.width, rendition.height), bytes: rendition.bytes)
    }
    sources = set.formats.compactMap { format in
      let files = set.widths.compactMap { found[set.output($0, format)] }
      return files.isEmpty ? nil : (format, files)
    }
    if sources.isEmpty { return nil }
    self.photo = photo
    placeholder = set.placeholder.flatMap { found[$0] }.flatMap { file in
      (try? files.read(file.path, limit: 1 << 16)).flatMap { Placeholder(webP: $0) }
    }
    alternative = AlternativeText.describing(sidecar.original.title) ?? ""
  }

  /// The photo's entry in the manifest.
  func json(_ set: WebSet) -> JSON {
    var object = JSON.Object()
    object.add(photo, as: "file")
    object["alt"] = .string(alternative)
    object["placeholder"] = (placeholder?.url).map(JSON.string)
    object["sources"] = .array(
      sources.map { source in
        .object([
          "type": .string(PictureElement.mediaType(source.format)),
          "files": .array(source.files.map { $0.json(base: set.base) }),
        ])
      })
    let largest = sources.last?.files.last?.size
    object["width"] = (largest?.width).map(JSON.integer)
    object["height"] = (largest?.height).map(JSON.integer)
    let element = PictureElement(
      set: set, sources: sources, alternative: alternative, placeholder: placeholder)
    object["html"] = .string(element.text)
    return .object(object)
  }
}

extension WebSetEntry.File {
  fileprivate func json(base: String) -> JSON {
    var object = JSON.Object()
    object.add(path, as: "file")
    object["url"] = .string(PictureElement.url(path, base: base))
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["bytes"] = .integer(bytes)
    return .object(object)
  }
}
