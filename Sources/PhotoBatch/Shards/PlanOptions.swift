import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The options of a run that affect its results, as a plan stores them for its shards.
extension BatchOptions {
  /// True if any of the options that a plan sets for its shards differs from its default.
  public var hasPlannedOptions: Bool { planned != BatchOptions().planned || output != nil }

  /// The options as an object; options with their defaults are left out.
  var planned: JSON {
    let usual = BatchOptions()
    var object = JSON.Object()
    func add(_ value: String, _ usual: String, as key: String) {
      if value != usual { object[key] = .string(value) }
    }
    func add(_ flag: Bool, as key: String) { if flag { object[key] = .bool(true) } }
    if !assignments.isEmpty {
      object["set"] = .array(
        assignments.map { .object(["key": .string($0.key), "value": $0.value]) })
    }
    add(previous.rawValue, usual.previous.rawValue, as: "previous")
    add(onModified.rawValue, usual.onModified.rawValue, as: "onModified")
    add(onForeign.rawValue, usual.onForeign.rawValue, as: "onForeign")
    add(durability.rawValue, usual.durability.rawValue, as: "durability")
    add(acceptsChanged, as: "acceptChanged")
    add(redoes, as: "redo")
    add(refreshes, as: "refresh")
    add(isStrict, as: "strict")
    add(mayDiscard, as: "yes")
    add(allowsExternal, as: "allowExternal")
    object["timeout"] =
      timeout == usual.timeout ? nil : .integer(Int(timeout.components.seconds))
    object["maxPixels"] = pixelLimit.map(JSON.integer)
    object["maxFrames"] = frameLimit.map(JSON.integer)
    object["maxBytes"] = byteLimit.map(JSON.integer)
    object["maxScans"] = scanLimit.map(JSON.integer)
    return .object(object)
  }

  /// Takes the options of a plan; options that affect only how a shard runs are kept.
  mutating func take(_ planned: JSON) {
    assignments = (planned["set"]?.array ?? []).compactMap { entry in
      guard let key = entry["key"]?.string, let value = entry["value"] else { return nil }
      return Assignment(key: key, value: value)
    }
    func choice<Choice: RawRepresentable<String>>(_ key: String, _ usual: Choice) -> Choice {
      planned[key]?.string.flatMap { Choice(rawValue: $0) } ?? usual
    }
    previous = choice("previous", previous)
    onModified = choice("onModified", onModified)
    onForeign = choice("onForeign", onForeign)
    durability = choice("durability", durability)
    acceptsChanged = planned["acceptChanged"]?.bool ?? false
    redoes = planned["redo"]?.bool ?? false
    refreshes = planned["refresh"]?.bool ?? false
    isStrict = planned["strict"]?.bool ?? false
    mayDiscard = planned["yes"]?.bool ?? false
    allowsExternal = planned["allowExternal"]?.bool ?? false
    timeout = planned["timeout"]?.integer.map { .seconds($0) } ?? timeout
    pixelLimit = planned["maxPixels"]?.integer
    frameLimit = planned["maxFrames"]?.integer
    byteLimit = planned["maxBytes"]?.integer
    scanLimit = planned["maxScans"]?.integer
  }
}
