import FileStructure
import Notation
import PhotoLibrary
import PhotoMetadata
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
  /// The files by format, in the order in which browsers are offered them; within a format, the
  /// smallest file is first.
  let sources: [(format: String, files: [File])]
  let placeholder: Placeholder?
  let alternative: String

  /// Reads the renditions of the recipe's newest adjustment; nil if no rendition of the set exists.
  ///
  /// A photo may have its own widths and formats, so all recorded renditions of the set count.
  init?(
    _ set: WebSet, of recipe: Recipe, _ photo: FilePath, _ sidecar: Sidecar, _ files: RealFileSystem
  ) {
    let own = sidecar.stack(recipe.variant).map(\.adjustment).last(where: recipe.handles)
    guard let own else { return nil }
    var found: [String: File] = [:]
    for rendition in own.renditions {
      guard let path = own.path(of: rendition, original: photo, sidecar.original),
        let status = try? files.status(at: path), status.kind == .regular,
        status.identity.size == Int64(rendition.bytes)
          || status.identity.size < Int64(rendition.bytes)
            && Self.hasSize(of: rendition, path, files)
      else { continue }
      found[rendition.output] = File(
        path: path, size: Size(rendition.width, rendition.height),
        bytes: Int(status.identity.size))
    }
    let others = Set(recipe.outputs.map(\.name))
      .subtracting(set.widths.flatMap { width in set.formats.map { set.output(width, $0) } })
    let members = found.filter { !others.contains($0.key) }.compactMap { output, file in
      set.rendition(named: output).map { (width: $0.width, format: $0.format, file: file) }
    }.sorted { $0.width < $1.width }
    let sources = set.order(of: Set(members.map(\.format))).map { format in
      (format: format, files: members.filter { $0.format == format }.map(\.file))
    }
    if sources.isEmpty { return nil }
    self.sources =
      recipe.inputs.frames == .all ? Self.withAnimationsFirst(sources, in: files) : sources
    self.photo = photo
    placeholder = set.placeholder.flatMap { found[$0] }.flatMap { file in
      (try? files.read(file.path, limit: 1 << 16)).flatMap { Placeholder(webP: $0) }
    }
    alternative = AlternativeText.describing(sidecar.original.title) ?? ""
  }

  /// True if a JPEG or PNG file has the size of a rendition in pixels, so that it is probably the
  /// rendition after an optimizer.
  private static func hasSize(
    of rendition: RenditionRecord, _ path: FilePath, _ files: RealFileSystem
  ) -> Bool {
    guard let file = try? files.open(path) else { return false }
    let size = file.withDescriptor { file in
      let source = ByteSource.descriptor(file.rawValue)
      return PixelSize(jpeg: source) ?? PixelSize(png: source)
    }
    return size?.width == rendition.width && size?.height == rendition.height
  }

  /// The sources in the order in which browsers show an animation, if one of them is animated.
  ///
  /// A browser shows the first format that it knows. Animated formats come first; a still picture in
  /// a format that only newer browsers show is left out, because these show animations.
  private static func withAnimationsFirst(
    _ sources: [(format: String, files: [File])], in files: RealFileSystem
  ) -> [(format: String, files: [File])] {
    let animated = sources.filter { source in
      guard let path = source.files.first?.path, let file = try? files.open(path) else {
        return false
      }
      return file.withDescriptor { AnimationTags.hasFrames(.descriptor($0.rawValue)) }
    }
    if animated.isEmpty { return sources }
    let names = animated.map(\.format)
    return animated
      + sources.filter { !names.contains($0.format) && WebSet.isShownByAll($0.format) }
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
