import PhotoBatch

/// The formats of the report of a run; the raw value is the file extension.
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

  /// The text that every report contains near its start; only an existing file with this text is
  /// replaced.
  static let mark = "phbatch report"

  /// Returns a report as text; `previous` is the previous content of the report file, nil if there
  /// is none.
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
