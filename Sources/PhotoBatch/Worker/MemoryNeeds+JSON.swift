import PhotoRecipes
import PhotoRender

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
