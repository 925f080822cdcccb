import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Writes the report of a run as one self-contained HTML page.
struct HTMLReport {
  private let report: RunReport
  private static let style: StaticString = """
    :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
    body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
    table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
    th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; \
    vertical-align: top; overflow-wrap: anywhere; }
    table.sizes td:nth-child(n+2):not(:nth-child(3)) { white-space: nowrap; }
    .error { color: #c33; font-weight: 600; }
    """

  init(_ report: RunReport) { self.report = report }

  var text: String {
    let name = report.recipe ?? report.recipeFile.displayed
    var body: [HTML] = [.element("h1", .text(name))]
    if let error = report.error {
      body.append(.element("p", class: "error", .text(error.message)))
      body.append(.element("p", .text(error.hint)))
    }
    let ended = "\(report.summary.sentence). Exit code \(report.exit.rawValue)."
    body.append(.element("p", .text("\(report.library.displayed), \(report.started): \(ended)")))
    let warnings = report.warnings.map { ["", $0] }
    body += table(
      "Failed, or needs your decision", ["photo", "reason", "what to do"],
      report.troubled.map { [$0.path.displayed, $0.sentence, $0.hint ?? ""] })
    body += table(
      "Due", ["photo", "why"],
      report.due.map { [$0.path.displayed, $0.plan?.reasons.joined(separator: "; ") ?? ""] })
    body += table(
      "Rendered", ["photo", "before", "rendition", "pixels", "after", "clipped"], renditions,
      class: "sizes")
    body += table(
      "Warnings", ["photo", "warning"],
      warnings
        + report.flagged.flatMap { photo in photo.warnings.map { [photo.path.displayed, $0] } })
    let page = HTML.element(
      "html", [("lang", "en")],
      [
        .element(
          "head", [],
          [
            .element("meta", [("charset", "utf-8")], []),
            .element("meta", [("name", "generator"), ("content", ReportFormat.mark)], []),
            .element(
              "meta", [("name", "viewport"), ("content", "width=device-width")], []),
            .element("title", .text("phbatch: \(name)")),
            .element("style", .verbatim(Self.style)),
          ]), .element("body", [], body),
      ])
    return String(decoding: page.document, as: UTF8.self)
  }

  private var renditions: [[String]] {
    report.rendered.flatMap { photo in
      photo.renditions.map { rendition in
        [
          photo.path.displayed, photo.originalBytes.map { "\(ByteCount($0))" } ?? "",
          rendition.path.displayed, "\(rendition.size)", "\(ByteCount(rendition.bytes))",
          rendition.clippedPercent,
        ]
      }
    }
  }

  private func table(
    _ title: String, _ head: [String], _ rows: [[String]], class style: String = "words"
  ) -> [HTML] {
    if rows.isEmpty { return [] }
    let headings = HTML.element("tr", [], head.map { .element("th", .text($0)) })
    let lines = rows.map { row in
      HTML.element("tr", [], row.map { .element("td", .text($0)) })
    }
    return [
      .element("h2", .text("\(title) (\(rows.count))")),
      .element("table", [("class", style)], [headings] + lines),
    ]
  }
}
