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
  private let tokens: [Token]
  /// The number of path components that the template gives.
  private let depth: Int

  /// A photo from which a file may have been rendered, derived from the path of the file.
  public struct Origin: Sendable, Hashable {
    public let folder: FilePath
    /// The name of the photo, without its extension unless `isWhole`.
    public let name: FileName
    public let isWhole: Bool
  }

  private enum Token: Sendable, Hashable {
    case text([UInt8])
    case stem
    case name
    /// One or more decimal digits.
    case number
    /// The bytes of a date, in which each digit matches any digit.
    case date([UInt8])
    case hexadecimal(Int)

    /// The bytes of the tokens `text` and `date`; empty for other tokens, which have no fixed
    /// bytes.
    ///
    /// Each digit in a date matches any digit.
    var fixed: [UInt8] {
      switch self {
      case .text(let text), .date(let text): text
      case .stem, .name, .number, .hexadecimal: []
      }
    }
  }

  /// Creates the place of an output; `recipe` is the last part of the recipe's identifier.
  public init(
    _ template: PathTemplate, extension: String, output: String, recipe: String, variant: String?
  ) {
    (self.template, fileExtension, self.output) = (template, `extension`, output)
    (self.recipe, self.variant) = (recipe, variant)
    let photo = PairedFilm.output(of: output)
    let tokens = template.pieces.map { piece -> Token in
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
    self.tokens =
      photo == nil ? tokens : Self.filmTokens(tokens, endsInExtension: template.endsInExtension)
    depth = 1 + tokens.reduce(0) { $0 + $1.fixed.count { $0 == UInt8(ascii: "/") } }
  }

  /// The tokens of the path of a film, which differs from that of its photo in the extension.
  private static func filmTokens(_ tokens: [Token], endsInExtension: Bool) -> [Token] {
    let ending = Token.text(Array(PairedFilm.fileExtension.utf8))
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
  public var staysInFolder: Bool { !startsAtRoot && depth == 1 }

  /// The photos from which the file at this path may have been rendered.
  ///
  /// Empty for a template that starts at the output root, because the photo's folder does not
  /// follow from the path. A photo with the same stem in the same folder is left out if the
  /// template uses the stem, because two photos with one stem are common.
  public func origins(of path: FilePath) -> [Origin] {
    if template.startsAtRoot { return [] }
    let parts = path.components.suffix(depth)
    guard parts.count == depth, let name = path.lastComponent else { return [] }
    let bytes = Array(parts.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
    if let end = tokens.last?.fixed, !bytes.reversed().starts(with: end.reversed(), by: Self.isForm)
    {
      return []
    }
    var folder = path
    for _ in 0..<depth { folder.removeLastComponent() }
    var found: [Origin] = []
    match(bytes[...], tokens[...], nil) { capture, isWhole in
      let photo = FileName(bytes: capture)
      if depth == 1 && !isWhole && FileName(name).stem.elementsEqual(capture) { return }
      found.append(Origin(folder: folder, name: photo, isWhole: isWhole))
    }
    return found
  }

  /// True if a byte matches a byte of a token: both are digits, or they are equal.
  private static func isForm(_ byte: UInt8, of form: UInt8) -> Bool {
    byte == form || (isDigit(form) && isDigit(byte))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Calls `body` with each photo's name or stem for which the tokens match these bytes.
  private func match(
    _ bytes: ArraySlice<UInt8>, _ tokens: ArraySlice<Token>,
    _ captured: (ArraySlice<UInt8>, isWhole: Bool)?, _ body: (ArraySlice<UInt8>, Bool) -> Void
  ) {
    guard let token = tokens.first else {
      if bytes.isEmpty, let captured { body(captured.0, captured.isWhole) }
      return
    }
    let rest = tokens.dropFirst()
    switch token {
    case .text(let text):
      if bytes.starts(with: text) { match(bytes.dropFirst(text.count), rest, captured, body) }
    case .date(let form):
      let part = bytes.prefix(form.count)
      if part.elementsEqual(form, by: Self.isForm) {
        match(bytes.dropFirst(form.count), rest, captured, body)
      }
    case .hexadecimal(let count):
      let part = bytes.prefix(count)
      if part.count == count, part.allSatisfy(Self.isHexadecimal) {
        match(bytes.dropFirst(count), rest, captured, body)
      }
    case .number:
      for count in 1...max(1, bytes.prefix(while: Self.isDigit).count)
      where bytes.prefix(count).count == count && Self.isDigit(bytes[bytes.startIndex]) {
        match(bytes.dropFirst(count), rest, captured, body)
      }
    case .stem, .name:
      let isWhole = token == .name
      let longest = bytes.prefix { $0 != UInt8(ascii: "/") }.count
      if longest == 0 { return }
      for count in 1...longest {
        let part = bytes.prefix(count)
        // A template may contain a photo's name as well as its stem; the name is kept, because it
        // includes the extension.
        let keeps = captured?.isWhole ?? false
        match(bytes.dropFirst(count), rest, keeps ? captured : (part, isWhole), body)
      }
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
