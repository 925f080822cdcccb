import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Writes the report of a run as Markdown with tables, in the dialect of GitHub, GitLab and
/// Forgejo.
///
/// - Source: GitHub Flavored Markdown, 4.10 (tables) and 6.1 (backslash escapes).
struct MarkdownReport {
  private let report: RunReport
  /// The maximum number of rows of a table, because GitHub truncates a job summary at 1 MiB.
  private static let mostRows = 200

  init(_ report: RunReport) { self.report = report }

  var text: String {
    let name = report.recipe ?? report.recipeFile.displayed
    var lines = ["<!-- \(ReportFormat.mark) -->", "## phbatch: \(Self.escaped(name))", ""]
    if let error = report.error {
      lines += ["**\(Self.escaped(error.message))**", "", Self.escaped(error.hint), ""]
    }
    lines += ["\(verdict) \(Self.escaped(report.summary.sentence)).", ""]
    if report.originalBytes > 0, !report.rendered.isEmpty {
      let change =
        ByteCount.change(from: report.originalBytes, to: report.renditionBytes)
        .map { ", \($0)" } ?? ""
      lines += [
        "Originals \(ByteCount(report.originalBytes)), "
          + "renditions \(ByteCount(report.renditionBytes))\(change).", "",
      ]
    }
    lines += table("Failed, or needs your decision", ["photo", "reason", "what to do"], troubles)
    lines += table(
      "Due", ["photo", "why"],
      report.due.map { [$0.path.displayed, $0.plan?.reasons.joined(separator: "; ") ?? ""] })
    lines += table(
      "Rendered", ["photo", "before", "rendition", "after", "change", "clipped"], renditions)
    let warnings =
      report.warnings.map { ["", $0] }
      + report.flagged.flatMap { photo in photo.warnings.map { [photo.path.displayed, $0] } }
    lines += table("Warnings", ["photo", "warning"], warnings)
    return lines.joined(separator: "\n") + "\n"
  }

  private var verdict: String {
    switch report.exit {
    case .success: "✅"
    case .workDue: "🟡 Work is due:"
    case .interrupted, .terminated: "🟡 Stopped:"
    default: "❌"
    }
  }

  private var troubles: [[String]] {
    report.troubled.map { [$0.path.displayed, $0.sentence, $0.hint ?? ""] }
  }

  private var renditions: [[String]] {
    report.rendered.flatMap { photo in
      photo.renditions.enumerated().map { index, rendition in
        let before = photo.originalBytes
        return [
          index == 0 ? photo.path.displayed : "",
          index == 0 ? before.map { "\(ByteCount($0))" } ?? "" : "",
          "\(rendition.path.displayed), \(rendition.size)", "\(ByteCount(rendition.bytes))",
          before.flatMap { ByteCount.change(from: $0, to: rendition.bytes) } ?? "",
          rendition.clippedPercent,
        ]
      }
    }
  }

  private func table(_ title: String, _ head: [String], _ rows: [[String]]) -> [String] {
    if rows.isEmpty { return [] }
    var lines = ["### \(title) (\(rows.count))", ""]
    lines.append(Self.row(head))
    lines.append(Self.row(head.map { _ in "---" }))
    lines += rows.prefix(Self.mostRows).map { Self.row($0.map(Self.escaped)) }
    if rows.count > Self.mostRows { lines += ["", "and \(rows.count - Self.mostRows) more"] }
    return lines + [""]
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  /// Escapes a text, so that Markdown shows it unchanged in a paragraph or a table cell.
  private static func escaped(_ text: String) -> String { text.spelling(spellings) }

  private static let spellings: [Unicode.Scalar: String] = {
    // GitHub would turn `@` into a mention of a user and `#` into a link to an issue, so both are
    // escaped.
    var spellings: [Unicode.Scalar: String] = [
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " ", "\r": " ", "@": "&#64;", "#": "&#35;",
    ]
    for scalar in "\\`*_{}[]()|~!$".unicodeScalars { spellings[scalar] = "\\\(scalar)" }
    return spellings
  }()
}
