import PhotoRecipes
import Vips

extension Renderer {
  /// What keeps the recipe from any photo and shows without one, each once: files that are no images,
  /// fonts that are not there, markup that cannot be read, profiles that an output cannot have.
  ///
  /// Of images the headers are read. What placeholders stand for is made up.
  public func flaws() -> [RenderError] {
    var flaws: [RenderError] = []
    func note(_ check: () throws(RenderError) -> Void) {
      do throws(RenderError) { try check() } catch {
        if !flaws.contains(error) { flaws.append(error) }
      }
    }
    for node in recipe.graph.nodes {
      switch node.operation {
      case .drawn(.text(let caption)):
        note { () throws(RenderError) in try check(caption) }
      case .drawn(.image), .blend, .map:
        for file in node.operation.files {
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
    do throws(VipsError) { _ = try Image.recognised(files[file.path] ?? []) } catch {
      throw .unreadableFile(file.path, "\(error)")
    }
  }

  private func check(_ caption: Caption) throws(RenderError) {
    do {
      let image = try CaptionImage(caption, files, TextTemplate.examples)
      _ = try image.pieces(in: Size(400, 400))
    } catch let error as RenderError {
      throw error
    } catch {
      throw .unusableText(caption.content.text, "\(error)")
    }
  }
}

extension RenderError {
  /// What the recipe says that is wrong, and the key that says it, of a flaw of the recipe.
  public var culprit: (text: String, key: String?)? {
    switch self {
    case .unreadableFile(let path, _), .unusableProfile(let path), .unfitProfile(let path, _):
      (path, nil)
    case .unreadableFont(let path): (path, "fontFile")
    case .missingFont(let family): (family, "font")
    case .unusableText(let text, _): (text, "content")
    default: nil
    }
  }
}
