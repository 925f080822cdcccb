import PhotoBatch

/// The files that a run can be reported in, by their extensions.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// All of it, in the shape of `ReportSchema`.
  case json
  /// For test reports of CI systems.
  case junit = "xml"
  /// A page.
  case page = "html"
  /// A summary with tables.
  case markdown = "md"
  /// For the textfile collector of Prometheus' node_exporter.
  case prometheus = "prom"

  /// The text near the start of every report; only a file that has it is overwritten.
  static let mark = "phbatch report"

  /// The report; `previous` is what the file said before.
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
