import Notation
import PhotoLibrary
public import PhotoRecipes
import PhotoRender
import SystemPackage

/// A worker's message to the coordinator.
enum WorkerReply: Sendable {
  /// Sent once when the worker has started: its version of libvips, and its sandbox.
  case hello(libvips: String, Sandbox)
  /// Sent before pixels are read: the photo's size, the seconds that the outputs' encoders may
  /// take, and the predicted memory.
  ///
  /// The coordinator answers with an `Allowance`.
  case begun(megapixels: Double, encodingSeconds: Double, MemoryNeeds)
  /// Sent during a rendering, with the descriptors of a program's stdin and stdout; the coordinator
  /// runs the program and answers with its result.
  case external(External)
  /// Sent at most once a second while a film is rendered: the frames that are done, and the number
  /// of all frames.
  case progress(frames: Int, of: Int)
  /// Sent before a photo is planned; the coordinator answers with the lens's profile.
  case lens(LensFacts)
  case probed(PhotoSummary)
  case described([String])
  case rendered(PhotoSummary, [Rendering.Rendition], warnings: [String], look: RecordedLook?)
  case explained(PhotoSummary, graph: String, pipeline: String, MemoryNeeds)
  /// The predicted processor time in seconds and the predicted memory of a rendering.
  case weighed(seconds: Double, MemoryNeeds)
  /// The flaw of a part of the recipe; nil if there is none.
  case checked(RecipeFlaw?)
  case failed(Reason, message: String, hint: String)
  /// A rendition could not be written, because of this error.
  case unwritable(Errno)
  case shown(ShownPicture)
  /// The data for masks that a photo does not have, each with the sentence that states this.
  case lacking([String: String])
  /// The worker does not keep the photo of a request `show`, for example because the worker is new.
  case notHeld
  case dropped
  /// The photo contains a film, and the recipe keeps it: the program for films must render it.
  case hasFilm
}

/// The facts of a photo's header that the coordinator needs.
public struct PhotoSummary: Sendable, Hashable {
  /// The size in pixels of the upright photo.
  public var size: Size
  /// The capture date as the camera wrote it, such as `2026-01-31T10:00:00`; nil if there is none.
  public var captureDate: String?
  /// The description in the photo's metadata, or its title; nil if there is none that could be an
  /// `AlternativeText`.
  public var title: String?
  /// The details in the photo's metadata; empty except in replies to `probe`.
  public var details = PhotoDetails()
  /// The lenses that steps correct; empty in replies to `probe`.
  public var lenses: [FoundLens] = []
  /// Warnings about the plan, which a reply to `explain` contains.
  public var planWarnings: [String] = []

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
    case .progress(let frames, let all):
      (object["frames"], object["of"]) = (.integer(frames), .integer(all))
    case .lens(let facts): object["lens"] = facts.json
    case .probed(let photo): object["photo"] = photo.json
    case .described(let lines): object["lines"] = .array(lines.map(JSON.string))
    case .rendered(let photo, let renditions, let warnings, let look):
      object["photo"] = photo.json
      object["renditions"] = .array(renditions.map(\.json))
      object["warnings"] = .array(warnings.map(JSON.string))
      object["look"] = look?.json
    case .explained(let photo, let graph, let pipeline, let needs):
      object["photo"] = photo.json
      object["graph"] = .string(graph)
      object["pipeline"] = .string(pipeline)
      object["memory"] = needs.json
    case .weighed(let seconds, let needs):
      object["seconds"] = .number(seconds)
      object["memory"] = needs.json
    case .checked(let flaw): object["flaw"] = flaw?.json ?? .null
    case .failed(let reason, let message, let hint):
      object["failed"] = .string(reason.rawValue)
      object["message"] = .string(message)
      object["hint"] = .string(hint)
    case .unwritable(let error): object["unwritable"] = .integer(Int(error.rawValue))
    case .shown(let picture): object["shown"] = picture.json
    case .lacking(let lacks):
      object["lacking"] = .object(
        JSON.Object(
          lacks.sorted { $0.key < $1.key }.map {
            JSON.Object.Member($0.key, .string($0.value))
          }))
    case .notHeld: object["notHeld"] = .bool(true)
    case .dropped: object["dropped"] = .bool(true)
    case .hasFilm: object["hasFilm"] = .bool(true)
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
    } else if let seconds = json["seconds"]?.number,
      let needs = json["memory"].flatMap({ MemoryNeeds($0) })
    {
      self = .weighed(seconds: seconds, needs)
    } else if let picture = json["shown"].flatMap({ ShownPicture($0) }) {
      self = .shown(picture)
    } else if let lacks = json["lacking"]?.object {
      self = .lacking(
        Dictionary(lacks.members.map { ($0.key, $0.value.string ?? "") }) { first, _ in first })
    } else if json["notHeld"] != nil {
      self = .notHeld
    } else if json["dropped"] != nil {
      self = .dropped
    } else if json["hasFilm"] != nil {
      self = .hasFilm
    } else if let lines = json["lines"]?.array {
      self = .described(lines.compactMap(\.string))
    } else if let flaw = json["flaw"] {
      self = .checked(RecipeFlaw(flaw))
    } else if let facts = json["lens"] {
      self = .lens(LensFacts(facts))
    } else if let frames = json["frames"]?.integer, let all = json["of"]?.integer {
      self = .progress(frames: frames, of: all)
    } else if let step = json["external"].flatMap({ External($0) }) {
      self = .external(step)
    } else if let reason = json["failed"]?.string.flatMap({ Reason(rawValue: $0) }) {
      self = .failed(
        reason, message: json["message"]?.string ?? "", hint: json["hint"]?.string ?? "")
    } else if let error = json["unwritable"]?.integer {
      self = .unwritable(Errno(rawValue: Int32(clamping: error)))
    } else if let graph = json["graph"]?.string,
      let photo = json["photo"].flatMap({ PhotoSummary($0) }),
      let needs = json["memory"].flatMap({ MemoryNeeds($0) })
    {
      self = .explained(
        photo, graph: graph, pipeline: json["pipeline"]?.string ?? "", needs)
    } else if let photo = json["photo"].flatMap({ PhotoSummary($0) }) {
      guard let renditions = json["renditions"]?.array else {
        self = .probed(photo)
        return
      }
      self = .rendered(
        photo, renditions.compactMap { Rendering.Rendition($0) },
        warnings: json["warnings"]?.array?.compactMap(\.string) ?? [],
        look: json["look"].flatMap { RecordedLook($0) })
    } else {
      return nil
    }
  }
}

extension PhotoSummary {
  /// A summary with the photo's own texts, or with `texts`.
  init(_ header: PhotoHeader, texts: [String: String]? = nil) {
    let texts = texts ?? header.texts
    self.init(
      size: header.size, captureDate: header.captureDate,
      title: AlternativeText.describing(texts["description"])
        ?? AlternativeText.describing(texts["title"]))
  }

  fileprivate init?(_ json: JSON) {
    guard let width = json["width"]?.integer, let height = json["height"]?.integer else {
      return nil
    }
    self.init(
      size: Size(width, height), captureDate: json["date"]?.string, title: json["title"]?.string)
    details = json["details"].map { PhotoDetails($0) } ?? details
    lenses = json["lenses"]?.array?.compactMap { FoundLens($0) } ?? []
    planWarnings = json["planWarnings"]?.array?.compactMap(\.string) ?? []
  }

  fileprivate var json: JSON {
    var object = JSON.Object()
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["date"] = captureDate.map(JSON.string)
    object["title"] = title.map(JSON.string)
    if details != PhotoDetails() { object["details"] = details.json }
    if !lenses.isEmpty { object["lenses"] = .array(lenses.map(\.json)) }
    if !planWarnings.isEmpty { object["planWarnings"] = .array(planWarnings.map(JSON.string)) }
    return .object(object)
  }
}

extension Rendering.Rendition {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["output"] = .string(output)
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["quality"] = quality.map(JSON.integer)
    object["clipped"] = clipped.map(JSON.number)
    object["isOriginal"] = .bool(isOriginal)
    object["frame"] = frame?.json
    return .object(object)
  }

  fileprivate init?(_ json: JSON) {
    guard let output = json["output"]?.string, let width = json["width"]?.integer,
      let height = json["height"]?.integer
    else { return nil }
    self.init(
      output: output, size: Size(width, height), quality: json["quality"]?.integer,
      clipped: json["clipped"]?.number, isOriginal: json["isOriginal"]?.bool ?? false,
      frame: json["frame"].flatMap { Homography($0) })
  }
}
