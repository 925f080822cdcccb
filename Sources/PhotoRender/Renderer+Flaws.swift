import PhotoRecipes
import Vips

extension Renderer {
  /// What keeps the recipe from any photo and shows without one, each once: files that are no images,
  /// or damaged or too large ones, fonts that are not there, markup that cannot be read, profiles that
  /// an output cannot have.
  ///
  /// All pixels of each image are read once. What placeholders stand for is made up.
  public func flaws() -> [RenderError] {
    var flaws: [RenderError] = []
    func note(_ check: () throws(RenderError) -> Void) {
      do throws(RenderError) { try check() } catch {
        if !flaws.contains(error) { flaws.append(error) }
      }
    }
    let graph = recipe.graph
    for file in graph.lookups {
      note { () throws(RenderError) in _ = try LookupTables.shared.table(file, files) }
    }
    var images: Set<String> = []
    for node in graph.nodes {
      switch node.operation {
      case .drawn(.text(let caption)):
        note { () throws(RenderError) in try check(caption) }
      case .drawn(.image), .blend, .map:
        for file in node.operation.files where images.insert(file.path).inserted {
          note { () throws(RenderError) in try checkImage(file) }
        }
      default: break
      }
    }
    for output in recipe.outputs {
      note { () throws(RenderError) in try OutputColour.check(output, files: files) }
    }
    return flaws
  }

  private func checkImage(_ file: NamedFile) throws(RenderError) {
    try NamedImage(file, files).check(limits)
    _ = VipsRuntime.takeWarnings()
    do throws(VipsError) {
      let image = try Image.streamed(files[file.path] ?? [])
      _ = try Image.calling("avg", ["in": .image(image)])
    } catch {
      throw .unreadableFile(file.path, "\(error)")
    }
    if VipsRuntime.takeWarnings().signs.contains(.prematureEnd) {
      throw .unreadableFile(file.path, "its pixels end before the picture does")
    }
  }

  private func check(_ caption: Caption) throws(RenderError) {
    do {
      let image = try CaptionImage(caption, files, TextTemplate.examples)
      _ = try image.pieces(in: Size(400, 400))
    } catch RenderError.unusableText(var text) {
      // The photos' own words are not known yet.
      text.text = text.content
      throw .unusableText(text)
    } catch let error as RenderError {
      throw error
    } catch {
      let text = caption.content.text
      throw .unusableText(
        UnusableText(content: text, text: text, isBadMarkup: false, detail: "\(error)"))
    }
  }
}

extension RenderError {
  /// What the recipe says that is wrong, and the key that says it, of a flaw of the recipe.
  public var culprit: (text: String, key: String?)? {
    switch self {
    case .unreadableFile(let path, _), .tooManyFilePixels(let path, _, _),
      .unusableProfile(let path), .unfitProfile(let path, _):
      (path, nil)
    case .unreadableFont(let path): (path, "fontFile")
    case .missingFont(let family): (family, "font")
    case .unusableText(let text): (text.content, "content")
    default: nil
    }
  }
}
