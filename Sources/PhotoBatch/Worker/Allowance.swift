import Notation
import PhotoRecipes
import PhotoRender

/// The resources that the coordinator allows a worker for a photo.
struct Allowance: Sendable, Hashable {
  var threads = 1
  /// True if images that must be buffered completely go to temporary files.
  var spills = false
  /// For a photo that runs alone, the bytes of the run's memory that it may use; nil for other
  /// photos.
  var room: Int?
  /// For a photo that runs alone, the bytes that are reserved for all other processes of the run.
  var besides = 0
  /// True if the photo is refused because there is too little memory.
  var isRefused = false

  /// The value of `--memory` with which a photo that needs `bytes` could be rendered; nil if the
  /// present limit suffices, or if the photo does not run alone.
  func budget(for bytes: Int) -> String? {
    guard let room, bytes > room else { return nil }
    return "\((bytes + besides + (1 << 20) - 1) >> 20)M"
  }

  /// The worker's reply if the photo is refused; nil if the photo is allowed.
  ///
  /// `remedy` is the alternative to more memory, in words.
  func refusal(of needs: MemoryNeeds, remedy: String) -> WorkerReply? {
    guard isRefused, let room else { return nil }
    let budget = budget(for: needs.spilled).map { "use --memory \($0)" } ?? "raise --memory"
    return .failed(
      .outOfMemory,
      message:
        "about \(needs.spilled.megabytes) of memory are needed, but only \(max(0, room).megabytes)"
        + " are available",
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

extension MemoryNeeds {
  var json: JSON {
    .object([
      "bytes": .integer(usual), "spilledBytes": .integer(spilled),
      "bytesPerThread": .integer(perThread),
    ])
  }

  init?(_ json: JSON) {
    guard let usual = json["bytes"]?.integer, let spilled = json["spilledBytes"]?.integer,
      let perThread = json["bytesPerThread"]?.integer, usual >= 0, spilled >= 0, perThread >= 0
    else { return nil }
    self.init(usual: usual, spilled: spilled, perThread: perThread)
  }
}

extension Int {
  /// The bytes as text in units of 2²⁰, rounded up.
  var megabytes: String { "\((self + (1 << 20) - 1) >> 20) MB" }
}
