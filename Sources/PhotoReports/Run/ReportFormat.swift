import PhotoBatch

/// The formats of the report of a run, by file extension.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// The complete report as JSON, in the form of `ReportSchema`.
  case json
  /// JUnit XML, for the test reports of CI systems.
  case junit = "xml"
  /// An HTML page.
  case page = "html"
  /// A Markdown summary with tables.
  case markdown = "md"
  /// Metrics for the textfile collector of Prometheus' node_exporter.
  case prometheus = "prom"

  /// The text near the start of every report; only an existing file that contains it is
  /// overwritten.
  static let mark = "phbatch report"

  /// The text of a report; `previous` is the previous content of the file.
  public func text(of report: RunReport, previous: String? = nil) -> String {
    switch self {
    case .json: JSONReport(report).text
    case .junit: JUnitReport(report).text
    case .page: HTMLReport(report).text
    case .markdown: MarkdownReport(report).text
    case .prometheus: PrometheusReport(report, previous: previous).text
    }
  }
}
