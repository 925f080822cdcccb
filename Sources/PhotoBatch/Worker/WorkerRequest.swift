import Notation
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import PhotoRender

/// A request of the coordinator to a worker.
///
/// Open descriptors are sent with the request: first the photo, then the files that the recipe
/// names, the film beside the photo and the photo's original, if the order has them, then the files
/// to write.
enum WorkerRequest: Sendable {
  /// Reads the header of a photo whose format the settings allow.
  case probe(InputSettings)
  /// Describes the format and the content of a file as text.
  case describe(InputSettings)
  case render(WorkOrder)
  /// Renders `Graph.Preview.before`, `.after` and `.output` at display size.
  case preview(WorkOrder)
  /// Describes the plan of a rendering as text.
  case explain(WorkOrder)
  /// Predicts the time and the memory of a rendering.
  case weigh(WorkOrder)
  /// Arranges previews on a contact sheet.
  ///
  /// The first descriptor contains the previews' JPEG files one after another. The worker writes
  /// the sheet to the second descriptor.
  case sheet([SheetEntry])
  /// Checks, without a photo, that the part of the recipe with this index can be used.
  ///
  /// The descriptors are the part's files.
  case check(WorkOrder, part: Int)
  /// Opens a photo and the files that the recipe names, and keeps them open for later requests
  /// `show` with the photo's name.
  case hold(WorkOrder, photo: String)
  /// Renders one picture of a photo that was opened by `hold`; the only descriptor is the picture's
  /// file.
  case show(WorkOrder, ShowOrder)
  /// States the data for masks that a photo does not have; the photo was opened by `hold`. Faces are
  /// searched only if `faces` is true.
  case lacks(photo: String, faces: Bool)
  /// Closes a photo that was opened by `hold`.
  case drop(photo: String)
}

/// The data of a `show` request, besides the recipe.
struct ShowOrder: Sendable, Hashable {
  /// The name of the photo in the `hold` request.
  var photo: String
  var picture: LivePicture
  /// The number of threads that compute the picture.
  var threads: Int
}

/// One photo on a sheet.
struct SheetEntry: Sendable, Hashable {
  /// The text in a PNG file that distinguishes sheets by phbatch from other pictures.
  static let mark = "phbatch-preview"

  var title: String
  /// The size in bytes of the picture before the edit; 0 if there are no pictures.
  var before: Int
  /// The size in bytes of the picture after the edit; 0 if there are no pictures.
  var after: Int
}

/// The data of a request that applies one recipe to one photo.
struct WorkOrder: Sendable {
  private(set) var recipe: Recipe
  /// The recipe in the form in which it is sent; computed once for all copies of the order.
  fileprivate private(set) var resolved: JSON
  /// True if the recipe needs fonts; computed once for all copies of the order.
  fileprivate let needsFonts: Bool
  /// The files that the recipe names, by their paths as written in the recipe, in the order of
  /// their descriptors.
  var files: [String] = []
  /// The names of the outputs to write, in the order of their descriptors.
  var targets: [String] = []
  /// The outputs of a film whose encoding is recorded, in the order of the records' descriptors,
  /// which follow those of the targets.
  var records: [String] = []
  /// The values of the placeholders in the recipe's texts, by the placeholders' names.
  var values: [String: String] = [:]
  /// The description of the photo from XMP files beside it; nil if there is none.
  var description: XMP?
  /// The digest of the original, as 64 hexadecimal digits; nil for previews.
  var originalDigest: String?
  /// The focal point of the upright original; nil if none is known.
  var focal: Sidecar.FocalPoint?
  /// The map from positions in the upright original to positions in the photo, both 0…1, if the
  /// photo is a rendition; the descriptor of the original then follows those of the files and of
  /// the film.
  ///
  /// Nil if the photo is the original, or if the map is not known.
  var frame: Homography?
  /// The lenses with which the same edit was rendered before; not sent to the worker.
  var lenses: [FoundLens] = []
  /// True if the coordinator runs the programs that the recipe names; not sent to the worker.
  var allowsExternal = false
  /// The limits of `--max-pixels` and similar options.
  var limits = GivenLimits()
  /// The longer edge of previews, in pixels.
  var displayEdge = 1200
  /// True if the photo's own bytes may replace a rendition that is not smaller.
  var copiesOriginals = false
  /// The look that was fitted to the raw photo before; nil if none is recorded.
  var look: RecordedLook?
  /// True if the coordinator can send photos with films to the program for films.
  var canAskForFilms = false
  /// True if the descriptor of a film beside the photo follows those of the files.
  var hasFilm = false
  /// The digest of that film; nil if no film is rendered.
  var filmDigest: String?

  init(recipe: Recipe) {
    self.recipe = recipe
    resolved = recipe.resolved
    needsFonts = recipe.needsFonts
  }

  /// The same order for the JPEG that is embedded in a raw photo.
  var ofEmbeddedPreview: WorkOrder {
    var order = self
    order.recipe.inputs.raw.look = .preview
    order.resolved = order.recipe.resolved
    order.look = nil
    return order
  }
}

extension WorkerRequest {
  /// The order of a request that renders to targets; nil for other requests.
  var rendered: WorkOrder? {
    switch self {
    case .render(let order), .preview(let order), .show(let order, _): order
    case .probe, .describe, .explain, .weigh, .sheet, .check, .hold, .lacks, .drop: nil
    }
  }

  /// The order of a request that plans a photo; nil for other requests.
  var planned: WorkOrder? {
    switch self {
    case .render(let order), .preview(let order), .explain(let order), .weigh(let order),
      .show(let order, _):
      order
    case .probe, .describe, .sheet, .check, .hold, .lacks, .drop: nil
    }
  }

  /// The descriptors of the files that the worker writes, except for records.
  func targets(among descriptors: [Int32]) -> ArraySlice<Int32> {
    if case .sheet = self { return descriptors.suffix(1) }
    return descriptors.dropLast(rendered?.records.count ?? 0).suffix(rendered?.targets.count ?? 0)
  }

  /// True if a recipe with outputs for films is applied, which needs the program for films.
  var isOfFilm: Bool { planned?.recipe.hasFilms ?? false }

  /// True if a photo's film must be edited, and the coordinator has another program for films.
  func keepsFilm(of photo: PhotoFile, _ descriptors: [Int32]) -> Bool {
    let order: WorkOrder
    switch self {
    case .render(let given), .explain(let given): order = given
    default: return false
    }
    let recipe = order.recipe
    return order.canAskForFilms && recipe.outputs.contains(where: recipe.keepsFilm)
      && (photo.embeddedFilm != nil
        || order.film(among: descriptors).map { photo.isPair(with: $0) } ?? false)
  }

  /// True if the worker must be able to read the fonts of the system.
  var needsFonts: Bool {
    switch self {
    case .render(let order), .preview(let order), .check(let order, _), .hold(let order, _),
      .show(let order, _):
      order.needsFonts
    case .probe, .describe, .explain, .weigh, .sheet, .lacks, .drop: false
    }
  }

  /// The settings that determine which formats the worker may read.
  var inputs: InputSettings {
    switch self {
    case .probe(let inputs), .describe(let inputs): inputs
    case .render(let order), .preview(let order), .explain(let order), .weigh(let order),
      .check(let order, _), .hold(let order, _), .show(let order, _):
      order.recipe.inputs
    case .sheet, .lacks, .drop: InputSettings()
    }
  }

  var json: JSON {
    switch self {
    case .probe(let inputs): inputs.request("probe")
    case .describe(let inputs): inputs.request("describe")
    case .render(let order): order.json(verb: "render")
    case .preview(let order): order.json(verb: "preview")
    case .explain(let order): order.json(verb: "explain")
    case .weigh(let order): order.json(verb: "weigh")
    case .check(let order, let part): order.json(verb: "check", part: part)
    case .hold(let order, let photo): order.json(verb: "hold", photo: photo)
    case .show(let order, let show): order.json(verb: "show", show)
    case .lacks(let photo, let faces):
      .object(["do": .string("lacks"), "photo": .string(photo), "faces": .bool(faces)])
    case .drop(let photo): .object(["do": .string("drop"), "photo": .string(photo)])
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

  /// Decodes a request; nil if it is unknown, or if `recipes` cannot read its recipe.
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
    case ("weigh", let order?): self = .weigh(order)
    case ("check", let order?): self = .check(order, part: json["part"]?.integer ?? 0)
    case ("hold", let order?): self = .hold(order, photo: json["photo"]?.string ?? "")
    case ("show", let order?): self = .show(order, ShowOrder(json))
    case ("lacks", _):
      self = .lacks(photo: json["photo"]?.string ?? "", faces: json["faces"]?.bool ?? false)
    case ("drop", _): self = .drop(photo: json["photo"]?.string ?? "")
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

extension ShowOrder {
  fileprivate func add(to object: inout JSON.Object) {
    object["photo"] = .string(photo)
    object["longEdge"] = .integer(picture.longEdge)
    object["box"] = picture.box.map { .array([.integer($0.width), .integer($0.height)]) }
    object["part"] = picture.part.map(\.json)
    object["output"] = picture.output.map { .string($0) }
    object["isMoving"] = .bool(picture.isMoving)
    object["isUnedited"] = .bool(picture.isUnedited)
    object["threads"] = .integer(threads)
  }

  fileprivate init(_ json: JSON) {
    photo = json["photo"]?.string ?? ""
    picture = LivePicture(longEdge: max(1, json["longEdge"]?.integer ?? 1))
    if let box = json["box"]?.array?.compactMap(\.integer), box.count == 2 {
      picture.box = Size(max(1, box[0]), max(1, box[1]))
    }
    picture.part = json["part"].flatMap { Rectangle($0) }
    picture.output = json["output"]?.string
    picture.isMoving = json["isMoving"]?.bool ?? false
    picture.isUnedited = json["isUnedited"]?.bool ?? false
    threads = max(1, json["threads"]?.integer ?? 1)
  }
}

extension WorkOrder {
  /// The descriptor of the film beside the photo; nil if there is none.
  func film(among descriptors: [Int32]) -> Int32? {
    let index = 1 + files.count
    return hasFilm && descriptors.indices.contains(index) ? descriptors[index] : nil
  }

  fileprivate func json(
    verb: String, part: Int? = nil, photo: String? = nil, _ show: ShowOrder? = nil
  ) -> JSON {
    var object = JSON.Object()
    object["do"] = .string(verb)
    object["recipe"] = resolved
    object["files"] = .array(files.map(JSON.string))
    object["targets"] = .array(targets.map(JSON.string))
    object["records"] = records.isEmpty ? nil : .array(records.map(JSON.string))
    let values = values.sorted { $0.key < $1.key }
    object["values"] = .object(
      JSON.Object(values.map { JSON.Object.Member($0.key, .string($0.value)) }))
    object["description"] = description.map { .string(String(decoding: $0.packet, as: UTF8.self)) }
    object["original"] = originalDigest.map(JSON.string)
    object["limits"] = limits.json
    object["part"] = part.map(JSON.integer)
    object["photo"] = photo.map(JSON.string)
    show?.add(to: &object)
    object["displayEdge"] = .integer(displayEdge)
    object["copiesOriginals"] = .bool(copiesOriginals)
    object["look"] = look?.json
    object["canAskForFilms"] = .bool(canAskForFilms)
    object["hasFilm"] = .bool(hasFilm)
    object["film"] = filmDigest.map(JSON.string)
    object["focal"] = focal.map { .array([.number($0.x), .number($0.y)]) }
    object["frame"] = frame?.json
    return .object(object)
  }

  /// Creates an order with the recipe of `plain`, and everything else from `json`.
  fileprivate init(_ json: JSON, _ plain: WorkOrder) {
    self = plain
    files = json["files"]?.array?.compactMap(\.string) ?? []
    targets = json["targets"]?.array?.compactMap(\.string) ?? []
    records = json["records"]?.array?.compactMap(\.string) ?? []
    for member in json["values"]?.object?.members ?? [] {
      values[member.key] = member.value.string
    }
    description = json["description"]?.string.flatMap { try? XMP(Array($0.utf8)) }
    originalDigest = json["original"]?.string
    limits = GivenLimits(json["limits"] ?? .null)
    displayEdge = json["displayEdge"]?.integer ?? displayEdge
    copiesOriginals = json["copiesOriginals"]?.bool ?? copiesOriginals
    look = json["look"].flatMap { RecordedLook($0) }
    canAskForFilms = json["canAskForFilms"]?.bool ?? false
    hasFilm = json["hasFilm"]?.bool ?? false
    filmDigest = json["film"]?.string
    if let point = json["focal"]?.array?.compactMap(\.number), point.count == 2 {
      focal = Sidecar.FocalPoint(x: point[0], y: point[1])
    }
    frame = json["frame"].flatMap { Homography($0) }
  }
}

/// Reads the recipes of requests.
///
/// A recipe that is the same as in the request before is not parsed again.
struct RecipeReader {
  private var last: (json: JSON, order: WorkOrder)?
  private var lastParts: [RecipePart]?

  /// An order that has only the recipe; nil if the recipe cannot be read.
  mutating func order(_ json: JSON) -> WorkOrder? {
    if let last, last.json == json { return last.order }
    guard let recipe = try? Recipe(resolved: json) else { return nil }
    let order = WorkOrder(recipe: recipe)
    last = (json, order)
    lastParts = nil
    return order
  }

  /// The parts of the last recipe that was read.
  mutating func parts() -> [RecipePart] {
    if let lastParts { return lastParts }
    let parts = last?.order.recipe.parts ?? []
    lastParts = parts
    return parts
  }
}
