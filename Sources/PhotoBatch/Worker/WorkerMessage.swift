import PhotoLibrary
public import PhotoRecipes
import PhotoRender

/// What the coordinator asks of a worker.
///
/// The photo's descriptor comes first, then those of the files a recipe names, then the targets.
enum WorkerRequest: Sendable {
  /// Reads the header, of a format that the settings allow.
  case probe(InputSettings)
  /// Says what the file is and holds, in words.
  case describe(InputSettings)
  case render(WorkOrder)
  /// Renders `Graph.Preview.before`, `.after` and `.output` at display size.
  case preview(WorkOrder)
  /// Says how it would render, in words.
  case explain(WorkOrder)
  /// Lays previews out: their JPEG files stand one after the other in the first descriptor, the
  /// sheet goes to the second.
  case sheet([SheetEntry])
  /// Looks whether a part of the recipe, by its number, can be used, whatever the photo; there is none.
  ///
  /// Of the files, those of the part are enough.
  case check(WorkOrder, part: Int)
}

/// One photo on a sheet.
struct SheetEntry: Sendable, Hashable {
  /// What tells our sheets from others' pictures.
  static let mark = "phbatch-preview"

  var title: String
  /// The bytes of the pictures before and after; both 0 where there are none.
  var before: Int
  var after: Int
}

/// One recipe for one photo.
struct WorkOrder: Sendable {
  let recipe: Recipe
  /// The recipe as it is sent, and whether it draws texts: found once for all copies.
  fileprivate let resolved: JSON
  fileprivate let needsFonts: Bool
  /// The files that the recipe names, by their paths as written, in the order of their descriptors.
  var files: [String] = []
  /// The outputs to write, in the order of their descriptors.
  var targets: [String] = []
  /// What the placeholders of texts stand for.
  var values: [String: String] = [:]
  /// The point of interest of the upright photo.
  var focal: Sidecar.FocalPoint?
  /// Whether the coordinator starts the programs that the recipe names; the worker is not told.
  var allowsExternal = false
  /// `--max-pixels` and the like.
  var limits = GivenLimits()
  /// The longer edge of previews.
  var displayEdge = 1200
  /// Whether the photo's own bytes may stand for a rendition that saves nothing.
  var copiesOriginals = false

  init(recipe: Recipe) {
    self.recipe = recipe
    resolved = recipe.resolved
    needsFonts = recipe.needsFonts
  }
}

extension WorkerRequest {
  /// What is written to targets; nil: nothing.
  var rendered: WorkOrder? {
    switch self {
    case .render(let order), .preview(let order): order
    case .probe, .describe, .explain, .sheet, .check: nil
    }
  }

  /// Whether texts are drawn.
  var needsFonts: Bool {
    switch self {
    case .render(let order), .preview(let order), .check(let order, _): order.needsFonts
    case .probe, .describe, .explain, .sheet: false
    }
  }

  /// What may be read.
  var inputs: InputSettings {
    switch self {
    case .probe(let inputs), .describe(let inputs): inputs
    case .render(let order), .preview(let order), .explain(let order), .check(let order, _):
      order.recipe.inputs
    case .sheet: InputSettings()
    }
  }

  var json: JSON {
    switch self {
    case .probe(let inputs): inputs.request("probe")
    case .describe(let inputs): inputs.request("describe")
    case .render(let order): order.json(verb: "render")
    case .preview(let order): order.json(verb: "preview")
    case .explain(let order): order.json(verb: "explain")
    case .check(let order, let part): order.json(verb: "check", part: part)
    case .sheet(let entries):
      .object([
        "do": .string("sheet"),
        "entries": .array(
          entries.map {
            .object([
              "title": .string($0.title), "before": .integer($0.before),
              "after": .integer($0.after),
            ])
          }),
      ])
    }
  }

  /// Nil for what is none, or with a recipe that `recipes` cannot read.
  init?(_ json: JSON, _ recipes: inout RecipeReader) {
    let plain = json["recipe"].flatMap { recipes.order($0) }
    switch (json["do"]?.string, plain.map { WorkOrder(json, $0) }) {
    case ("probe", _): self = .probe(InputSettings(json["inputs"]))
    case ("describe", _): self = .describe(InputSettings(json["inputs"]))
    case ("sheet", _):
      self = .sheet(json["entries"]?.array?.compactMap { SheetEntry($0) } ?? [])
    case ("render", let order?): self = .render(order)
    case ("preview", let order?): self = .preview(order)
    case ("explain", let order?): self = .explain(order)
    case ("check", let order?): self = .check(order, part: json["part"]?.integer ?? 0)
    default: return nil
    }
  }
}

extension InputSettings {
  fileprivate func request(_ verb: String) -> JSON {
    var object = JSON.Object()
    object["do"] = .string(verb)
    object["inputs"] = sparse
    return .object(object)
  }
}

extension SheetEntry {
  fileprivate init?(_ json: JSON) {
    guard let title = json["title"]?.string, let before = json["before"]?.integer, before >= 0,
      let after = json["after"]?.integer, after >= 0
    else { return nil }
    self.init(title: title, before: before, after: after)
  }
}

extension WorkOrder {
  fileprivate func json(verb: String, part: Int? = nil) -> JSON {
    var object = JSON.Object()
    object["do"] = .string(verb)
    object["recipe"] = resolved
    object["files"] = .array(files.map(JSON.string))
    object["targets"] = .array(targets.map(JSON.string))
    let values = values.sorted { $0.key < $1.key }
    object["values"] = .object(
      JSON.Object(values.map { JSON.Object.Member($0.key, .string($0.value)) }))
    object["limits"] = limits.json
    object["part"] = part.map(JSON.integer)
    object["displayEdge"] = .integer(displayEdge)
    object["copiesOriginals"] = .bool(copiesOriginals)
    object["focal"] = focal.map { .array([.number($0.x), .number($0.y)]) }
    return .object(object)
  }

  /// What `json` says besides the recipe, which `plain` has.
  fileprivate init(_ json: JSON, _ plain: WorkOrder) {
    self = plain
    files = json["files"]?.array?.compactMap(\.string) ?? []
    targets = json["targets"]?.array?.compactMap(\.string) ?? []
    for member in json["values"]?.object?.members ?? [] {
      values[member.key] = member.value.string
    }
    limits = GivenLimits(json["limits"] ?? .null)
    displayEdge = json["displayEdge"]?.integer ?? displayEdge
    copiesOriginals = json["copiesOriginals"]?.bool ?? copiesOriginals
    if let point = json["focal"]?.array?.compactMap(\.number), point.count == 2 {
      focal = Sidecar.FocalPoint(x: point[0], y: point[1])
    }
  }
}

/// What a worker answers.
enum WorkerReply: Sendable {
  /// Sent once at the start: libvips' version, and what shuts the worker in.
  case hello(libvips: String, Sandbox)
  /// Sent before pixels are touched: how many there are, the time that the outputs' encoders may take,
  /// and the memory. The answer is an `Allowance`.
  case begun(megapixels: Double, encodingSeconds: Double, MemoryNeeds)
  /// Sent in the middle of a rendering, with stdin and stdout for a program: run it, and say how
  /// that ended.
  case external(External)
  case probed(PhotoSummary)
  case described([String])
  case rendered(PhotoSummary, [RenditionFacts], warnings: [String])
  case explained(graph: String, pipeline: String, MemoryNeeds)
  /// What is wrong with a part of the recipe; nil: nothing.
  case checked(RecipeFlaw?)
  case failed(Reason, message: String, hint: String)
}

/// What a worker read in a photo's header.
public struct PhotoSummary: Sendable, Hashable {
  /// Upright.
  public var size: Size
  /// `yyyy-MM-ddTHH:mm:ss`, as the camera wrote it.
  public var captureDate: String?
  /// What the photo says that it shows.
  public var title: String?
  /// Only where the header alone was asked for.
  public var details = PhotoDetails()

  init(size: Size, captureDate: String? = nil, title: String? = nil) {
    self.size = size
    self.captureDate = captureDate
    self.title = title
  }
}

extension WorkerReply {
  var json: JSON {
    var object = JSON.Object()
    switch self {
    case .hello(let version, let sandbox):
      object["hello"] = .string(version)
      object["sandbox"] = sandbox.json
    case .begun(let megapixels, let seconds, let needs):
      object["begun"] = .number(megapixels)
      object["encodingSeconds"] = .number(seconds)
      object["memory"] = needs.json
    case .external(let step): object["external"] = step.json
    case .probed(let photo): object["photo"] = photo.json
    case .described(let lines): object["lines"] = .array(lines.map(JSON.string))
    case .rendered(let photo, let renditions, let warnings):
      object["photo"] = photo.json
      object["renditions"] = .array(renditions.map(\.json))
      object["warnings"] = .array(warnings.map(JSON.string))
    case .explained(let graph, let pipeline, let needs):
      object["graph"] = .string(graph)
      object["pipeline"] = .string(pipeline)
      object["memory"] = needs.json
    case .checked(let flaw): object["flaw"] = flaw?.json ?? .null
    case .failed(let reason, let message, let hint):
      object["failed"] = .string(reason.rawValue)
      object["message"] = .string(message)
      object["hint"] = .string(hint)
    }
    return .object(object)
  }

  init?(_ json: JSON) {
    if let version = json["hello"]?.string {
      self = .hello(libvips: version, Sandbox(json["sandbox"] ?? .null))
    } else if let megapixels = json["begun"]?.number,
      let needs = json["memory"].flatMap({ MemoryNeeds($0) })
    {
      self = .begun(
        megapixels: megapixels, encodingSeconds: json["encodingSeconds"]?.number ?? 0, needs)
    } else if let lines = json["lines"]?.array {
      self = .described(lines.compactMap(\.string))
    } else if let flaw = json["flaw"] {
      self = .checked(RecipeFlaw(flaw))
    } else if let step = json["external"].flatMap({ External($0) }) {
      self = .external(step)
    } else if let reason = json["failed"]?.string.flatMap({ Reason(rawValue: $0) }) {
      self = .failed(
        reason, message: json["message"]?.string ?? "", hint: json["hint"]?.string ?? "")
    } else if let graph = json["graph"]?.string,
      let needs = json["memory"].flatMap({ MemoryNeeds($0) })
    {
      self = .explained(graph: graph, pipeline: json["pipeline"]?.string ?? "", needs)
    } else if let photo = json["photo"].flatMap({ PhotoSummary($0) }) {
      guard let renditions = json["renditions"]?.array else {
        self = .probed(photo)
        return
      }
      self = .rendered(
        photo, renditions.compactMap { RenditionFacts($0) },
        warnings: json["warnings"]?.array?.compactMap(\.string) ?? [])
    } else {
      return nil
    }
  }
}

extension PhotoSummary {
  init(_ header: PhotoHeader) {
    self.init(
      size: header.size, captureDate: header.captureDate, title: header.texts["title"])
  }

  fileprivate init?(_ json: JSON) {
    guard let width = json["width"]?.integer, let height = json["height"]?.integer else {
      return nil
    }
    self.init(
      size: Size(width, height), captureDate: json["date"]?.string, title: json["title"]?.string)
    details = json["details"].map { PhotoDetails($0) } ?? details
  }

  fileprivate var json: JSON {
    var object = JSON.Object()
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["date"] = captureDate.map(JSON.string)
    object["title"] = title.map(JSON.string)
    if details != PhotoDetails() { object["details"] = details.json }
    return .object(object)
  }
}
