import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Writes the report of a run for the test views of CI systems: each photo is a test.
///
/// A photo that failed, needs a user's decision, or is due in a check is a failed test. A photo
/// to which the recipe does not apply is a skipped test. An error that ended the run itself is a
/// test with an error.
///
/// - Source: the elements that Jenkins and GitLab read, as in Ant's `JUnitReport` schema
///   (github.com/windyroad/JUnit-Schema).
struct JUnitReport {
  private let report: RunReport

  init(_ report: RunReport) { self.report = report }

  var text: String {
    let name = report.recipe ?? report.recipeFile.displayed
    let failures = report.troubled.count + report.due.count
    let errors = report.error == nil ? 0 : 1
    let skipped = report.photos.filter(\.isPassedOver).count
    let seconds = "\(report.seconds ?? 0)"
    let tests = report.photos.count + errors
    var cases = report.photos.map { testCase($0, of: name) }
    if let error = report.error {
      cases.append(
        XML(
          "testcase", ["classname": name, "name": "run", "time": "0"],
          [
            XML(
              "error", ["type": "exit \(report.exit.rawValue)", "message": error.message], [],
              text: error.hint)
          ]))
    }
    let counts: KeyValuePairs = [
      "tests": "\(tests)", "failures": "\(failures)", "errors": "\(errors)",
      "skipped": "\(skipped)", "time": seconds,
    ]
    let suite = XML(
      "testsuite",
      [("name", name), ("timestamp", String(report.started.dropLast()))]
        + counts.map { ($0.key, $0.value) },
      cases)
    let root = XML("testsuites", [("name", "phbatch")] + counts.map { ($0.key, $0.value) }, [suite])
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- \(ReportFormat.mark) -->\n"
      + root.text(depth: 0)
  }

  private func testCase(_ photo: AssetOutcome, of name: String) -> XML {
    var parts: [XML] = []
    let words = [photo.detail, photo.hint].compactMap(\.self).joined(separator: "\n")
    if photo.isDue || photo.reason.outcome != .fine {
      let kind = photo.isDue ? "due" : photo.reason.rawValue
      parts.append(XML("failure", ["type": kind, "message": photo.sentence], [], text: words))
    } else if photo.isPassedOver {
      parts.append(XML("skipped", ["message": photo.sentence]))
    }
    if !photo.warnings.isEmpty {
      parts.append(XML("system-err", [:], [], text: photo.warnings.joined(separator: "\n")))
    }
    let path = photo.path.displayed
    return XML(
      "testcase", ["classname": name, "name": path, "file": path, "time": "0"], parts)
  }
}

extension AssetOutcome {
  /// True if the run left the photo alone, because the recipe or the options do not apply to it.
  fileprivate var isPassedOver: Bool {
    switch reason {
    case .notSelected, .unsupportedFormat, .skipped: true
    default: false
    }
  }
}

/// An element of the report's XML document.
private struct XML {
  let name: String
  let attributes: [(name: String, value: String)]
  let children: [XML]
  let content: String

  init(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ children: [XML] = [],
    text: String = ""
  ) {
    self.init(name, attributes.map { ($0.key, $0.value) }, children, text: text)
  }

  init(
    _ name: String, _ attributes: [(String, String)], _ children: [XML], text: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    content = text
  }

  func text(depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    var text = "\(indent)<\(name)"
    for attribute in attributes {
      text += " \(attribute.name)=\"\(Self.escaped(attribute.value))\""
    }
    if children.isEmpty && content.isEmpty { return text + "/>\n" }
    text += ">" + Self.escaped(content)
    if children.isEmpty { return text + "</\(name)>\n" }
    text += "\n"
    for child in children { text += child.text(depth: depth + 1) }
    return text + "\(indent)</\(name)>\n"
  }

  /// Escapes a text for an element or a quoted attribute; characters that XML does not allow become
  /// U+FFFD.
  ///
  /// - Source: Extensible Markup Language 1.0, fifth edition, 2.2 and 2.4.
  private static func escaped(_ text: String) -> String {
    text.spelling(spellings)
  }

  private static let spellings: [Unicode.Scalar: String] = {
    var spellings = String.markupEscapes
    let controls = Array(0..<0x20) + Array(0x7F...0x9F) + [0xFFFE, 0xFFFF]
    for scalar in controls.compactMap({ Unicode.Scalar(UInt32($0)) }) {
      spellings[scalar] = "\u{FFFD}"
    }
    spellings["\n"] = "&#10;"
    spellings["\t"] = "&#9;"
    return spellings
  }()
}
