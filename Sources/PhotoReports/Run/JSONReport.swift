import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Writes the report of a run as canonical JSON.
struct JSONReport {
  private let report: RunReport

  init(_ report: RunReport) { self.report = report }

  var text: String { json.canonicalText }

  var json: JSON {
    var recipe = JSON.Object()
    recipe.add(report.recipeFile, as: "file")
    recipe["identifier"] = report.recipe.map(JSON.string)
    recipe["version"] = report.recipeVersion.map(JSON.string)
    var object = report.summary.json
    object["generator"] = .string(ReportFormat.mark)
    object["version"] = .string(RunReport.version)
    object["engine"] = .object(["phbatch": .string(Engine.version)])
    object["recipe"] = .object(recipe)
    object.add(report.library, as: "library")
    object["mode"] = .string(report.isDryRun ? "check" : "run")
    object["started"] = .string(report.started)
    object["seconds"] = report.seconds.map(JSON.number)
    object["exit"] = .integer(Int(report.exit.rawValue))
    object["error"] = report.error.map(\.json)
    object["originalBytes"] = .integer(report.originalBytes)
    object["warnings"] = .array(report.warnings.map(JSON.string))
    object["photos"] = .array(report.photos.map { .object($0.json) })
    return .object(object)
  }
}
