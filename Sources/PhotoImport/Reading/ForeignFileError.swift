public import Notation

/// The reason why another program's file cannot be read.
public enum ForeignFileError: UserError, Hashable {
  /// The file is not an AAE, an XMP packet, a processing profile or a CDL.
  case unknownFormat
  case tooLarge(limit: Int)
  case markup(MarkupError, line: Int, column: Int)
  case propertyList(PropertyListError)
  /// The file lacks a required key, or the key's value has another type.
  case missing(String, in: String)
  /// The XMP file has no `rdf:RDF` element.
  case noProperties
  /// The settings were written by the program with this identifier, whose format phbatch cannot
  /// read.
  case unknownEditor(String)
  case compressed(InflateError)
  case payload(JSONSyntax)
  /// A line of a processing profile is not a group, a setting or a comment.
  case profile(line: Int)
  case notUTF8
  /// The file is valid, but contains no settings that change the photo's look.
  case noSettings

  public var message: String {
    switch self {
    case .unknownFormat: "this is not an AAE, XMP, .pp3 or ASC CDL file"
    case .tooLarge(let limit): "the file is larger than \(limit >> 10) KiB"
    case .markup(let error, let line, let column):
      "line \(line), column \(column): \(error.message)"
    case .propertyList(let error): error.message
    case .missing(let key, let place): "\(place) has no usable '\(key)'"
    case .noProperties: "the XMP does not contain an rdf:RDF element"
    case .unknownEditor(let identifier):
      "only '\(identifier)' can read its adjustments"
    case .compressed(.truncated): "the compressed adjustments end too early"
    case .compressed(.damaged): "the compressed adjustments are damaged"
    case .compressed(.tooLarge(let limit)):
      "the compressed adjustments expand to more than \(limit >> 20) MiB"
    case .compressed(.outOfMemory): "not enough memory to expand the adjustments"
    case .payload(let syntax): "the adjustments are not valid JSON: \(syntax.message)"
    case .profile(let line): "line \(line) is not a [Group], a Key=Value or a comment"
    case .notUTF8: "the file is not UTF-8"
    case .noSettings: "the file does not contain settings that change a photo"
    }
  }

  public var hint: String {
    switch self {
    case .unknownFormat:
      "phbatch reads Photos' .AAE, .xmp of Camera Raw and darktable, RawTherapee's .pp3, and CDL"
    case .unknownEditor: "use the photo as that program rendered it"
    case .noSettings: "there is nothing to import"
    case .markup(.typeDeclaration, _, _): "remove the declarations between '[' and ']'"
    default: "export the file again with the program that wrote it"
    }
  }
}

extension ForeignFileError {
  init(_ failure: MarkupFailure) {
    self = .markup(failure.error, line: failure.line, column: failure.column)
  }

  init(_ error: PropertyListError) {
    if case .markup(let failure) = error { self.init(failure) } else { self = .propertyList(error) }
  }
}
