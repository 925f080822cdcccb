import PhotoBatch
import PhotoLibrary
import PhotoRecipes

/// One photo on a page of previews: a picture that opens to a before-and-after comparison with
/// details.
struct PreviewCard {
  private let photo: PhotoPreview
  private let number: Int
  private let isOpen: Bool

  init(_ photo: PhotoPreview, number: Int, isOpen: Bool) {
    (self.photo, self.number, self.isOpen) = (photo, number, isOpen)
  }

  private var name: String { photo.path.displayed }

  var html: HTML {
    .element(
      "article", [("id", "p\(number)"), ("class", isOpen ? "photo open" : "photo")],
      [
        view,
        .element(
          "div", class: "title",
          .element("h2", .element("bdi", .text(name))), state),
        .element("div", class: "facts", facts, outputs, settings),
        .element(
          "a",
          [("class", "enlarge"), ("href", "#p\(number)"), ("aria-label", "Enlarge \(name)")], []),
        .element(
          "a", [("class", "close"), ("href", "#"), ("aria-label", "Close \(name)")],
          [.text("Close")]),
      ])
  }

  private var state: HTML {
    let kind =
      photo.outcome.isDue ? "due" : photo.outcome.reason.outcome == .fine ? "fine" : "bad"
    let word = photo.outcome.isDue ? "due" : photo.outcome.reason.rawValue
    return .element("span", class: "state \(kind)", .text(word))
  }

  private func picture(_ style: String, _ bytes: [UInt8], _ words: String) -> HTML {
    .picture(class: style, alternative: "\(name), \(words)", bytes)
  }

  private var view: HTML {
    guard let pictures = photo.pictures else {
      return .element(
        "figure", class: "view empty", .element("p", .text(photo.failure ?? "No preview")))
    }
    func tag(_ style: String, _ word: String) -> HTML {
      .element("span", [("class", "tag \(style)"), ("aria-hidden", "true")], [.text(word)])
    }
    return .element(
      "figure", class: "view",
      picture("after", pictures.after, "with the recipe"),
      picture("before", pictures.before, "without the recipe"),
      .element("span", [("class", "line"), ("aria-hidden", "true")], []),
      tag("left", "Before"), tag("right", "After"),
      .element(
        "input",
        [
          ("type", "range"), ("min", "0"), ("max", "100"), ("value", "50"),
          ("aria-label", "Before and after of \(name): percentage that shows the state before"),
        ], []))
  }

  /// The pictures of the outputs that differ from the large picture after the edit.
  private var outputs: HTML {
    let shown = (photo.pictures?.outputs ?? []).compactMap { output -> HTML? in
      output.picture.map {
        .element(
          "figure", picture("output", $0, "output \(output.name)"),
          .element("figcaption", .text("\(output.name) · \(output.size)")))
      }
    }
    return shown.isEmpty ? .text("") : .element("div", [("class", "outputs")], shown)
  }

  private var facts: HTML {
    var rows: [(String, String)] = [("A run would", verdict)]
    rows += photo.outcome.detail.map { [("Why", $0)] } ?? []
    rows += photo.outcome.hint.map { [("What to do", $0)] } ?? []
    rows += photo.outcome.warnings.map { ("Note", $0) }
    rows += photo.failure.map { [("No preview", $0)] } ?? []
    rows.append(("Starts from", photo.base ?? "the original"))
    if let pictures = photo.pictures {
      rows.append(("Size", "\(pictures.photo)"))
      rows += pictures.outputs.filter { $0.picture == nil }.map {
        ("Output \($0.name)", "\($0.size)")
      }
    }
    return .element(
      "dl", [], rows.flatMap { [.element("dt", .text($0)), .element("dd", .text($1))] })
  }

  private var verdict: String {
    if photo.outcome.isDue { return "render it" }
    return switch photo.outcome.reason.outcome {
    case .fine: "not change it: \(photo.outcome.reason.rawValue)"
    case .due: "render it"
    case .failed: "fail: \(photo.outcome.reason.rawValue)"
    case .needsPerson: "need your decision: \(photo.outcome.reason.rawValue)"
    }
  }

  private var settings: HTML {
    if photo.settings.isEmpty { return .text("") }
    let rows = photo.settings.map { setting in
      HTML.element(
        "tr", .element("th", [("scope", "row")], [.text(setting.place)]),
        .element(
          "td", .element("code", .text(setting.value)),
          .element("span", class: "origin", .text(setting.origin))))
    }
    return .element(
      "table", [],
      [
        .element("caption", .text("Settings")),
        .element("tbody", [], rows),
      ])
  }
}
