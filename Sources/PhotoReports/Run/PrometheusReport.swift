import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Writes the report of a run for the textfile collector of Prometheus' node_exporter.
///
/// Every report contains all series. If a run fails, its report keeps the time of the last success.
///
/// - Source: prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4;
///   node_exporter's README, "Textfile Collector": no timestamps, atomic replacement.
struct PrometheusReport {
  private let report: RunReport
  private let previous: String?

  /// Creates the report; `previous` is the previous content of the report file, nil if there is
  /// none.
  init(_ report: RunReport, previous: String?) {
    self.report = report
    self.previous = previous
  }

  private static let success = "phbatch_last_success_timestamp_seconds"

  var text: String {
    let summary = report.summary
    var text = "# \(ReportFormat.mark)\n\(recipeLine)\n"
    text += metric(
      "phbatch_last_run_timestamp_seconds",
      "The time when the last run ended, in seconds since 1970.",
      [("", "\(SourceDate.seconds)")])
    let last = report.exit == .success ? "\(SourceDate.seconds)" : lastSuccess
    text += metric(
      Self.success,
      "The time when a run last ended with exit code 0, in seconds since 1970; 0 if never.",
      [("", last ?? "0")])
    text += metric(
      "phbatch_last_run_exit_code", "The exit code of the last run.",
      [("", "\(report.exit.rawValue)")])
    text += metric(
      "phbatch_last_run_duration_seconds", "The duration of the last run, in seconds.",
      [("", "\(report.seconds ?? 0)")])
    text += metric(
      "phbatch_last_run_photos", "Photos of the last run by result.",
      Reason.allCases.map { ($0.rawValue, "\(summary.counts[$0] ?? 0)") })
    text += metric(
      "phbatch_last_run_due_photos", "The number of photos that a check found to be due.",
      [("", "\(summary.due)")])
    text += metric(
      "phbatch_last_run_renditions", "Renditions that the last run wrote.",
      [("", "\(summary.renditions)")])
    return text
      + metric(
        "phbatch_last_run_rendition_bytes", "Bytes of the renditions that the last run wrote.",
        [("", "\(summary.bytes)")])
  }

  /// The line that names the recipe's file, by which the next report recognizes the recipe even if
  /// it cannot be read then.
  private var recipeLine: String {
    "# recipe file: \(Self.escaped(report.recipeFile.displayed))"
  }

  /// The labels of all series; those of the previous report if it is of the same library and the
  /// same recipe file, and the recipe cannot be read now.
  private var labels: String {
    let library = "library=\"\(Self.escaped(report.library.displayed))\","
    if report.recipe == nil, let previous = previousSuccess, previous.labels.hasPrefix(library),
      self.previous?.split(separator: "\n").contains(recipeLine[...]) ?? false
    {
      return String(previous.labels)
    }
    return library + "recipe=\"\(Self.escaped(report.recipe ?? report.recipeFile.displayed))\""
  }

  private func metric(
    _ name: String, _ help: String, _ samples: [(reason: String, value: String)]
  ) -> String {
    let lines = samples.map { reason, value in
      "\(name){\(labels)\(reason.isEmpty ? "" : ",reason=\"\(reason)\"")} \(value)\n"
    }
    return "# HELP \(name) \(help)\n# TYPE \(name) gauge\n" + lines.joined()
  }

  /// The time of the last successful run of the recipe over the library, from the previous report
  /// file; nil if that file has none.
  private var lastSuccess: String? {
    guard let previous = previousSuccess, previous.labels == labels,
      let seconds = Double(previous.value), seconds.isFinite
    else { return nil }
    return String(previous.value)
  }

  /// The time of the last successful run in the previous report file, with its labels.
  private var previousSuccess: (labels: Substring, value: Substring)? {
    let line = previous?.split(separator: "\n").first { $0.hasPrefix("\(Self.success){") }
    guard let line, let end = line.lastIndex(of: "}") else { return nil }
    return (
      line[..<end].dropFirst(Self.success.count + 1), line[end...].dropFirst(2)
    )
  }

  private static func escaped(_ value: String) -> String {
    value.spelling(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
  }
}
