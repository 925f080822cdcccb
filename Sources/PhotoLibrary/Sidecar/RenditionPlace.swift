public import Notation
public import PhotoRecipes
public import SystemPackage

/// The path template of an output, with the values of the placeholders that the recipe determines.
///
/// It derives, from the path of a file alone, the photos from which the file may have been
/// rendered.
public struct RenditionPlace: Sendable, Hashable {
  /// The name of the output, or of the film that belongs to an output of a Live Photo.
  public let output: String
  private let template: PathTemplate
  private let fileExtension: String
  private let recipe: String
  private let variant: String?
  private let tokens: PathTokens

  /// A photo from which a file may have been rendered, derived from the path of the file.
  public struct Origin: Sendable, Hashable {
    public let folder: FilePath
    /// The name of the photo, without its extension unless `isWhole`.
    public let name: FileName
    public let isWhole: Bool
  }

  /// Creates the place of an output; `recipe` is the last part of the recipe's identifier.
  public init(
    _ template: PathTemplate, extension: String, output: String, recipe: String, variant: String?
  ) {
    (self.template, fileExtension, self.output) = (template, `extension`, output)
    (self.recipe, self.variant) = (recipe, variant)
    let photo = PairedFilm.output(of: output)
    let tokens = template.pieces.map { piece -> PathTokens.Token in
      switch piece {
      case .literal(let bytes): .text(bytes)
      // This token is never matched, because a template with the folder starts at the output root.
      case .folder: .text([])
      case .stem: .stem
      case .name: .name
      case .extension: .text(Array(`extension`.utf8))
      case .output: .text(Array((photo ?? output).utf8))
      case .recipe: .text(Array(recipe.utf8))
      case .variant: .text(Array((variant ?? "").utf8))
      case .width, .height: .number
      case .date(let format): .date(format.bytes(CivilTime(year: 2000, month: 1, day: 1)))
      case .digest(let count): .hexadecimal(count)
      }
    }
    self.tokens = PathTokens(
      photo == nil ? tokens : Self.filmTokens(tokens, endsInExtension: template.endsInExtension))
  }

  /// The tokens of the path of a film, which differs from that of its photo in the extension.
  private static func filmTokens(
    _ tokens: [PathTokens.Token], endsInExtension: Bool
  ) -> [PathTokens.Token] {
    let ending = PathTokens.Token.text(Array(PairedFilm.fileExtension.utf8))
    return endsInExtension
      ? tokens.dropLast() + [ending] : tokens + [.text([UInt8(ascii: ".")]), ending]
  }

  /// The places of a recipe's outputs, and of the films that they may keep.
  public static func places(of recipe: Recipe) -> [RenditionPlace] {
    recipe.outputs.flatMap { output -> [RenditionPlace] in
      guard let template = try? PathTemplate(output.path) else { return [] }
      let film = recipe.keepsFilm(output) ? [PairedFilm.name(of: output.name)] : []
      return ([output.name] + film).map { name in
        RenditionPlace(
          template, extension: type(of: output.format).fileExtension, output: name,
          recipe: recipe.shortName, variant: recipe.variant)
      }
    }
  }

  /// True if paths start at the output root, so that the photo's folder does not follow from them.
  public var startsAtRoot: Bool { template.startsAtRoot }

  /// True if each rendition is in the folder of its photo.
  public var staysInFolder: Bool { !startsAtRoot && tokens.depth == 1 }

  /// The photos from which the file at this path may have been rendered.
  ///
  /// Empty for a template that starts at the output root, because the photo's folder does not
  /// follow from the path. A photo with the same stem in the same folder is left out if the
  /// template uses the stem, because two photos with one stem are common.
  public func origins(of path: FilePath) -> [Origin] {
    if template.startsAtRoot { return [] }
    let parts = path.components.suffix(tokens.depth)
    guard parts.count == tokens.depth, let name = path.lastComponent else { return [] }
    let bytes = Array(parts.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
    var folder = path
    for _ in 0..<tokens.depth { folder.removeLastComponent() }
    return tokens.photos(for: bytes).compactMap { photo in
      if tokens.depth == 1 && !tokens.giveName && FileName(name).stem.elementsEqual(photo) {
        return nil
      }
      return Origin(folder: folder, name: FileName(bytes: photo), isWhole: tokens.giveName)
    }
  }
}

extension RenditionPlace {
  public var json: JSON {
    var object = JSON.Object()
    object["path"] = .string(template.text)
    object["extension"] = .string(fileExtension)
    object["output"] = .string(output)
    object["recipe"] = .string(recipe)
    object["variant"] = variant.map(JSON.string)
    return .object(object)
  }

  /// Reads a place; nil if it is not complete and valid.
  public init?(_ json: JSON) {
    guard let text = json["path"]?.string, let template = try? PathTemplate(text),
      let ending = json["extension"]?.string, let output = json["output"]?.string,
      let recipe = json["recipe"]?.string
    else { return nil }
    self.init(
      template, extension: ending, output: output, recipe: recipe,
      variant: json["variant"]?.string)
  }
}
