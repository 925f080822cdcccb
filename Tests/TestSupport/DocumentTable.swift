import Foundation

/// A table that a test writes into a page of `docs/`, between the lines `<!-- NAME -->` and
/// `<!-- end of NAME -->`.
public struct DocumentTable {
  private let page: URL
  private let name: String

  /// Refers to the table `name` of a page; `page` is the name of a file in `docs/`.
  public init(_ name: String, on page: String) {
    self.name = name
    self.page =
      URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/\(page)").standardizedFileURL
  }

  /// Returns the lines of the table in the page.
  ///
  /// With `PHBATCH_RECORD=1` it first writes `lines` into the page.
  public func lines(recording lines: [String]) throws -> [String] {
    let text = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    guard let first = text.firstIndex(of: "<!-- \(name) -->"),
      let end = text.firstIndex(of: "<!-- end of \(name) -->"), first < end
    else { throw CocoaError(.fileReadCorruptFile) }
    guard ProcessInfo.processInfo.environment["PHBATCH_RECORD"] == "1" else {
      return Array(text[(first + 1)..<end])
    }
    let page = text[...first] + lines + text[end...]
    try Data(page.joined(separator: "\n").utf8).write(to: self.page)
    return lines
  }
}
