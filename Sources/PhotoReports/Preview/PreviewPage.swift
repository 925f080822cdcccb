import Notation
public import PhotoBatch
import PhotoLibrary
public import PhotoRecipes

/// Previews as one self-contained HTML page.
///
/// Pictures are data: URIs. A content security policy in the page prevents the browser from loading
/// any resource and from running any script except the page's own.
public struct PreviewPage {
  /// The value of `generator` in the page, by which later previews recognize the file.
  static let generator = "phbatch preview"

  private let report: PreviewReport
  private let recipe: Recipe

  public init(_ report: PreviewReport, of recipe: Recipe) {
    self.report = report
    self.recipe = recipe
  }

  public var bytes: [UInt8] { page.document }

  private var title: String { recipe.title ?? recipe.identifier }

  private var page: HTML {
    .element("html", [("lang", "en")], [head, body])
  }

  private var head: HTML {
    func meta(_ name: String, _ content: String) -> HTML {
      .element("meta", [("name", name), ("content", content)], [])
    }
    let script = Base64.encode(Digest(of: "\(PreviewScript.text)".utf8).bytes)
    let policy =
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-\(script)'"
    return .element(
      "head",
      .element("meta", [("charset", "utf-8")], []),
      meta("generator", Self.generator),
      .element("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)], []),
      meta("viewport", "width=device-width, initial-scale=1"),
      meta("color-scheme", "light dark"),
      .element("title", .text("Preview: \(title)")),
      .element("style", .verbatim(PreviewStyle.text)))
  }

  private var body: HTML {
    let isOne = report.photos.count == 1
    let photos = report.photos.enumerated().map { PreviewCard($1, number: $0 + 1, isOpen: isOne) }
    return .element(
      "body",
      .element(
        "header", class: "top",
        .element("h1", .text(title)),
        .element(
          "p", class: "recipe",
          .element("code", .text("\(recipe.identifier) \(recipe.version)")), .text(summary))),
      .element("main", [("class", isOne ? "sheet one" : "sheet")], photos.map(\.html)),
      .element("footer", .text(note)),
      .element("script", .verbatim(PreviewScript.text)))
  }

  private var summary: String {
    let count = report.photos.count + report.more
    let due = report.photos.count { $0.outcome.isDue }
    return " · \(count) \(count == 1 ? "photo" : "photos"), \(due) due. Nothing was written."
  }

  private var note: String {
    let more =
      switch report.more {
      case 0: ""
      case 1: "1 more photo is not shown here. "
      default: "\(report.more) more photos are not shown here. "
      }
    return more
      + "Pictures are rendered at display size: fine grain and sharpness look different at full size."
  }
}
