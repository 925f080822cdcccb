public import Notation
public import PhotoBatch
import PhotoLibrary
public import PhotoRecipes
import Synchronization
public import SystemPackage

/// The results of a run, from which report files are written.
public struct RunReport: Sendable {
  /// The recipe's identifier; nil if the recipe could not be read.
  public var recipe: String?
  public var recipeVersion: String?
  public var recipeFile: FilePath
  public var library: FilePath
  /// True for `--check` and `--dry-run`, which write no renditions.
  public var isDryRun: Bool
  /// The time when the run started, in UTC and ISO 8601 format.
  public var started: String
  /// The duration of the run in seconds; nil if the environment sets `SOURCE_DATE_EPOCH` for
  /// reproducible output.
  public var seconds: Double?
  /// The outcomes of all photos, sorted by path.
  public var photos: [AssetOutcome]
  public var warnings: [String]
  public var summary: RunSummary
  public var exit: ExitCode
  /// The error that ended the run early; nil if the run completed.
  public var error: (any UserError)?

  /// The version of the JSON form of the report.
  public static let version = "1.0"
}

extension RunReport {
  /// The photos that the run rendered; `due` has the photos that a dry run would render.
  var rendered: [AssetOutcome] { photos.filter { $0.reason == .rendered && !$0.isDue } }
  var due: [AssetOutcome] { photos.filter(\.isDue) }
  /// The photos that failed or need a user's decision.
  var troubled: [AssetOutcome] { photos.filter { $0.reason.outcome != .fine } }
  var flagged: [AssetOutcome] { photos.filter { !$0.warnings.isEmpty } }

  /// The total size in bytes of the originals of all rendered photos.
  var originalBytes: Int { rendered.reduce(0) { $0 + ($1.originalBytes ?? 0) } }
  var renditionBytes: Int { rendered.reduce(0) { $0 + $1.renditionBytes } }
}

extension AssetOutcome {
  var renditionBytes: Int { renditions.reduce(0) { $0 + $1.bytes } }

  /// The reason with its detail, if any, and for a photo that is due the reasons from its plan.
  var sentence: String {
    let word = isDue ? "due" : reason.rawValue
    let parts = [detail].compactMap(\.self) + (isDue ? plan?.reasons ?? [] : [])
    return word + (parts.isEmpty ? "" : ": \(parts.joined(separator: "; "))")
  }
}

extension AssetOutcome.Rendition {
  /// The share of clipped pixels as text, such as `3.4 %`; empty if it is not known.
  var clippedPercent: String {
    guard let clipped else { return "" }
    if clipped > 0 && clipped < 0.001 { return "< 0.1 %" }
    let tenths = Int((clipped * 1000).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

/// Collects the events of a run, from which the report is made at the end.
public final class ReportRecorder: Sendable {
  private let state = Mutex(State())
  private let listsPhotos: Bool
  private let start = ContinuousClock.now
  private let started = SourceDate.text

  private struct State {
    var photos: [AssetOutcome] = []
    var warnings: [String] = []
    var summary = RunSummary()
  }

  /// - Parameter listsPhotos: True if the report lists each photo; otherwise photos are only
  ///   counted.
  public init(listsPhotos: Bool = true) { self.listsPhotos = listsPhotos }

  public func note(_ event: RunEvent) {
    state.withLock { state in
      switch event {
      case .began, .started, .rendering, .undoable: break
      case .warning(let text): state.warnings.append(text)
      case .finished(let outcome):
        if listsPhotos { state.photos.append(outcome) }
        state.summary.add(outcome)
      }
    }
  }

  /// The totals of the photos finished so far; a run that ends early has no other totals.
  public var summary: RunSummary { state.withLock { $0.summary } }

  /// Makes the report; `summary` is nil if the run did not complete.
  public func report(
    recipe: Recipe?, _ recipeFile: FilePath, library: FilePath, isDryRun: Bool,
    _ summary: RunSummary?, _ exit: ExitCode, error: (any UserError)? = nil
  ) -> RunReport {
    let (photos, warnings, counted) = state.withLock { ($0.photos, $0.warnings, $0.summary) }
    let time = start.duration(to: .now).components
    let seconds = Double(time.seconds) + Double(time.attoseconds / 1_000_000_000_000_000) / 1000
    return RunReport(
      recipe: recipe?.identifier, recipeVersion: recipe.map { "\($0.version)" },
      recipeFile: recipeFile, library: library, isDryRun: isDryRun, started: started,
      seconds: SourceDate.fixed == nil ? seconds : nil,
      photos: photos.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) },
      warnings: warnings, summary: summary ?? counted, exit: exit, error: error)
  }
}
