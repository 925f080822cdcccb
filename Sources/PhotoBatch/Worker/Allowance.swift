import PhotoRecipes
import PhotoRender

/// What a worker may take for a photo whose needs it has told.
struct Allowance: Sendable, Hashable {
  var threads = 1
  /// Whether pictures that must be held whole go to temporary files.
  var spills = false
  /// For a photo that is alone: the bytes that it may have of the run's memory, and what the rest takes.
  var room: Int?
  var besides = 0
  /// Whether it may not begin, for that is too little.
  var isRefused = false

  /// What `--memory` must be for a photo that takes so many bytes; nil if it is enough.
  func budget(for bytes: Int) -> String? {
    guard let room, bytes > room else { return nil }
    return "\((bytes + besides + (1 << 20) - 1) >> 20)M"
  }

  /// The answer of a worker that may not begin; `remedy` says what to do but for more memory.
  func refusal(of needs: MemoryNeeds, remedy: String) -> WorkerReply? {
    guard isRefused, let room else { return nil }
    let budget = budget(for: needs.spilled).map { "say --memory \($0)" } ?? "raise --memory"
    return .failed(
      .outOfMemory,
      message: "it needs about \(needs.spilled.megabytes), and \(max(0, room).megabytes) are left",
      hint: "\(budget), or \(remedy)")
  }
}

extension Allowance {
  var json: JSON {
    var object = JSON.Object()
    object["threads"] = .integer(threads)
    object["spills"] = .bool(spills)
    object["room"] = room.map(JSON.integer)
    object["besides"] = .integer(besides)
    object["isRefused"] = .bool(isRefused)
    return .object(object)
  }

  init(_ json: JSON) {
    threads = max(1, json["threads"]?.integer ?? 1)
    spills = json["spills"]?.bool ?? false
    room = json["room"]?.integer
    besides = json["besides"]?.integer ?? 0
    isRefused = json["isRefused"]?.bool ?? false
  }
}

extension Int {
  /// Bytes in megabytes of 2²⁰, rounded up.
  var megabytes: String { "\((self + (1 << 20) - 1) >> 20) MB" }
}
